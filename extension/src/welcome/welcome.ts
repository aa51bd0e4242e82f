// The first-run page: shows which steps are done, now and as each is done; it changes nothing.

import { ASKED } from '../shared/asked.ts';
import { type LinkState, STATE_PORT } from '../shared/link_states.ts';
import { wordsFor } from '../shared/link_text.ts';
import { packedId } from '../shared/packed_copy.ts';
import { keepPairing, readCode } from '../shared/pairing.ts';
import { part } from '../shared/parts.ts';
import { isPilotOn, PILOT } from '../shared/pilot.ts';
import { KEYS, valuesFrom } from '../shared/settings.ts';

/** Chrome has an event about the toolbar only since 130. */
const LOOK_MS = 1_000;

const steps: HTMLElement[] = [...document.querySelectorAll('li')];

function mark(selector: string, isDone: boolean) {
  part(selector).dataset['done'] = String(isDone);
  const count = steps.filter((step) => step.dataset['done'] === 'true').length;
  part('#progress').textContent =
    count === steps.length ? 'All is set up.' : `${count} of ${steps.length} steps are done.`;
}

/** Follow the link; if the worker dies, the new connection starts it. */
function followLink() {
  const port = chrome.runtime.connect({ name: STATE_PORT });
  port.onMessage.addListener(showLink);
  port.onDisconnect.addListener(followLink);
}

function showLink(state: LinkState) {
  const { title, text, command = '' } = wordsFor(state);
  part('#link p').textContent = state.state === 'connected' ? text : `${title}. ${text}`;
  part('#link .command').hidden = !command;
  part('#link code').textContent = command;
  part('#pair').hidden = !packedId() || state.state === 'connected' || state.state === 'connecting';
  mark('#link', state.state === 'connected');
}

/** Keep the code that the user has pasted, and have the service worker connect with it. */
async function pair(event: Event) {
  event.preventDefault();
  const code = part('#code') as HTMLInputElement;
  const pairing = readCode(code.value);
  part('#pair-fault').textContent = pairing ? '' : 'This is not that line: it begins with “gasoline-”. Copy all of it.';
  if (!pairing) return;
  await keepPairing(pairing);
  code.value = '';
  await chrome.runtime.sendMessage({ name: 'paired' });
}

async function showStored() {
  const stored = await chrome.storage.local.get([...KEYS, ASKED]);
  mark('#tracked', valuesFrom(stored).trackedTabId !== null);
  mark('#asked', stored[ASKED] === true);
  mark('#pilot', isPilotOn(await chrome.storage.sync.get(PILOT)));
}

/** Chrome gives the name only where the user allows it, and has no event for that. */
function showScripts() {
  mark('#scripts', typeof chrome.userScripts?.execute === 'function');
}

async function showPin() {
  mark('#pin', (await chrome.action.getUserSettings()).isOnToolbar === true);
}

part('#pair').addEventListener('submit', pair);
for (const button of document.querySelectorAll('.command button'))
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.previousElementSibling?.textContent ?? '');
    button.textContent = 'Copied';
  });
part('#version').textContent = chrome.runtime.getManifest().version;
chrome.storage.onChanged.addListener(showStored);
setInterval(() => {
  if (document.visibilityState !== 'visible') return;
  showScripts();
  void showPin();
}, LOOK_MS);
showScripts();
followLink();
await Promise.all([showStored(), showPin()]);
