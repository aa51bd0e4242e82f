// The sites that the user keeps Gasoline out of, as they are now; while they cannot be read every site is excluded.

import { hostOf, isExcluded, SITE_KEYS, type Sites, sitesFrom } from '../../shared/sites.ts';

const UNREAD: Sites = { denied: [], allowed: [], damaged: true };

let reading: Promise<Sites> | undefined;
let current = UNREAD;
let changes = 0;

/** Whether the site of an address is excluded. */
export async function isClosed(address: string): Promise<boolean> {
  return isExcluded(await sites(), address);
}

/** The same at once, for an event that cannot wait. */
export function isClosedNow(address: string): boolean {
  return isExcluded(current, address);
}

/** A listener of `onChanged` of the area that has them; return whether they have changed. */
export function sitesChanged(changed: Record<string, unknown>): boolean {
  if (!SITE_KEYS.some((key) => Object.hasOwn(changed, key))) return false;
  changes++;
  current = UNREAD;
  reading = undefined;
  void sites().catch(() => {});
  return true;
}

/** Read the lists as they are stored now: their change may not have been heard of yet. */
export async function readSitesAgain(): Promise<void> {
  changes++;
  reading = undefined;
  await sites();
}

/** Of an excluded tab nothing but the host is known: the rest of its address, and its title, are the page's. */
export async function withoutPage<T extends chrome.tabs.Tab>(tab: T): Promise<T & { excluded?: string }> {
  const { url = '', pendingUrl = '' } = tab;
  const known = await sites();
  const next = isExcluded(known, pendingUrl) ? { ...tab, pendingUrl: originOf(pendingUrl) } : tab;
  if (!isExcluded(known, url)) return next;
  return { ...next, url: originOf(url), title: '', excluded: hostOf(url) };
}

/** An address as far as it may be known. */
export function addressOf(url: string): string {
  return isClosedNow(url) ? originOf(url) : url;
}

function sites(): Promise<Sites> {
  return (reading ??= read());
}

async function read(): Promise<Sites> {
  const begun = changes;
  try {
    const stored = sitesFrom(await chrome.storage.local.get(SITE_KEYS));
    if (begun === changes) current = stored;
    return stored;
  } catch (fault) {
    if (begun === changes) reading = undefined; // the next call tries again
    throw fault;
  }
}

function originOf(url: string): string {
  const host = hostOf(url);
  return host === 'file://' ? host : `${/^[^:]*/.exec(url.replace(/^(?:blob:|view-source:)+/, ''))?.[0]}://${host}/`;
}
