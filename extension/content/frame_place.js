// Says where among all windows of the page a frame is, for the service worker to find it; it must ask no other window.
//
// The worker also has it run by itself in every frame: what it ends with is the answer.

'use strict';

/**
 * Give the place of a window: its number among its parent's, from the page's own down; -1 for one that stands in a
 * shadow root, which no window lists. Windows of whatever origin may be compared.
 * @param {Window} window
 * @returns {number[]}
 */
function placeOfWindow(window) {
  const place = [];
  for (let at = window; at !== at.parent; at = at.parent) {
    const { parent } = at;
    let number = parent.length - 1;
    while (number >= 0 && parent[number] !== at) number--;
    place.unshift(number);
  }
  return place;
}

/**
 * Find the iframe that a selector names, or as far towards it as this frame can see.
 * @param {Record<string, unknown>} query  `selector`
 * @returns {{place: number[], src: string, rest: string}}
 */
function framePlace(query) {
  return blaming('frame', () => {
    const { selector } = aimOf(query);
    const [steps, trees] = [stepsOf(selector), treesOf(document)];
    for (let count = steps.length; count > 0; count--) {
      const found = locate(trees, steps.slice(0, count).join(' >>> ') || '*');
      if (!found.length || (count < steps.length && !found.some(isFrame))) continue;
      const { element } = oneFrame(found, selector, trees);
      const { src } = /** @type {HTMLIFrameElement} */ (element);
      const shown = nodes.frameWindow(/** @type {any} */ (element));
      return { place: shown ? placeOfWindow(shown) : [], src, rest: steps.slice(count).join(' >>> ') };
    }
    return notFound(selector, 0, null);
  });
}

/**
 * @param {Found[]} found
 * @param {string} selector
 * @param {Tree[]} trees  in which it was found
 * @returns {Found}
 */
function oneFrame(found, selector, trees) {
  const frames = found.filter(isFrame);
  if (!frames.length) refuse('frame', selector, `${JSON.stringify(clip(selector, 200))} is ${briefNameOf(found[0]?.element)}, no iframe.`);
  const seen = frames.length > 1 ? frames.filter(canBeSeen) : frames;
  if (seen.length > 1) ambiguous(selector, seen, trees);
  return seen[0] ?? notVisible(selector, frames.length);
}

/** @param {Found} found */
function isFrame({ element }) {
  return isHtml(element, 'iframe');
}

({ place: placeOfWindow(window), url: location.href });
