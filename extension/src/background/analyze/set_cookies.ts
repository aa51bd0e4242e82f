// Reads Set-Cookie headers for the names and flags of their cookies (RFC 6265bis, 5.6); a value goes no further.

export type CookieFlags = {
  called: string;
  secure: boolean;
  http_only: boolean;
  /** Empty: not stated. */
  same_site: '' | 'strict' | 'lax' | 'none';
  path: string;
  has_domain: boolean;
};

const NAME_CHARACTERS = 200;

/** Read one Set-Cookie, served at a path; undefined for one without a name, and one that only removes its cookie. */
export function flagsOf(header: string, path: string, now: number): CookieFlags | undefined {
  const [pair = '', ...rest] = header.split(';');
  const at = pair.indexOf('=');
  const called = pair.slice(0, Math.max(0, at)).trim();
  if (!called) return undefined;
  const attributes = new Map(rest.map(attributeOf));
  if (isRemoval(attributes, now)) return undefined;
  return {
    called: called.slice(0, NAME_CHARACTERS).toWellFormed(),
    secure: attributes.has('secure'),
    http_only: attributes.has('httponly'),
    same_site: sameSiteOf(attributes.get('samesite')),
    path: pathOf(attributes.get('path'), path),
    has_domain: Boolean(attributes.get('domain')),
  };
}

/** The flags of a cookie of Chrome's store. */
export function flagsOfStored(cookie: chrome.cookies.Cookie): CookieFlags {
  const { name, secure, httpOnly, sameSite, path, hostOnly } = cookie;
  return {
    called: name.slice(0, NAME_CHARACTERS).toWellFormed(),
    secure,
    http_only: httpOnly,
    same_site: sameSiteOf({ no_restriction: 'none', lax: 'lax', strict: 'strict', unspecified: '' }[sameSite]),
    path,
    has_domain: !hostOnly,
  };
}

function attributeOf(text: string): [string, string] {
  const [name = '', ...value] = text.split('=');
  return [name.trim().toLowerCase(), value.join('=').trim()];
}

function isRemoval(attributes: Map<string, string>, now: number) {
  const age = attributes.get('max-age');
  if (age !== undefined && /^-?\d+$/.test(age)) return Number(age) <= 0;
  return Date.parse(attributes.get('expires') ?? '') < now;
}

function sameSiteOf(written: string | undefined): CookieFlags['same_site'] {
  const known = written?.toLowerCase();
  return known === 'strict' || known === 'lax' || known === 'none' ? known : '';
}

/** Without one that begins with a slash it is the folder of what was asked for (RFC 6265, 5.1.4). */
function pathOf(written: string | undefined, asked: string) {
  if (written?.startsWith('/')) return written;
  return asked.slice(0, asked.lastIndexOf('/')) || '/';
}
