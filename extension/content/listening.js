// Listens on this window for as long as it is there, also after `document.open()`; it must call nobody twice for one event.
//
// `document.open()` takes every listener off the window and the document (HTML, 8.4.1), and leaves observers alone. It
// replaces the root element, so that is when to listen again: the same function on the same target counts once.

'use strict';

/** @typedef {{type: string, hear: (event: any) => void, options: AddEventListenerOptions}} Listener */

/** @type {Listener[] | undefined}  made once in this world, however often the files are injected */
var listeners;

/**
 * @param {string} type
 * @param {(event: any) => void} hear
 * @param {AddEventListenerOptions} [options]  never `once`: it would be forgotten at the next `document.open()`
 */
function hearAlways(type, hear, options = { capture: true }) {
  const listener = { type, hear, options };
  listeners?.push(listener);
  listen(listener);
}

/** @param {Listener} listener */
function listen({ type, hear, options }) {
  window.addEventListener(type, hear, options);
}

if (!listeners) {
  listeners = [];
  new MutationObserver(() => listeners?.forEach(listen)).observe(document, { childList: true });
}
