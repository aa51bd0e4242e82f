// The action wait_for: waits until an element has a state, a text or address is shown, a request has ended, or all is quiet.

import { Failure } from '../failure.ts';
import { type Exchange, TabRequests } from '../navigate/requests.ts';
import { askPage } from '../tabs/page_queries.ts';
import { openTab, type Tab } from '../tabs/tabs.ts';
import { effects } from './effects.ts';

const POLL_MS = 50;

const DEFAULT_MS = 5000;

/** A page that has neither changed nor requested anything for so long is quiet. */
const QUIET_MS = 500;

/** The most requests of a reply. */
const LISTED = 5;

/** What is waited for to go may have gone before, or have a mistake in its name. */
const NEVER_SEEN = 'It was not there at the start: check its name if it should have been.';

type Query = Record<string, unknown>;

/**
 * Whether what is waited for is so; `text`: what that is, for the error; `notes`: what the reply has beside; `end`:
 * stops what listens.
 */
type Condition = { isSo: () => Promise<boolean>; text: string; notes?: () => object; end?: () => void };

export async function waitFor(tab: Tab, query: Query, signal: AbortSignal) {
  const boundMs = Number(query['timeout_ms'] ?? DEFAULT_MS);
  const begun = performance.now();
  const condition = conditionOf(tab, query, signal);
  try {
    for (;;) {
      const isSo = await condition.isSo();
      const waited_ms = Math.round(performance.now() - begun);
      if (isSo) return { success: true, action: query['action'], waited_ms, ...condition.notes?.() };
      if (waited_ms >= boundMs) throw timedOut(query, condition.text, boundMs);
      await new Promise((done) => setTimeout(done, POLL_MS));
      signal.throwIfAborted();
    }
  } finally {
    condition.end?.();
  }
}

function conditionOf(tab: Tab, query: Query, signal: AbortSignal): Condition {
  const { selector, text, url, state = 'visible' } = query;
  if (state === 'quiet') return quiet(tab, signal);
  if (state === 'finished') return requestEnded(tab, String(url));
  if (url !== undefined && /^(hidden|detached)$/.test(String(state))) return addressLeft(tab, String(url));
  if (url !== undefined) return addressShown(tab, String(url));
  return elementIs(tab, query, `${JSON.stringify(selector ?? text)} was not ${state}`, signal);
}

function elementIs(tab: Tab, query: Query, text: string, signal: AbortSignal): Condition {
  const isGoing = /^(hidden|detached)$/.test(String(query['state']));
  let wasFound: boolean | undefined;
  let now = tab;
  const isSo = async () => {
    try {
      const { there, found } = (await askPage(now, 'probe', query, signal)) as { there: boolean; found: boolean };
      wasFound ??= found;
      return there;
    } catch (fault) {
      if (!isStillEmpty(fault)) throw fault;
      now = { ...(await openTab(tab.id)), ...(tab.frame && { frame: tab.frame }) };
      return false;
    }
  };
  return { isSo, text, notes: () => ({ ...(isGoing && !wasFound && { hint: NEVER_SEEN }) }) };
}

/** Whether a tab was just opened, and its first page has not come. */
function isStillEmpty(fault: unknown): boolean {
  return fault instanceof Failure && fault.fault.details?.['reason'] === 'loading';
}

function addressShown(tab: Tab, wanted: string): Condition {
  let url = '';
  const isSo = async () => {
    const now = await openTab(tab.id);
    url = now.url ?? '';
    return url.includes(wanted) && now.status === 'complete';
  };
  return {
    isSo,
    get text() {
      return `the tab did not show ${JSON.stringify(wanted)} (it shows ${url.slice(0, 200)})`;
    },
  };
}

function addressLeft(tab: Tab, wanted: string): Condition {
  let wasShown: boolean | undefined;
  const isSo = async () => {
    const isShown = ((await openTab(tab.id)).url ?? '').includes(wanted);
    wasShown ??= isShown;
    return !isShown;
  };
  const notes = () => ({ ...(!wasShown && { hint: NEVER_SEEN }) });
  return { isSo, text: `the tab still showed ${JSON.stringify(wanted)}`, notes };
}

/** Also a request of the tab's last action. */
function requestEnded(tab: Tab, wanted: string): Condition {
  const requests = new TabRequests(tab.id);
  const ended = () => {
    const both = [...effects.exchangesOf(tab.id), ...requests.exchanges];
    const each = new Map(both.map((exchange) => [exchange.id, exchange]));
    return [...each.values()].filter(({ url, end }) => end !== null && url.includes(wanted));
  };
  return {
    isSo: async () => ended().length > 0,
    text: `no request for ${JSON.stringify(wanted)} ended`,
    notes: () => ({ requests: failedFirst(ended().map(outcomeOf)).slice(0, LISTED) }),
    end: () => requests.end(),
  };
}

type Outcome = { method: string; url: string; status?: number; error?: string; failed?: true };

function outcomeOf({ method, url, status, error }: Exchange): Outcome {
  const failed = error !== '' || status >= 400;
  return {
    method,
    url: url.slice(0, 200),
    ...(status && { status }),
    ...(error && { error }),
    ...(failed && { failed }),
  };
}

/** Order those that failed first, then the newest first. */
function failedFirst(outcomes: Outcome[]): Outcome[] {
  return outcomes.reverse().toSorted((one, other) => Number(other.failed ?? 0) - Number(one.failed ?? 0));
}

function quiet(tab: Tab, signal: AbortSignal): Condition {
  const requests = new TabRequests(tab.id);
  const isSo = async () => {
    const { status } = await openTab(tab.id);
    const { quietMs } = (await askPage(tab, 'page_quiet', {}, signal)) as { quietMs: number };
    return status === 'complete' && Math.min(quietMs, requests.quietMs) >= QUIET_MS;
  };
  return { isSo, text: 'the page did not come to rest', end: () => requests.end() };
}

function timedOut({ selector, text, url, state }: Query, what: string, ms: number) {
  const asked = { selector, text, url, state };
  const details = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  return new Failure('wait_timeout', `Within ${ms} ms ${what}.`, { details: { ...details, timeout_ms: ms } });
}
