// Reads and replaces the cookies that a tab's page may use, and no others. No value leaves the browser.

import type { Tab } from '../tabs/tabs.ts';
import { belongs, type Cookie, nameOf, objectionTo, settingOf } from './cookie_rules.ts';

type RefusedCookie = { kind: 'cookie'; name: string; reason: string };

/** The longest name in a reply. */
const NAME_CHARACTERS = 200;

export async function readCookies(tab: Tab, page: URL): Promise<chrome.cookies.Cookie[]> {
  const all = await chrome.cookies.getAll({ storeId: await storeOf(tab), partitionKey: {} }); // {}: of every partition, and without one
  return all.filter((cookie) => belongs(cookie, page));
}

export async function replaceCookies(
  tab: Tab,
  page: URL,
  cookies: Cookie[],
): Promise<{ count: number; refused: RefusedCookie[] }> {
  const storeId = await storeOf(tab);
  const old = await readCookies(tab, page);
  await Promise.all(old.map((cookie) => chrome.cookies.remove(nameOf(cookie, page, storeId))));
  const reasons = await Promise.all(cookies.map((cookie) => setCookie(cookie, page, storeId)));
  const refused = cookies.flatMap(({ name }, at) => {
    const reason = reasons[at];
    return reason ? [{ kind: 'cookie' as const, name: name.slice(0, NAME_CHARACTERS).toWellFormed(), reason }] : [];
  });
  return { count: cookies.length - refused.length, refused };
}

/** Set a cookie; give the reason if that fails. Chrome's own message has no more than that. */
async function setCookie(cookie: Cookie, page: URL, storeId: string): Promise<string | undefined> {
  const objection = objectionTo(cookie, page, Date.now() / 1000);
  if (objection) return objection;
  try {
    return (await chrome.cookies.set(settingOf(cookie, page, storeId))) ? undefined : 'refused by Chrome';
  } catch {
    return 'refused by Chrome';
  }
}

/** A private window has cookies of its own. */
async function storeOf(tab: Tab): Promise<string> {
  const stores = await chrome.cookies.getAllCookieStores();
  return stores.find(({ tabIds }) => tabIds.includes(tab.id))?.id ?? (tab.incognito ? '1' : '0');
}
