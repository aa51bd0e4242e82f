// The badge on the extension's icon, which shows that assistants may act, or that another browser has the link.

export function showBadge(pilot: boolean, taken: boolean) {
  const word = pilot ? 'AI' : '';
  chrome.action.setBadgeText({ text: taken ? '2nd' : word });
  chrome.action.setBadgeBackgroundColor({ color: taken ? '#5f6368' : '#b3261e' });
  const waits = 'Gasoline: another browser is connected; this one takes its place when it ends';
  chrome.action.setTitle({ title: taken ? waits : 'Gasoline' });
}
