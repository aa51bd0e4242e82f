// Reads and replaces the cookies that a tab's page may use; it must touch no other, and tell no value.

import { belongs, nameOf, objectionTo, settingOf } from './cookie_rules.js';

/** @typedef {import('./cookie_rules.js').Cookie} Cookie */
/** @typedef {import('./tabs.js').Tab} Tab */
/** @typedef {{kind: 'cookie', name: string, reason: string}} RefusedCookie */

/** The longest name that an answer tells. */
const NAME_CHARACTERS = 200;

/**
 * @param {Tab} tab
 * @param {URL} page  the address of its page
 * @returns {Promise<chrome.cookies.Cookie[]>}
 */
export async function readCookies(tab, page) {
  const all = await chrome.cookies.getAll({ storeId: await storeOf(tab), partitionKey: {} }); // {}: of every partition, and of none
  return all.filter((cookie) => belongs(cookie, page));
}

/**
 * Remove the cookies that a page may use, and set others in their place.
 * @param {Tab} tab
 * @param {URL} page
 * @param {Cookie[]} cookies
 * @returns {Promise<{count: number, refused: RefusedCookie[]}>}
 */
export async function replaceCookies(tab, page, cookies) {
  const storeId = await storeOf(tab);
  const old = await readCookies(tab, page);
  await Promise.all(old.map((cookie) => chrome.cookies.remove(nameOf(cookie, page, storeId))));
  const reasons = await Promise.all(cookies.map((cookie) => refusalOf(cookie, page, storeId)));
  const refused = cookies.flatMap(({ name }, at) => {
    const reason = reasons[at];
    return reason ? [{ kind: /** @type {const} */ ('cookie'), name: name.slice(0, NAME_CHARACTERS).toWellFormed(), reason }] : [];
  });
  return { count: cookies.length - refused.length, refused };
}

/**
 * Set a cookie.
 * @param {Cookie} cookie
 * @param {URL} page
 * @param {string} storeId
 * @returns {Promise<string | undefined>}  why it could not be set; Chrome's own words tell no more than that
 */
async function refusalOf(cookie, page, storeId) {
  const objection = objectionTo(cookie, page, Date.now() / 1000);
  if (objection) return objection;
  try {
    return (await chrome.cookies.set(settingOf(cookie, page, storeId))) ? undefined : 'refused by Chrome';
  } catch {
    return 'refused by Chrome';
  }
}

/**
 * @param {Tab} tab
 * @returns {Promise<string>}  an incognito window has cookies of its own
 */
async function storeOf(tab) {
  const stores = await chrome.cookies.getAllCookieStores();
  return stores.find(({ tabIds }) => tabIds.includes(tab.id))?.id ?? (tab.incognito ? '1' : '0');
}
