// Shows the state of the link while the popup is open, and starts its other parts; it must decide nothing.

import { STATE_PORT } from '../shared/states.js';
import { followCounters } from './counters.js';
import { button, pair, part } from './parts.js';
import { followPilot } from './pilot.js';
import { followSettings } from './switches.js';
import { followPage, showTracking } from './tracking.js';
import { wordsFor } from './words.js';

/** @typedef {import('../shared/states.js').LinkState} LinkState */

/** Follow the state; if the worker dies, the new connection wakes it. */
function follow() {
  const port = chrome.runtime.connect({ name: STATE_PORT });
  port.onMessage.addListener(show);
  port.onDisconnect.addListener(follow);
}

/** @param {LinkState} state */
function show(state) {
  const { title, text, command, facts = {} } = wordsFor(state);
  part('#link').dataset.state = state.state;
  part('#link h2').textContent = title;
  part('#link p').textContent = text;
  part('#facts').hidden = !Object.keys(facts).length;
  part('#facts').replaceChildren(...Object.entries(facts).flatMap(pair));
  part('#command').hidden = !command;
  part('#command code').textContent = command ?? '';
  part('#command button').textContent = 'Copy';
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
await Promise.all([followSettings(showTracking), followPage(), followPilot()]);
