// Gathers the performance evidence of a tab: what its page measured, and what only Chrome's log and requests state.

import type { Gather } from './analyze.ts';
import { cacheHeadersOf } from './cache_headers.ts';
import { documentResponses } from './document_responses.ts';
import { askDocument, placeOf } from './page_calls.ts';
import { unusedPreloads } from './unused_preloads.ts';

const NOT_WATCHED = 'caching: refresh and analyze again';
const NO_LOG = "preloads: Chrome's log came too late";

/** What a page would rather load once. */
const STATIC = ['script', 'style', 'image', 'font'];

type Resource = { address: string; kind: string };

export const performanceOf: Gather = async (page, { scope }) => {
  const place = placeOf(page.tab, page.document);
  const headers = cacheHeadersOf(page.tab.id);
  const { preloads, loaded_ms, load, unknown, ...measured } = await askDocument(place, 'performance_evidence');
  const left = page.until - performance.now();
  const isOfLoad = scope === 'load'; // one of many loads, whose numbers alone are needed
  const unused = preloads.length && !isOfLoad ? await unusedPreloads(page.tab, loaded_ms, left) : [];
  const type = (await documentResponses.find(page.tab.id, load))?.headers.find(
    ({ called }) => called === 'content-type',
  );
  const resources: (Resource & { cache?: string })[] = measured.resources.map((one: Resource) => cacheOf(one, headers));
  return {
    ...measured,
    resources,
    dom: { ...measured.dom, ...(!measured.dom.has_charset && { has_charset: !type || /charset=/i.test(type.holds) }) },
    ...(unused && { unused_preloads: unused.map((url) => url.split(/[?#]/)[0]) }),
    unknown: [...unknown, ...(isUnseen(resources) ? [NOT_WATCHED] : []), ...(unused ? [] : [NO_LOG])],
  };
};

function cacheOf(one: Resource, headers: Map<string, string> | undefined) {
  const cache = headers?.get(one.address);
  return cache === undefined ? one : { ...one, cache };
}

/** Whether the page loaded files before its tab was watched. */
function isUnseen(resources: (Resource & { cache?: string })[]): boolean {
  const files = resources.filter(({ kind }) => STATIC.includes(kind));
  return files.length > 0 && files.every(({ cache }) => cache === undefined);
}
