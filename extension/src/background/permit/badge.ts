// Shows on the extension's icon that an assistant may act; it must not know why.

export function badge(on: boolean) {
  chrome.action.setBadgeText({ text: on ? 'AI' : '' });
  chrome.action.setBadgeBackgroundColor({ color: '#b3261e' });
  chrome.action.setTitle({ title: on ? 'Gasoline: AI Web Pilot is on' : 'Gasoline' });
}
