// Stands where the service worker is, for tests of the scripts in pages: it takes events, and states what is wanted.

globalThis.chunks = [];
globalThis.closed = new Set();
globalThis.left = new Set();
globalThis.answer = { on: true, websockets: true, bodies: false };
globalThis.delayMs = 0;
chrome.runtime.onMessage.addListener((said, sender, reply) => {
  if (said.name !== 'events') return;
  chunks.push(...said.chunks.map((chunk) => ({ ...chunk, tab: sender.tab.id, frame: sender.frameId, document: sender.documentId })));
  const { capture } = { capture: answer };
  setTimeout(() => reply({ capture }), delayMs);
  return true;
});
chrome.alarms.onAlarm.addListener(() => {});
