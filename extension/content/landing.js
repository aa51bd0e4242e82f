// Lets the assistant's real presses land on what they are meant for alone: what goes astray reaches no page; it must send none.
//
// The page may move between the look at a place and the press on it: Chrome's bar slides in, a banner comes. So a press is
// judged where it lands, before the page's own listeners hear of it, in every frame of the tab.

'use strict';

/**
 * @typedef {object} Landing
 * @property {(hit: Element) => boolean} isMeant
 * @property {boolean} landed
 * @property {boolean} astray  what belongs to the last press is kept from the page
 * @property {Element | null} hit
 */

/** @type {Landing | undefined}  made once in this world, however often the files are injected; other frames' worlds reach it */
var landing;

/**
 * Judge a press by where it goes down; the rest of it follows.
 * @param {Event} event
 */
function guardPress(event) {
  if (!landing || !event.isTrusted || !isOwnInput()) return;
  if (event.type === 'pointerdown') {
    const [hit] = event.composedPath();
    landing.hit = hit instanceof Element ? hit : null;
    landing.landed = landing.hit !== null && landing.isMeant(landing.hit);
    landing.astray = !landing.landed;
  }
  if (!landing.astray) return;
  event.stopImmediatePropagation();
  if (event.type !== 'pointerdown') event.preventDefault(); // that would change who gets the focus
}

/**
 * @param {boolean} anywhere  whatever is hit in this frame is meant; else nothing, until it is said what
 * @returns {Landing}
 */
function newLanding(anywhere) {
  return { isMeant: () => anywhere, landed: false, astray: false, hit: null };
}

if (!landing) {
  landing = newLanding(false);
  for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick']) hearAlways(type, guardPress);
}
