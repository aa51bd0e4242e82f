// Knows since when the human has not touched this frame; it must not know what they did.

'use strict';

/** @type {{at: number, x: number, y: number} | undefined}  made once in this world, however often the files are injected */
var lastTouch;

/** A touch that is older makes nobody wait. */
var RECENT_MS = 1000;

/** @returns {number | null}  ms since a human touched this frame, null for never */
function humanIdleMs() {
  return lastTouch && lastTouch.at >= 0 ? performance.now() - lastTouch.at : null;
}

/**
 * Note a touch. Chrome makes up moves when the page moves under a hand that rests: those stay where they were.
 * @param {Event} event
 */
function touched(event) {
  if (!event.isTrusted || !lastTouch) return;
  const { screenX = 0, screenY = 0 } = /** @type {PointerEvent} */ (event);
  if (isOwnInput()) return void Object.assign(lastTouch, { x: screenX, y: screenY });
  if (event.type === 'pointermove' && screenX === lastTouch.x && screenY === lastTouch.y) return;
  lastTouch = { at: performance.now(), x: screenX, y: screenY };
}

/**
 * Tell the service worker of a touch just before this page goes: the next one knows nothing of it.
 * @param {Event} event
 */
function leaveTouched({ isTrusted }) {
  const idle_ms = humanIdleMs();
  if (!isTrusted || idle_ms === null || idle_ms > RECENT_MS || !chrome.runtime?.id) return;
  chrome.runtime.sendMessage({ name: 'touched', idle_ms }).catch(() => {}); // nobody has to wait for them, then
}

if (!lastTouch) {
  lastTouch = { at: -1, x: -1, y: -1 };
  for (const type of ['keydown', 'pointerdown', 'pointermove', 'wheel', 'touchmove', 'drop']) {
    hearAlways(type, touched, { capture: true, passive: true });
  }
  hearAlways('pagehide', leaveTouched);
}
