// Shortens addresses for the evidence of an analysis: no query and no fragment, whose values may be secrets.

import { getterOf } from '../dom/nodes.ts';
import { clip } from '../dom/text.ts';

/** Through the getter: an element of the page may be called so. */
const baseOf = getterOf(() => Node, 'baseURI');

const ADDRESS_CHARACTERS = 300;
const NAME_CHARACTERS = 100;

/** The absolute address without user, query and fragment; empty for what is no address of the web. */
export function bareAddress(written: string): string {
  const url = URL.parse(written, baseOf(document));
  if (!url || !/^(https?|wss?|ftp):$/.test(url.protocol)) return '';
  return clip(`${url.protocol}//${url.host}${pathOf(url)}`, ADDRESS_CHARACTERS);
}

/** What the page states of its own load, by which its response is found among those that the worker has seen. */
export function loadOf(navigation: PerformanceNavigationTiming | undefined): object {
  return {
    url: navigation?.name ?? location.href,
    begun: performance.timeOrigin,
    answered: performance.timeOrigin + (navigation?.responseStart ?? 0),
    by_worker: (navigation?.workerStart ?? 0) > 0,
  };
}

/** The names of the parameters in an address: of its query, its path, and a fragment that is written as a query. */
export function parameterNames(written: string): string[] {
  const url = URL.parse(written, baseOf(document));
  if (!url) return [];
  const fragment = /^#[^/!]*=/.test(url.hash) ? url.hash.slice(1) : '';
  const inPath = url.pathname.split(';').slice(1);
  const names = [...url.searchParams.keys(), ...new URLSearchParams(fragment).keys(), ...inPath.map(nameOf)];
  return names.filter(Boolean).map((name) => clip(name, NAME_CHARACTERS));
}

function nameOf(pair: string) {
  return pair.includes('=') ? (pair.split('=')[0] ?? '') : '';
}

/** A parameter of a path (RFC 3986, 3.3) may be a session's id. */
function pathOf({ pathname }: URL) {
  return pathname.replace(/;[^/]*/g, '');
}
