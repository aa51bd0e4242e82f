// Shows an overlay its input before the page's own listeners; without an overlay it does nothing.
//
// Listeners of one target are called in the order in which they came, and these come before the page's first script. The page
// of a frame has no overlay.

import { frame } from '../frame.ts';
import { listenAlways } from './persistent_listeners.ts';

/** Presses, all that has letters, the focus, and the overlay's own opening. Moves are left out: they come often, and tell little. */
const TYPES = [
  ...['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu'],
  ...['touchstart', 'touchend', 'keydown', 'keypress', 'keyup', 'beforeinput', 'textInput', 'input'],
  ...[
    'focus',
    'focusin',
    'blur',
    'focusout',
    'compositionstart',
    'compositionupdate',
    'compositionend',
    'copy',
    'cut',
    'paste',
    'beforetoggle',
    'toggle',
  ],
];

const takeInput = (event: Event) => frame.takeInput?.(event);

export function startFirstListeners() {
  if (window === window.top) for (const type of TYPES) listenAlways(type, takeInput);
}
