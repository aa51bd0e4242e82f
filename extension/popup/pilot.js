// Shows the switch of AI Web Pilot and what was done under it; the one place where it is switched, by a human's hand.

import { AUDIT, isPilotOn, PILOT } from '../shared/pilot.js';
import { actWords } from './acts.js';
import { part } from './parts.js';

/** @typedef {import('../shared/pilot.js').AuditEntry} AuditEntry */

/** Show both, now and whenever they change. */
export async function followPilot() {
  const { session, sync } = chrome.storage;
  const input = /** @type {HTMLInputElement} */ (part('#pilot-switch'));
  const show = async () => {
    input.checked = isPilotOn(await sync.get(PILOT));
  };
  input.addEventListener('change', ({ isTrusted }) => isTrusted && sync.set({ [PILOT]: input.checked }).catch(show));
  sync.onChanged.addListener(show);
  session.onChanged.addListener(({ [AUDIT]: changed }) => changed && showActs(/** @type {AuditEntry[]} */ (changed.newValue)));
  await show();
  input.disabled = false;
  showActs(/** @type {AuditEntry[] | undefined} */ ((await session.get(AUDIT))[AUDIT]));
}

/** @param {AuditEntry[]} [entries]  newest first */
function showActs(entries = []) {
  part('#acts').hidden = !entries.length;
  const [last] = entries;
  if (!last) return;
  part('#acts summary').replaceChildren('Last: ', line(last));
  part('#acts ol').replaceChildren(...entries.map((entry) => wrapped('li', line(entry))));
}

/**
 * @param {AuditEntry} entry
 * @returns {HTMLElement}
 */
function line(entry) {
  const { what, more } = actWords(entry);
  const whole = document.createElement('span');
  const bold = document.createElement('strong');
  bold.textContent = what;
  whole.append(bold, ` ${more}`);
  return whole;
}

/**
 * @param {string} tag
 * @param {Node} child
 */
function wrapped(tag, child) {
  const made = document.createElement(tag);
  made.append(child);
  return made;
}
