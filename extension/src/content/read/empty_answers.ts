// States why there is nothing to read or to list, or why a person does not read it; it must only ever read the page.

import { nodes } from '../dom/nodes.ts';
import { treesOf } from '../dom/search.ts';
import { isDrawn } from './drawing.ts';
import type { ShownText } from './shown_text.ts';

const NOT_DRAWN =
  'The page shows nothing: see observe(what:"errors"), or wait for it with interact(action:"wait_for").';

const PICTURES = 'canvas, img, svg, video, object, embed';

/** Return a `hint` for a text that is empty or not whole, or that the page does not show. */
export function hintOfText(element: Element, shown: ShownText): { hint?: string } {
  if (!nodes.isRendered(element, { checkOpacity: true }) && getComputedStyle(element).display !== 'contents')
    return { hint: 'The element is not shown.' };
  const hint = leftOut(shown);
  if (hint) return { hint };
  if (shown.text.trim()) return {};
  if (nodes.matches(element, PICTURES)) return { hint: 'It is a picture, without text.' };
  return isDrawn(treesOf(document)) ? { hint: 'It shows no text.' } : { hint: NOT_DRAWN };
}

/** State what a text that is read lacks. */
function leftOut({ transparent, closedFrames: frames }: ShownText): string {
  const parts = [
    transparent ? `${transparent} characters at opacity 0 are left out.` : '',
    frames ? `${frames} frame${frames > 1 ? 's are' : ' is'} of another origin, and not read: use \`frame\`.` : '',
  ];
  return parts.filter(Boolean).join(' ');
}

/** Return a `hint` for a list that is empty. */
export function hintOfList(count: number): { hint?: string } {
  if (count) return {};
  return { hint: isDrawn(treesOf(document)) ? 'It shows nothing that can be worked with.' : NOT_DRAWN };
}
