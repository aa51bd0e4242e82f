// Listens on this window for as long as it is there, also after `document.open()`; it must call nothing twice for one event.
//
// `document.open()` takes every listener off the window and the document (HTML, 8.4.1), and leaves observers alone. It
// replaces the root element, so that is when to listen again: the same function on the same target counts once.

import { frame, type Listener } from '../frame.ts';

/** The options must not have `once`: the listener would be lost at the next `document.open()`. */
export function listenAlways(
  type: string,
  handle: (event: any) => void,
  options: AddEventListenerOptions = { capture: true },
) {
  const listener = { type, handle, options };
  frame.listeners.push(listener);
  add(listener);
}

function add({ type, handle, options }: Listener) {
  window.addEventListener(type, handle, options);
}

export function startPersistentListeners() {
  new MutationObserver(() => frame.listeners.forEach(add)).observe(document, { childList: true });
}
