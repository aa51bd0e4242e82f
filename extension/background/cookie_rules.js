// Decides which cookies are a page's, and how each is set again; it must ask nothing of Chrome.
//
// Cookies know no ports: those of `localhost:3000` are those of `localhost:4000` too (RFC 6265, 8.5).

/** @typedef {Pick<chrome.cookies.Cookie, 'name' | 'value' | 'domain' | 'hostOnly' | 'path' | 'secure' | 'httpOnly' | 'sameSite' | 'session' | 'expirationDate' | 'partitionKey'>} Cookie */

/**
 * Say whether a page may use a cookie, on whatever path and whether its scripts may see it or not.
 * @param {Cookie} cookie
 * @param {URL} page
 * @returns {boolean}
 */
export function belongs(cookie, page) {
  return isOfHost(cookie, page.hostname) && isOfPartition(cookie, page) && (!cookie.secure || isTrustworthy(page));
}

/**
 * Say how a cookie is named to `chrome.cookies.remove`. It is asked for at the page's own host: at the cookie's, one of
 * a parent domain would take along what only that parent may use.
 * @param {Cookie} cookie
 * @param {URL} page
 * @param {string} storeId
 * @returns {chrome.cookies.CookieDetails}
 */
export function nameOf(cookie, page, storeId) {
  const { name, path, partitionKey } = cookie;
  return { url: `${page.protocol}//${page.hostname}${path}`, name, storeId, ...(partitionKey && { partitionKey }) };
}

/**
 * Say how a cookie is set again.
 * @param {Cookie} cookie
 * @param {URL} page
 * @param {string} storeId
 * @returns {chrome.cookies.SetDetails}
 */
export function settingOf(cookie, page, storeId) {
  const { value, domain, hostOnly, path, secure, httpOnly, sameSite, session, expirationDate } = cookie;
  return {
    ...nameOf(cookie, page, storeId),
    ...{ value, path, secure, httpOnly, sameSite },
    ...(!hostOnly && { domain }),
    ...(!session && expirationDate !== undefined && { expirationDate }),
  };
}

/**
 * Say why a cookie cannot be set, as far as it can be known before it is tried (RFC 6265bis, 5.7).
 * @param {Cookie} cookie
 * @param {URL} page
 * @param {number} now  seconds since the epoch
 * @returns {string | undefined}
 */
export function objectionTo(cookie, page, now) {
  const { name, hostOnly, path, secure, sameSite, session, expirationDate = now } = cookie;
  if (!session && expirationDate <= now) return 'expired';
  if (secure && !isTrustworthy(page)) return 'Secure, on a page of http';
  if (/^__(Secure|Host)-/i.test(name) && !secure) return 'its name demands Secure';
  if (/^__Host-/i.test(name) && (!hostOnly || path !== '/')) return 'its name demands the path / and no domain';
  if (sameSite === 'no_restriction' && !secure) return 'SameSite=None demands Secure';
  return undefined;
}

/**
 * @param {Cookie} cookie
 * @param {string} host
 * @returns {boolean}  it is the host's own, or one of a domain around it
 */
function isOfHost({ domain, hostOnly }, host) {
  const bare = domain.replace(/^\./, '');
  return host === bare || (!hostOnly && host.endsWith(`.${bare}`));
}

/**
 * @param {Cookie} cookie
 * @param {URL} page
 * @returns {boolean}  it is in no partition, or in that of the page as a tab's own; others are for what it embeds
 */
function isOfPartition({ partitionKey }, { protocol, hostname }) {
  if (!partitionKey?.topLevelSite) return true;
  const site = new URL(partitionKey.topLevelSite);
  const within = hostname === site.hostname || hostname.endsWith(`.${site.hostname}`);
  return within && protocol === site.protocol && !partitionKey.hasCrossSiteAncestor;
}

/**
 * @param {URL} page
 * @returns {boolean}  Chrome lets it have Secure cookies: https, and this machine
 */
function isTrustworthy({ protocol, hostname }) {
  return protocol === 'https:' || /^(.+\.)?localhost$|^127\.|^\[::1\]$/.test(hostname);
}
