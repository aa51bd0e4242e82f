// Finds the place of a frame among all windows of the page, for the service worker; it must ask no other window.

import { windowPlace } from '../../shared/window_place.ts';
import { ambiguous, notFound, notVisible } from '../dom/choose_element.ts';
import { namingParameter, refuse } from '../dom/faults.ts';
import { locate } from '../dom/locate.ts';
import { briefNameOf } from '../dom/naming.ts';
import { isHtml, nodes } from '../dom/nodes.ts';
import { type Tree, treesOf } from '../dom/search.ts';
import { stepsOf } from '../dom/selector_parser.ts';
import { clip } from '../dom/text.ts';
import { canBeSeen, type Found } from '../dom/visibility.ts';
import type { Query } from '../frame.ts';

/** Find the iframe that a selector names, or as far towards it as this frame can see. */
export function framePlace({ selector }: Query): { place: number[]; src: string; rest: string } {
  return namingParameter('frame', () => {
    const [steps, trees] = [stepsOf(selector), treesOf(document)];
    for (let count = steps.length; count > 0; count--) {
      const found = locate(trees, steps.slice(0, count).join(' >>> ') || '*');
      if (!found.length || (count < steps.length && !found.some(isFrame))) continue;
      const { element } = oneFrame(found, selector, trees);
      const { src } = element as HTMLIFrameElement;
      const shown = nodes.frameWindow(element as any);
      return { place: shown ? windowPlace(shown).place : [], src, rest: steps.slice(count).join(' >>> ') };
    }
    return notFound(selector, 0, null);
  });
}

/** `trees` are those that were searched. */
function oneFrame(found: Found[], selector: string, trees: Tree[]): Found {
  const frames = found.filter(isFrame);
  if (!frames.length)
    refuse(
      'frame',
      selector,
      `${JSON.stringify(clip(selector, 200))} is ${briefNameOf(found[0]?.element)}, no iframe.`,
    );
  const visible = frames.length > 1 ? frames.filter(canBeSeen) : frames;
  if (visible.length > 1) ambiguous(selector, visible, trees);
  return visible[0] ?? notVisible(selector, frames);
}

function isFrame({ element }: Found) {
  return isHtml(element, 'iframe');
}
