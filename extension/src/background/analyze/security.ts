// Gathers the security evidence of a tab: what its page holds, the headers of its document, the flags of its cookies.

import { readCookies } from '../state/cookies.ts';
import type { Gather } from './analyze.ts';
import { documentResponses, type Load } from './document_responses.ts';
import { askDocument, placeOf } from './page_calls.ts';
import { flagsOfStored } from './set_cookies.ts';

/** A worker that passes on what its server sends does so by a request of its own, which is no document's. */
const BY_WORKER = 'a service worker answered in the place of the server';

/** The most cookies of the store that are judged. */
const COOKIES = 200;

export const security: Gather = async (page) => {
  const { load, ...held } = await askDocument(placeOf(page.tab, page.document), 'security_evidence');
  const response = await responseOf(page.tab.id, load);
  const jar = await readCookies(page.tab, new URL(load.url || held.url)).catch(() => []);
  return { ...held, ...response, jar: jar.slice(0, COOKIES).map(flagsOfStored) };
};

async function responseOf(tab: number, load: Load) {
  if (!/^https?:/.test(load.url)) return unseen('the page comes from no server');
  const seen = await documentResponses.find(tab, load);
  if (seen) return { response: { known: true, headers_received: seen.headers }, set: seen.set };
  return unseen(load.by_worker ? BY_WORKER : 'the load of the page was not seen');
}

function unseen(why: string) {
  return { response: { known: false, why } };
}
