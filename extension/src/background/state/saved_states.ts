// The commands that save, load, list and delete the stored state of a page's origin (seed 003, feature 2).
//
// No value of a state leaves the browser.

import { utf8Bytes } from '../../shared/utf8.ts';
import { Failure } from '../failure.ts';
import { load, type Place, placeOf } from '../navigate/page_loading.ts';
import { askPage } from '../tabs/page_queries.ts';
import type { Tab } from '../tabs/tabs.ts';
import type { Cookie } from './cookie_rules.ts';
import { readCookies, replaceCookies } from './cookies.ts';
import { type Snapshot, Snapshots } from './snapshots.ts';

export type Entries = [key: string, value: string][];

type State = { localStorage: Entries; sessionStorage: Entries; cookies: Cookie[] };

export type Refused = { kind: 'cookie' | 'localStorage' | 'sessionStorage'; name: string; reason: string };

export type Counts = { localStorage: number; sessionStorage: number; cookies: number };

/** The longest wait for the pages that a state is loaded into: a tool call's time, less its other waits. */
const LOADED_MS = 20_000;

/** The most refused entries in a reply, and the longest address. */
const REFUSED = 50;
const URL_CHARACTERS = 2000;

const snapshots = new Snapshots(chrome.storage.local);

export async function saveState(
  tab: Tab,
  query: Record<string, unknown>,
  signal: AbortSignal,
): Promise<{ success: true; snapshot_name: string; size_bytes: number; replaced?: true }> {
  const name = String(query['snapshot_name']);
  if (tab.incognito) throw privateWindow();
  const page = (await askPage(tab, 'read_storages', {}, signal)) as Place & State;
  const { url, origin, localStorage, sessionStorage } = page;
  const cookies = await readCookies(tab, new URL(url));
  signal.throwIfAborted();
  const data = JSON.stringify({ localStorage, sessionStorage, cookies });
  const size_bytes = utf8Bytes(data);
  const replaced = await snapshots.put(name, { url, origin, timestamp: new Date().toISOString(), size_bytes, data });
  return { success: true, snapshot_name: name, size_bytes, ...(replaced && { replaced }) };
}

/** Replace the stored state of a page by a snapshot, and go to the snapshot's page unless `include_url` is false. */
export async function loadState(
  tab: Tab,
  query: Record<string, unknown>,
  signal: AbortSignal,
): Promise<{
  success: true;
  snapshot_name: string;
  restored: Counts;
  url?: string;
  refused?: Refused[];
  refused_count?: number;
}> {
  const name = String(query['snapshot_name']);
  const goes = query['include_url'] !== false;
  const snapshot = await snapshots.get(name);
  const place = await placeOf(tab, signal);
  if (!goes && place.origin !== snapshot.origin) throw mismatch(snapshot, place);
  const restoring = new Restoring(tab, snapshot, signal);
  const url = goes ? await restoring.andGo(place) : await restoring.inPlace();
  const { restored, refused } = restoring;
  return {
    ...{ success: true, snapshot_name: name, restored },
    ...(url !== undefined && { url: url.slice(0, URL_CHARACTERS) }),
    ...(refused.length && { refused: refused.slice(0, REFUSED) }),
    ...(refused.length > REFUSED && { refused_count: refused.length }),
  };
}

/** Newest first. */
export async function listStates(): Promise<{
  snapshots: { name: string; url: string; timestamp: string; size_bytes: number }[];
}> {
  const all = await snapshots.list();
  return {
    snapshots: all.map(([name, { url, timestamp, size_bytes }]) => ({
      name,
      url: url.slice(0, URL_CHARACTERS),
      timestamp,
      size_bytes,
    })),
  };
}

export async function deleteState(
  _: Tab,
  query: Record<string, unknown>,
): Promise<{ success: true; snapshot_name: string }> {
  const name = String(query['snapshot_name']);
  await snapshots.remove(name);
  return { success: true, snapshot_name: name };
}

