// Tells who sent a message within the extension; it must not read the message.

/** @typedef {chrome.runtime.MessageSender} Sender */

/**
 * Say from which frame of which tab a content script of ours speaks.
 * @param {Sender} sender  as Chrome describes it
 * @param {{id: string, origin: string}} self
 * @returns {import('./intake.js').Place | null}  null if it is none: a page of the extension in a tab, another extension
 */
export function placeOf({ id, tab, frameId, origin, url = '' }, self) {
  if (id !== self.id || origin === self.origin || url.startsWith(`${self.origin}/`)) return null;
  if (!tab?.id || tab.id < 1 || frameId === undefined) return null;
  return { tab: tab.id, frame: frameId };
}

/**
 * Tell whether the popup or the options page speaks.
 * @param {Sender | undefined} sender
 * @param {{id: string, origin: string}} self
 * @returns {boolean}
 */
export function isOwnPage(sender, self) {
  return sender?.id === self.id && sender.origin === self.origin;
}
