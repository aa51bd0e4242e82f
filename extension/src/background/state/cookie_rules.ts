// Decides which cookies are a page's, and how each is set again; it must ask nothing of Chrome.
//
// Cookies know no ports: those of `localhost:3000` are those of `localhost:4000` too (RFC 6265, 8.5).

export type Cookie = Pick<
  chrome.cookies.Cookie,
  | 'name'
  | 'value'
  | 'domain'
  | 'hostOnly'
  | 'path'
  | 'secure'
  | 'httpOnly'
  | 'sameSite'
  | 'session'
  | 'expirationDate'
  | 'partitionKey'
>;

/** Say whether a page may use a cookie, on whatever path and whether its scripts may see it or not. */
export function belongs(cookie: Cookie, page: URL): boolean {
  return isOfHost(cookie, page.hostname) && isOfPartition(cookie, page) && (!cookie.secure || isTrustworthy(page));
}

/**
 * Say how a cookie is named to `chrome.cookies.remove`. It is asked for at the page's own host: at the cookie's, one of
 * a parent domain would take along what only that parent may use.
 */
export function nameOf(cookie: Cookie, page: URL, storeId: string): chrome.cookies.CookieDetails {
  const { name, path, partitionKey } = cookie;
  return { url: `${page.protocol}//${page.hostname}${path}`, name, storeId, ...(partitionKey && { partitionKey }) };
}

/** Say how a cookie is set again. */
export function settingOf(cookie: Cookie, page: URL, storeId: string): chrome.cookies.SetDetails {
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
 * @param now seconds since the epoch
 */
export function objectionTo(cookie: Cookie, page: URL, now: number): string | undefined {
  const { name, hostOnly, path, secure, sameSite, session, expirationDate = now } = cookie;
  if (!session && expirationDate <= now) return 'expired';
  if (secure && !isTrustworthy(page)) return 'Secure, on a page of http';
  if (/^__(Secure|Host)-/i.test(name) && !secure) return 'its name demands Secure';
  if (/^__Host-/i.test(name) && (!hostOnly || path !== '/')) return 'its name demands the path / and no domain';
  if (sameSite === 'no_restriction' && !secure) return 'SameSite=None demands Secure';
  return undefined;
}

/** Returns it is the host's own, or one of a domain around it */
function isOfHost({ domain, hostOnly }: Cookie, host: string): boolean {
  const bare = domain.replace(/^\./, '');
  return host === bare || (!hostOnly && host.endsWith(`.${bare}`));
}

/** Returns it is in no partition, or in that of the page as a tab's own; others are for what it embeds */
function isOfPartition({ partitionKey }: Cookie, { protocol, hostname }: URL): boolean {
  if (!partitionKey?.topLevelSite) return true;
  const site = new URL(partitionKey.topLevelSite);
  const within = hostname === site.hostname || hostname.endsWith(`.${site.hostname}`);
  return within && protocol === site.protocol && !partitionKey.hasCrossSiteAncestor;
}

/** Returns Chrome lets it have Secure cookies: https, and this machine */
function isTrustworthy({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(.+\.)?localhost$|^127\.|^\[::1\]$/.test(hostname);
}
