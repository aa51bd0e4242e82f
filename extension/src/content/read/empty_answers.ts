// States why there is nothing to read or to list, or why a person does not read it; it must only ever read the page.

import { isHtml, nodes } from '../dom/nodes.ts';
import { treesOf } from '../dom/search.ts';
import { isDrawn } from './drawing.ts';

const NOT_DRAWN =
  'The page shows nothing: see observe(what:"errors"), or wait for it with interact(action:"wait_for").';

const PICTURES = 'canvas, img, svg, video, object, embed';

/** Return a `hint` for a text that is empty, or that the page does not show. */
export function hintOfText(element: Element, text: string): { hint?: string } {
  if (!nodes.isRendered(element) && getComputedStyle(element).display !== 'contents')
    return { hint: 'The element is not shown.' };
  if (text.trim()) return {};
  if (isHtml(element, 'iframe'))
    return { hint: 'It is a frame: read "iframe >>> body", or with `frame` if it is of another origin.' };
  if (nodes.matches(element, PICTURES)) return { hint: 'It is a picture, without text.' };
  return isDrawn(treesOf(document)) ? { hint: 'It shows no text.' } : { hint: NOT_DRAWN };
}

/** Return a `hint` for a list that is empty. */
export function hintOfList(count: number): { hint?: string } {
  if (count) return {};
  return { hint: isDrawn(treesOf(document)) ? 'It shows nothing that can be worked with.' : NOT_DRAWN };
}
