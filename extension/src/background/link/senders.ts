// Identifies the sender of a message within the extension, from what Chrome states about it.

export type Place = { tab: number; frame: number };

export type Sender = chrome.runtime.MessageSender;

/** Give the frame of the content script that sent a message; null for an extension's page and another extension. */
export function placeOf(
  { id, tab, frameId, origin, url = '' }: Sender,
  self: { id: string; origin: string },
): Place | null {
  if (id !== self.id || origin === self.origin || url.startsWith(`${self.origin}/`)) return null;
  if (!tab?.id || tab.id < 1 || frameId === undefined) return null;
  return { tab: tab.id, frame: frameId };
}

/** Give the addresses that may name the site of a frame, the best first; `above`: the origins of the frames around it. */
export function addressesOf({ origin, url, tab }: Sender, above: unknown): string[] {
  const around = Array.isArray(above) ? above.map(String) : [];
  return [origin, url, ...around, tab?.url].filter((address) => address !== undefined);
}

/** Whether the popup or the options page sent it. */
export function isOwnPage(sender: Sender | undefined, self: { id: string; origin: string }): boolean {
  return sender?.id === self.id && sender.origin === self.origin;
}
