// Reads and replaces the cookies that a tab's page may use; it must touch no other, and tell no value.

import type { Tab } from '../tabs/tabs.ts';
import { belongs, type Cookie, nameOf, objectionTo, settingOf } from './cookie_rules.ts';

export type RefusedCookie = { kind: 'cookie'; name: string; reason: string };

/** The longest name that an answer tells. */
const NAME_CHARACTERS = 200;

/** @param page the address of its page */
export async function readCookies(tab: Tab, page: URL): Promise<chrome.cookies.Cookie[]> {
  const all = await chrome.cookies.getAll({ storeId: await storeOf(tab), partitionKey: {} }); // {}: of every partition, and of none
  return all.filter((cookie) => belongs(cookie, page));
}

/** Remove the cookies that a page may use, and set others in their place. */
export async function replaceCookies(
  tab: Tab,
  page: URL,
  cookies: Cookie[],
): Promise<{ count: number; refused: RefusedCookie[] }> {
  const storeId = await storeOf(tab);
  const old = await readCookies(tab, page);
  await Promise.all(old.map((cookie) => chrome.cookies.remove(nameOf(cookie, page, storeId))));
  const reasons = await Promise.all(cookies.map((cookie) => refusalOf(cookie, page, storeId)));
  const refused = cookies.flatMap(({ name }, at) => {
    const reason = reasons[at];
    return reason ? [{ kind: 'cookie' as const, name: name.slice(0, NAME_CHARACTERS).toWellFormed(), reason }] : [];
  });
  return { count: cookies.length - refused.length, refused };
}

/**
 * Set a cookie.
 * @returns why it could not be set; Chrome's own words tell no more than that
 */
async function refusalOf(cookie: Cookie, page: URL, storeId: string): Promise<string | undefined> {
  const objection = objectionTo(cookie, page, Date.now() / 1000);
  if (objection) return objection;
  try {
    return (await chrome.cookies.set(settingOf(cookie, page, storeId))) ? undefined : 'refused by Chrome';
  } catch {
    return 'refused by Chrome';
  }
}

/** Returns an incognito window has cookies of its own */
async function storeOf(tab: Tab): Promise<string> {
  const stores = await chrome.cookies.getAllCookieStores();
  return stores.find(({ tabIds }) => tabIds.includes(tab.id))?.id ?? (tab.incognito ? '1' : '0');
}
