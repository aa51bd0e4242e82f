// Opens the first-run page after a person has installed the extension, and notes when an assistant first asks something.

import { ASKED } from '../shared/asked.ts';
import { packedId } from '../shared/packed_copy.ts';
import { readInstall } from './link/install.ts';

const PAGE = 'welcome/welcome.html';

let isNoted = false;

/** Open the page, unless a program has installed the extension, which has no person to guide; a store has one. */
export async function openFirstRun({ reason }: chrome.runtime.InstalledDetails) {
  if (reason === 'install' && (await isGuided())) await chrome.tabs.create({ url: chrome.runtime.getURL(PAGE) });
}

/** Note that an assistant has asked something, for that page; once. */
export async function noteAsked() {
  if (isNoted) return;
  isNoted = true;
  if (await isGuided()) await chrome.storage.local.set({ [ASKED]: true });
}

const isGuided = async () => packedId() !== undefined || (await readInstall())?.welcome === true;
