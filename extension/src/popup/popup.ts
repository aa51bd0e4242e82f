// The popup: shows the state of the link, and starts its other parts.

import { type LinkState, STATE_PORT } from '../shared/link_states.ts';
import { wordsFor } from '../shared/link_text.ts';
import { button, pair, part } from '../shared/parts.ts';
import { followSettings } from '../shared/switches.ts';
import { followCounters } from './counter_view.ts';
import { offerDiagnostics } from './diagnostics.ts';
import { followPilot } from './pilot_view.ts';
import { followPage, showTracking } from './tracking.ts';

let shown: LinkState | undefined;

/** Follow the state; if the worker dies, the new connection starts it. */
function follow() {
  const port = chrome.runtime.connect({ name: STATE_PORT });
  port.onMessage.addListener(show);
  port.onDisconnect.addListener(follow);
}

function show(state: LinkState) {
  shown = state;
  const { title, text, command, facts = {} } = wordsFor(state);
  part('#link').dataset.state = state.state;
  part('#link h2').textContent = title;
  part('#link p').textContent = text;
  part('#facts').hidden = !Object.keys(facts).length;
  part('#facts').replaceChildren(...Object.entries(facts).flatMap(pair));
  part('#command').hidden = !command;
  part('#command code').textContent = command ?? '';
  part('#command button').textContent = 'Copy';
  part('#set-up').hidden = !('id' in state);
}

async function copy() {
  await navigator.clipboard.writeText(part('#command code').textContent ?? '');
  part('#command button').textContent = 'Copied';
}

part('#version').textContent = chrome.runtime.getManifest().version;
button('#command button').addEventListener('click', copy);
button('#options').addEventListener('click', () => chrome.runtime.openOptionsPage());
follow();
followCounters();
offerDiagnostics(() => shown);
await Promise.all([followSettings(showTracking), followPage(), followPilot()]);
