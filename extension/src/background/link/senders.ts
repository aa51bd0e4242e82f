// Tells who sent a message within the extension; it must not read the message.

export type Place = { tab: number; frame: number };

export type Sender = chrome.runtime.MessageSender;

/**
 * Say from which frame of which tab a content script of ours speaks.
 * @param sender as Chrome describes it
 * @returns null if it is none: a page of the extension in a tab, another extension
 */
export function placeOf(
  { id, tab, frameId, origin, url = '' }: Sender,
  self: { id: string; origin: string },
): Place | null {
  if (id !== self.id || origin === self.origin || url.startsWith(`${self.origin}/`)) return null;
  if (!tab?.id || tab.id < 1 || frameId === undefined) return null;
  return { tab: tab.id, frame: frameId };
}

/** Tell whether the popup or the options page speaks. */
export function isOwnPage(sender: Sender | undefined, self: { id: string; origin: string }): boolean {
  return sender?.id === self.id && sender.origin === self.origin;
}
