// Shows the state of the link while the popup is open; it must decide nothing: the worker knows, `words.js` says.

import { STATE_PORT } from '../shared/states.js';
import { wordsFor } from './words.js';

/** @typedef {import('../shared/states.js').LinkState} LinkState */

/**
 * @param {string} selector
 * @returns {HTMLElement}
 */
const part = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector));

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

/** @param {[string, string]} fact */
function pair([name, value]) {
  const [term, description] = [document.createElement('dt'), document.createElement('dd')];
  term.textContent = name;
  description.textContent = value;
  return [term, description];
}

async function copy() {
  await navigator.clipboard.writeText(part('#command code').textContent ?? '');
  part('#command button').textContent = 'Copied';
}

part('#version').textContent = chrome.runtime.getManifest().version;
part('#command button').addEventListener('click', copy);
follow();
