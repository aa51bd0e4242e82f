// Ties the switches of a page to the settings that they name; it must not put a setting into effect: the worker does.

import { KEYS, valuesFrom } from '../shared/settings.js';

/** @typedef {import('../shared/settings.js').Values} Values */
/** @typedef {import('../shared/settings.js').Switch} Switch */

/**
 * Show the settings now and whenever they change, and store what the human switches.
 * @param {(values: Values) => void} [changed]  called with the settings, at first and after every change
 * @returns {Promise<void>}
 */
export async function followSettings(changed = () => {}) {
  const { local } = chrome.storage;
  const show = async () => {
    const values = valuesFrom(await local.get(KEYS));
    for (const input of switches()) input.checked = values[nameOf(input)];
    changed(values);
  };
  for (const input of switches()) input.addEventListener('change', () => local.set({ [nameOf(input)]: input.checked }));
  local.onChanged.addListener(show);
  await show();
}

/** @returns {NodeListOf<HTMLInputElement>} */
function switches() {
  return document.querySelectorAll('input[data-setting]');
}

/** @param {HTMLInputElement} input */
function nameOf(input) {
  return /** @type {Switch} */ (input.dataset.setting);
}
