// Decides which cookies are a page's, and how each is set again.
//
// Cookies have no ports: those of `localhost:3000` are those of `localhost:4000` too (RFC 6265, 8.5).

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

/** Whether a page may use a cookie, on any path, and whether or not its scripts may read it. */
export function belongs(cookie: Cookie, page: URL): boolean {
  return isOfHost(cookie, page.hostname) && isOfPartition(cookie, page) && (!cookie.secure || isTrustworthy(page));
}

/**
 * The arguments of `chrome.cookies.remove`. The host is the page's own: with that of the cookie, one of a parent domain
 * would remove cookies too that only the parent may use.
 */
export function nameOf(cookie: Cookie, page: URL, storeId: string): chrome.cookies.CookieDetails {
  const { name, path, partitionKey } = cookie;
  return { url: `${page.protocol}//${page.hostname}${path}`, name, storeId, ...(partitionKey && { partitionKey }) };
}

/** The arguments of `chrome.cookies.set`. */
export function settingOf(cookie: Cookie, page: URL, storeId: string): chrome.cookies.SetDetails {
  const { value, domain, hostOnly, path, secure, httpOnly, sameSite, session, expirationDate } = cookie;
  return {
    ...nameOf(cookie, page, storeId),
    ...{ value, path, secure, httpOnly, sameSite },
    ...(!hostOnly && { domain }),
    ...(!session && expirationDate !== undefined && { expirationDate }),
  };
}

/** Why a cookie cannot be set, as far as it is known before an attempt (RFC 6265bis, 5.7). `now` in seconds. */
export function objectionTo(cookie: Cookie, page: URL, now: number): string | undefined {
  const { name, hostOnly, path, secure, sameSite, session, expirationDate = now } = cookie;
  if (!session && expirationDate <= now) return 'expired';
  if (secure && !isTrustworthy(page)) return 'Secure, on a page of http';
  if (/^__(Secure|Host)-/i.test(name) && !secure) return 'its name demands Secure';
  if (/^__Host-/i.test(name) && (!hostOnly || path !== '/')) return 'its name demands the path / and no domain';
  if (sameSite === 'no_restriction' && !secure) return 'SameSite=None demands Secure';
  return undefined;
}

/** It is the host's own, or one of a parent domain. */
function isOfHost({ domain, hostOnly }: Cookie, host: string): boolean {
  const bare = domain.replace(/^\./, '');
  return host === bare || (!hostOnly && host.endsWith(`.${bare}`));
}

/** It is in no partition, or in that of the page itself; others belong to embedded pages. */
function isOfPartition({ partitionKey }: Cookie, { protocol, hostname }: URL): boolean {
  if (!partitionKey?.topLevelSite) return true;
  const site = new URL(partitionKey.topLevelSite);
  const within = hostname === site.hostname || hostname.endsWith(`.${site.hostname}`);
  return within && protocol === site.protocol && !partitionKey.hasCrossSiteAncestor;
}

/** Chrome allows it Secure cookies: https, and this machine. */
function isTrustworthy({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(.+\.)?localhost$|^127\.|^\[::1\]$/.test(hostname);
}
