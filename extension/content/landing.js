// Lets the assistant's real presses land on what they are meant for alone: what goes astray reaches no page; it must send none.
//
// The page may move between the look at a place and the press on it: Chrome's bar slides in, a banner comes. So a press is
// judged where it lands, before the page's own listeners hear of it, in every frame of the tab.

'use strict';

/**
 * @typedef {object} Landing
 * @property {(path: EventTarget[]) => boolean} isMeant  told what an event goes through
 * @property {number} until  `performance.now()`; from then on nothing is kept from the page: it may be the human's
 * @property {boolean} landed
 * @property {boolean} reached  the pointer has come over what is meant
 * @property {EventTarget | undefined} astray  what was hit by a press that is kept from the page
 */

/** @type {Landing | undefined}  made once in this world, however often the files are injected; other frames' worlds reach it */
var landing;

/** A press follows the last look at its place within so long; on a machine that is busier it is not judged. */
var PRESS_MS = 1000;

/**
 * Judge a press by where it goes down; the rest of it follows.
 * @param {Event} event
 */
function guardPress(event) {
  if (!landing || !event.isTrusted || !isOwnInput()) return;
  if (event.type === 'pointerover') landing.reached ||= landing.isMeant(event.composedPath());
  if (event.type === 'pointerdown') judge(landing, event);
  if (!landing.astray || event.type === 'pointerover') return;
  event.stopImmediatePropagation();
  if (event.type !== 'pointerdown') event.preventDefault(); // that would change who gets the focus
}

/**
 * @param {Landing} landing
 * @param {Event} event
 */
function judge(landing, event) {
  if (landing.landed) return;
  if (performance.now() > landing.until) return void (landing.astray = undefined);
  const path = event.composedPath();
  landing.landed = landing.isMeant(path);
  landing.astray = landing.landed ? undefined : path[0];
}

/**
 * @param {boolean} anywhere  whatever is hit in this frame is meant; else nothing, until it is said what
 * @returns {Landing}
 */
function newLanding(anywhere) {
  return { isMeant: () => anywhere, until: performance.now() + PRESS_MS, landed: false, reached: false, astray: undefined };
}

if (!landing) {
  landing = newLanding(false);
  for (const type of ['pointerover', 'pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick']) hearAlways(type, guardPress);
  chrome.runtime.onMessage.addListener((said, sender, reply) => {
    if (sender.id !== chrome.runtime.id || !landing) return;
    const { astray, reached } = landing;
    if (said?.name === 'kept_press' && astray) reply({ hit: astray instanceof Element ? nameOf(astray) : '' });
    if (said?.name === 'reached' && reached) reply(true);
  });
}
