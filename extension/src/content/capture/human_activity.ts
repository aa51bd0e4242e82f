// Measures how long the user has not touched this frame; it must keep nothing of what they did.

import { frame } from '../frame.ts';
import { listenAlways } from './persistent_listeners.ts';
import { isOwnInput } from './synthetic_input.ts';

let lastTouch = { at: -1, x: -1, y: -1 };

/** An older touch delays nothing. */
const RECENT_MS = 1000;

/** Return ms since a human touched this frame, null for never. */
function humanIdleMs(): number | null {
  return lastTouch.at >= 0 ? performance.now() - lastTouch.at : null;
}

/** Note a touch. Chrome makes up moves when the page moves under a hand that rests: those stay where they were. */
function touched(event: Event) {
  if (!event.isTrusted) return;
  const { screenX = 0, screenY = 0 } = event as PointerEvent;
  if (isOwnInput()) return void Object.assign(lastTouch, { x: screenX, y: screenY });
  if (event.type === 'pointermove' && screenX === lastTouch.x && screenY === lastTouch.y) return;
  lastTouch = { at: performance.now(), x: screenX, y: screenY };
}

/** Report a touch to the service worker just before this page goes: the next one knows nothing of it. */
function leaveTouched({ isTrusted }: Event) {
  const idle_ms = humanIdleMs();
  if (!isTrusted || idle_ms === null || idle_ms > RECENT_MS || !chrome.runtime?.id) return;
  chrome.runtime.sendMessage({ name: 'touched', idle_ms }).catch(() => {}); // then no action has to wait for the human
}

export function startHumanActivity() {
  frame.humanIdleMs = humanIdleMs;
  for (const type of ['keydown', 'pointerdown', 'pointermove', 'wheel', 'touchmove', 'drop']) {
    listenAlways(type, touched, { capture: true, passive: true });
  }
  listenAlways('pagehide', leaveTouched);
}