/** The load of one snapshot into one tab, and its progress. */
class Restoring {
  restored: Counts = { localStorage: 0, sessionStorage: 0, cookies: 0 };
  #tab;
  #snapshot;
  #signal;
  #loading;
  #state: State;
  #refused: { cookies: Refused[]; entries: Refused[] } = { cookies: [], entries: [] };

  constructor(tab: Tab, snapshot: Snapshot, signal: AbortSignal) {
    this.#tab = tab;
    this.#snapshot = snapshot;
    this.#signal = signal;
    this.#loading = AbortSignal.any([signal, AbortSignal.timeout(LOADED_MS)]);
    this.#state = JSON.parse(snapshot.data);
  }

  get refused() {
    return [...this.#refused.cookies, ...this.#refused.entries];
  }

  /** Restore without leaving the page. */
  async inPlace(): Promise<undefined> {
    await this.#entries(false);
    await this.#cookies();
  }

  /**
   * Restore, and load the saved page; give the address of the page that came. From another origin that takes two loads:
   * only a page of the origin can reach its storages.
   */
  async andGo(from: Place): Promise<string> {
    let place = from;
    if (place.origin !== this.#snapshot.origin) {
      await this.#cookies();
      place = await this.#go(place);
    }
    try {
      await this.#entries(true);
      await this.#cookies();
      return (await this.#go(place)).url;
    } catch (fault) {
      chrome.tabs
        .sendMessage(this.#tab.id, { name: 'release_storages', arguments: {} }, { frameId: 0 })
        .catch(() => {});
      throw fault;
    }
  }

  /** `hold`: the page will be left at once, and must not change the restored entries until then. */
  async #entries(hold: boolean) {
    const { origin } = this.#snapshot;
    const { localStorage, sessionStorage } = this.#state;
    const query = { origin, localStorage, sessionStorage, hold };
    const answer = (await askPage(this.#tab, 'replace_storages', query, this.#signal)) as any;
    Object.assign(this.restored, answer.restored);
    this.#refused.entries = answer.refused;
  }

  async #cookies() {
    this.#signal.throwIfAborted();
    const { count, refused } = await replaceCookies(this.#tab, new URL(this.#snapshot.url), this.#state.cookies);
    this.restored.cookies = count;
    this.#refused.cookies = refused;
  }

  async #go(from: Place): Promise<Place> {
    const { url, origin } = this.#snapshot;
    try {
      const place = await load(this.#tab, url, from, this.#loading);
      if (place.origin === origin || from.origin === origin) return place;
      throw new Failure('origin_mismatch', `it redirects to ${place.origin}`);
    } catch (fault) {
      this.#signal.throwIfAborted();
      const late = this.#loading.aborted && new Error(`it was not complete after ${LOADED_MS / 1000} s.`);
      throw this.#notLoaded(late || (fault as Error));
    }
  }

  #notLoaded({ message }: Error) {
    const url = this.#snapshot.url.slice(0, URL_CHARACTERS);
    return new Failure('navigation_failed', `The state was restored in part, but its page did not load: ${message}`, {
      details: {
        url,
        restored: this.restored,
        ...(this.refused.length && { refused: this.refused.slice(0, REFUSED) }),
      },
      recovery:
        'See that its server is up and that no dialog is open in the tab (the page may ask whether to leave it), ' +
        'open a page of it in this tab, then load the state again.',
    });
  }
}

function mismatch({ origin, url }: Snapshot, place: Place) {
  return new Failure('origin_mismatch', `The snapshot is of ${origin}, and the tab shows ${place.origin}.`, {
    details: { snapshot_origin: origin, page_origin: place.origin },
    recovery: `Load it with include_url:true, which opens ${url.slice(0, 500)}, or open a page of ${origin} first.`,
  });
}

function privateWindow() {
  return new Failure('storage_unavailable', 'The tab is in a private window, of which nothing is stored on the disk.', {
    recovery: 'Save the state in a window that is not private.',
  });
}
