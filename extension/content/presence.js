// Knows since when the human has not touched this frame; it must not know what they did.

'use strict';

/** @type {{at: number, x: number, y: number} | undefined}  made once in this world, however often the files are injected */
var lastTouch;

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
  if (event.type === 'pointermove' && screenX === lastTouch.x && screenY === lastTouch.y) return;
  lastTouch = { at: performance.now(), x: screenX, y: screenY };
}

if (!lastTouch) {
  lastTouch = { at: -1, x: -1, y: -1 };
  for (const type of ['keydown', 'pointerdown', 'pointermove', 'wheel', 'touchmove', 'drop']) {
    hearAlways(type, touched, { capture: true, passive: true });
  }
}
