// The badge on the extension's icon, which shows that assistants may act.

export function showBadge(on: boolean) {
  chrome.action.setBadgeText({ text: on ? 'AI' : '' });
  chrome.action.setBadgeBackgroundColor({ color: '#b3261e' });
  chrome.action.setTitle({ title: on ? 'Gasoline: AI Web Pilot is on' : 'Gasoline' });
}
