// The user's two lists of sites, one of which Gasoline keeps out of: what a line means, and whether an address is excluded.
//
// A line is a host, `*.` and a host (it and all below it), either with a port, or `file://`. It must ask nothing of Chrome.

/** `damaged`: what is stored is no list of sites; then every site is excluded. */
export type Sites = { denied: string[]; allowed: string[]; damaged: boolean };

/** A line that is no site, and what is wrong with it. */
type LineFault = { line: number; fault: string };

type Site = { host: string; below: boolean; port: string };

/** Of one list: Chrome keeps the patterns of a registered script in memory, for each process. */
export const MOST_SITES = 500;

/** What is stored. */
export const SITE_KEYS = ['deniedSites', 'allowedSites'];

export const NO_SITES: Sites = { denied: [], allowed: [], damaged: false };

const FILES = 'file://';
const DEFAULT_PORTS: Record<string, string> = { 'http:': '80', 'ws:': '80', 'https:': '443', 'wss:': '443' };
const EXAMPLE = 'for example "bank.example", "*.bank.example" or "localhost:3000"';

/** Read the lists from what is stored. */
export function sitesFrom({ deniedSites: denied = [], allowedSites: allowed = [] }: Record<string, unknown>): Sites {
  if (areSites(denied) && areSites(allowed)) return { denied, allowed, damaged: false };
  return { ...NO_SITES, damaged: true };
}

/** Read what the user has written, a site in each line; empty lines and repeated ones are left out. */
export function readSites(text: string): { sites: string[]; faults: LineFault[] } {
  const sites: Set<string> = new Set();
  const faults: LineFault[] = [];
  for (const [at, written] of text.split('\n').entries()) {
    const line = written.trim();
    const fault = line && faultIn(line);
    if (fault) faults.push({ line: at + 1, fault });
    else if (line) sites.add(normal(line));
  }
  const extra = sites.size - MOST_SITES;
  if (extra > 0) faults.push({ line: MOST_SITES + 1, fault: `a list has at most ${MOST_SITES} sites; ${extra} less` });
  return { sites: [...sites], faults };
}

/** Whether the user keeps Gasoline out of the site of an address; one that names no site, as `about:blank`, is of none. */
export function isExcluded({ denied, allowed, damaged }: Sites, address: string): boolean {
  if (!damaged && !denied.length && !allowed.length) return false;
  const url = siteUrlOf(address);
  if (!url) return false;
  if (damaged) return true;
  const isListed = (line: string) => fits(line, url);
  return denied.some(isListed) || (allowed.length > 0 && !allowed.some(isListed));
}

/** The first of some addresses that names a site: that of a frame, then those of the pages around it. */
export function siteAmong(addresses: (string | undefined)[]): string {
  return addresses.find((address) => address && siteUrlOf(address)) ?? '';
}

/** Name a site as the user knows it. */
export function hostOf(address: string): string {
  const url = siteUrlOf(address);
  return url?.protocol === 'file:' ? FILES : (url?.host ?? '');
}

/** The patterns of the pages that are denied, for a content script; none while there is no such page. */
export function deniedPatterns({ denied, damaged }: Sites): string[] {
  return damaged ? ['<all_urls>'] : denied.map(patternOf);
}

/** The patterns of the pages that alone are allowed; none while all are. */
export function allowedPatterns({ allowed }: Sites): string[] {
  return allowed.map(patternOf);
}

function areSites(list: unknown): list is string[] {
  return Array.isArray(list) && list.every((line) => typeof line === 'string' && line !== '' && !faultIn(line));
}

/** A fault of a line, undefined for a site. */
function faultIn(line: string): string | undefined {
  if (line === FILES) return undefined;
  const quoted = JSON.stringify(line.slice(0, 80));
  if (/\s/.test(line)) return `${quoted} has a space in it: one site a line, ${EXAMPLE}`;
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(line)?.[0];
  if (scheme) return `${quoted} is an address: write only its host, ${hostIn(line) ?? EXAMPLE}`;
  const { below, rest } = partsOf(line);
  if (!rest || rest === '*') return `${quoted} names no site: write a host, ${EXAMPLE}`;
  if (rest.includes('*')) return `${quoted}: * may only be at the beginning, as in "*.bank.example"`;
  if (/[/?#\\@]/.test(rest))
    return `${quoted} has more than a host: write only its host, ${hostIn(`x://${line}`) ?? EXAMPLE}`;
  const port = /:(\d*)$/.exec(rest)?.[1];
  if (port !== undefined && !(Number(port) >= 1 && Number(port) <= 65_535)) return `${quoted}: a port is 1 to 65535`;
  if (!URL.canParse(`http://${rest}`)) return `${quoted} is no host: write one, ${EXAMPLE}`;
  const { hostname } = new URL(`http://${rest}`);
  if (below && /^[\d.]+$|^\[/.test(hostname)) return `${quoted}: there is nothing below a number, leave *. out`;
  return undefined;
}

const hostIn = (address: string): string | undefined => {
  const host = /^[^:]*:\/\/(?:[^/?#@]*@)?([^/?#]+)/.exec(address)?.[1];
  return host && !faultIn(host) ? `"${host}"` : undefined;
};

function partsOf(line: string) {
  const below = line.startsWith('*.');
  return { below, rest: below ? line.slice(2) : line };
}

/** As it is stored: a host as Chrome writes it in addresses. */
function normal(line: string): string {
  if (line === FILES) return FILES;
  const { host, below, port } = siteIn(line);
  return `${below ? '*.' : ''}${host}${port && `:${port}`}`;
}

function siteIn(line: string): Site {
  const { below, rest } = partsOf(line);
  const port = /:(\d+)$/.exec(rest)?.[1] ?? '';
  return { host: withoutDot(new URL(`http://${rest}`).hostname), below, port: port && String(Number(port)) };
}

function patternOf(line: string): string {
  return line === FILES ? 'file:///*' : `*://${line}/*`;
}

function fits(line: string, url: URL): boolean {
  if (line === FILES || url.protocol === 'file:') return line === FILES && url.protocol === 'file:';
  const { host, below, port } = siteIn(line);
  const hostname = withoutDot(url.hostname);
  const isHost = hostname === host || (below && hostname.endsWith(`.${host}`));
  return isHost && (!port || port === (url.port || DEFAULT_PORTS[url.protocol]));
}

/** `bank.example.` is `bank.example`. */
const withoutDot = (hostname: string): string => hostname.replace(/\.$/, '');

/** The address that names the site of another one: what a page has made (`blob:`) is of its site. */
function siteUrlOf(address: string): URL | undefined {
  const text = address.replace(/^(?:blob:|filesystem:|view-source:)+/i, '');
  if (!/^(?:https?|wss?|file):/i.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text);
}
