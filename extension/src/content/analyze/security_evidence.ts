// Gathers the security evidence of a page: names, addresses and flags; no value of a field, a cookie or a storage.

import { nameOf } from '../dom/naming.ts';
import { nodes } from '../dom/nodes.ts';
import { search, type Tree, treesOf } from '../dom/search.ts';
import { clip } from '../dom/text.ts';
import { bareAddress, loadOf, parameterNames } from './addresses.ts';

type PartKind = 'script' | 'stylesheet' | 'frame' | 'object' | 'image' | 'media';

/** The elements that load something, by what that is, and the attribute that names it. */
const LOADING: [string, string, PartKind][] = [
  ['script[src]', 'src', 'script'],
  ['link[rel~="stylesheet" i][href]', 'href', 'stylesheet'],
  ['iframe[src], frame[src]', 'src', 'frame'],
  ['embed[src]', 'src', 'object'],
  ['object[data]', 'data', 'object'],
  ['img[src]', 'src', 'image'],
  ['audio[src], video[src], source[src]', 'src', 'media'],
];

/** The most of each kind that is looked at. */
const MOST = 500;
const POLICY_CHARACTERS = 4_000;
const NAME_CHARACTERS = 200;

const SECRET_FIELDS =
  'input[type="password" i], input[autocomplete~="current-password" i], input[autocomplete~="new-password" i]';

type Parameter = { called: string; place: 'page' | 'link' | 'request'; address: string };

export function securityEvidence(): object {
  const trees = treesOf(document);
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return {
    url: bareAddress(location.href) || `${location.protocol}//`,
    load: loadOf(navigation),
    metas: metasOf(),
    stored: [...keysOf('localStorage'), ...keysOf('sessionStorage')],
    forms: elementsOf(trees, 'form').map(formOf).filter(isSent),
    parts: LOADING.flatMap(([css, attribute, kind]) =>
      elementsOf(trees, css).map((one) => partOf(one, attribute, kind)),
    ),
    parameters: parametersOf(trees),
  };
}

function elementsOf(trees: Tree[], css: string): Element[] {
  return [...search(trees, css).values()].flatMap((found) => [...found]).slice(0, MOST);
}

/** Only those of the page's own document count, and of these only the ones that its head has (CSP 3, 3.3). */
function metasOf() {
  const contents = (css: string) =>
    [...nodes.within(document.documentElement, css)].map((meta) => nodes.attribute(meta, 'content') ?? '');
  return {
    policies: contents('head > meta[http-equiv="Content-Security-Policy" i]').map(withoutNonces),
    referrers: contents('meta[name="referrer" i]').map((text) => clip(text, NAME_CHARACTERS)),
  };
}

function withoutNonces(policy: string) {
  return clip(policy.replace(/'nonce-[^']*'/gi, "'nonce-'"), POLICY_CHARACTERS);
}

/** A sandboxed page has no storage, and the user may have blocked it. */
function keysOf(area: 'localStorage' | 'sessionStorage') {
  try {
    const storage = window[area];
    const count = Math.min(storage.length, MOST);
    return Array.from({ length: count }, (_, at) => ({ called: clip(storage.key(at) ?? '', NAME_CHARACTERS), area }));
  } catch {
    return [];
  }
}

function formOf(form: Element) {
  const action = nodes.attribute(form, 'action');
  const method = nodes.attribute(form, 'method');
  const home = form.ownerDocument.baseURI;
  return {
    selector: nameOf(form),
    address: bareAddress(URL.parse(action ?? '', home)?.href ?? ''),
    method: (method ?? 'get').toLowerCase(),
    asks_secret: nodes.within(form, SECRET_FIELDS).length > 0,
    is_written: action !== null || method !== null,
  };
}

function isSent({ method }: { method: string }) {
  return method !== 'dialog';
}

function partOf(element: Element, attribute: string, kind: PartKind) {
  const address = bareAddress(
    URL.parse(nodes.attribute(element, attribute) ?? '', element.ownerDocument.baseURI)?.href ?? '',
  );
  return { kind, address, has_integrity: Boolean(nodes.attribute(element, 'integrity')) };
}

/** Each name once for each place. */
function parametersOf(trees: Tree[]): Parameter[] {
  const links = elementsOf(trees, 'a[href]').map((link) => nodes.attribute(link, 'href') ?? '');
  const requests = performance.getEntriesByType('resource').map(({ name }) => name);
  const all = [
    ...named('page', [location.href]),
    ...named('link', links),
    ...named(
      'request',
      requests.filter((url) => !url.startsWith('chrome-extension:')),
    ),
  ];
  return [...new Map(all.map((one) => [`${one.place} ${one.called}`, one])).values()].slice(0, MOST);
}

function named(place: Parameter['place'], written: string[]): Parameter[] {
  return written.flatMap((one) => parameterNames(one).map((called) => ({ called, place, address: bareAddress(one) })));
}
