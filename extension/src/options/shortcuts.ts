// Shows the keys that Chrome has for what the extension does, and leads to Chrome's own page, where alone they are changed.

import { button, part } from '../shared/parts.ts';

const CHROMES_PAGE = 'chrome://extensions/shortcuts';

export async function followShortcuts() {
  button('#change-keys').addEventListener('click', () => void chrome.tabs.create({ url: CHROMES_PAGE }));
  window.addEventListener('focus', () => void show()); // no event tells of a change: the user comes back from that page
  await show();
}

async function show() {
  const commands = await chrome.commands.getAll();
  const rows = commands.flatMap(({ description, shortcut }) =>
    description ? [element('dt', description), element('dd', shortcut || 'no key')] : [],
  );
  part('#shortcuts').replaceChildren(...rows);
}

function element(name: string, text: string): HTMLElement {
  return Object.assign(document.createElement(name), { textContent: text });
}
