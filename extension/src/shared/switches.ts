// Ties the switches of a page to the settings that they name; it must not put a setting into effect: the worker does.

import { KEYS, type Switch, type Values, valuesFrom } from './settings.ts';

/**
 * Show the settings now and whenever they change, and store what the human switches. `changed` is called with the
 * settings, at first and after every change.
 */
export async function followSettings(changed: (values: Values) => void = () => {}): Promise<void> {
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

function switches(): NodeListOf<HTMLInputElement> {
  return document.querySelectorAll('input[data-setting]');
}

function nameOf(input: HTMLInputElement) {
  return input.dataset.setting as Switch;
}
