// Shows the two lists of sites, checks what the user writes, and stores both; the service worker puts them in force.

import { button, part } from '../shared/parts.ts';
import { readSites, SITE_KEYS, sitesFrom } from '../shared/sites.ts';

const LISTS = { deniedSites: '#denied', allowedSites: '#allowed' };

const DAMAGED = 'The stored lists are damaged: Gasoline stays out of every site until you save them again.';

/** What is written and not stored. */
let isChanged = false;

export async function followSites() {
  const form = document.querySelector('form') as HTMLFormElement;
  form.addEventListener('input', changed);
  form.addEventListener('submit', save);
  chrome.storage.local.onChanged.addListener((changes) => {
    if (!isChanged && SITE_KEYS.some((key) => Object.hasOwn(changes, key))) void show();
  });
  await show();
}

async function show() {
  const { denied, allowed, damaged } = sitesFrom(await chrome.storage.local.get(SITE_KEYS));
  if (isChanged) return; // the user writes already
  field(LISTS.deniedSites).value = denied.join('\n');
  field(LISTS.allowedSites).value = allowed.join('\n');
  if (damaged) changed();
  if (damaged) state(DAMAGED);
}

function changed() {
  isChanged = true;
  button('#save').disabled = false;
  state('Not saved yet.');
}

/** Store both lists, or neither where a line is no site. */
async function save(event: Event) {
  event.preventDefault();
  const read = Object.entries(LISTS).map(([key, selector]) => [key, readAndMark(selector)] as const);
  if (read.some(([, sites]) => sites === undefined)) return state('Not saved: correct the lines above first.');
  await chrome.storage.local.set(Object.fromEntries(read));
  await chrome.runtime.sendMessage({ name: 'sites_saved' }).catch(() => {}); // what is stored is in force with the next worker
  isChanged = false;
  button('#save').disabled = true;
  await show();
  state('Saved. In force in all open tabs.');
}

/** The sites of a list, undefined where a line is none: each such line is named below the list. */
function readAndMark(selector: string): string[] | undefined {
  const { sites, faults } = readSites(field(selector).value);
  field(selector).ariaInvalid = String(faults.length > 0);
  part(`${selector}-faults`).replaceChildren(
    ...faults.map(({ line, fault }) => {
      const item = document.createElement('li');
      item.textContent = `Line ${line}: ${fault}.`;
      return item;
    }),
  );
  return faults.length ? undefined : sites;
}

const field = (selector: string): HTMLTextAreaElement => part(selector) as HTMLTextAreaElement;

function state(text: string) {
  part('#sites-state').textContent = text;
}
