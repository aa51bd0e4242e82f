// Follows the tabs and windows that an action opens until their pages are there, or they have closed again.

import { withoutPage } from '../tabs/excluded_sites.ts';
import type { Tab } from '../tabs/tabs.ts';

/** The longest wait for the page of a tab that was opened, for the address of one that stays empty, and for a request's. */
const ARRIVES_MS = 5_000;
const EMPTY_MS = 300;
const REQUESTED_MS = 1_500;

const POLL_MS = 20;

/** A page that closes itself is complete before its tab is gone, for 13 to 47 ms (measured). */
const CLOSES_MS = 60;

const URL_CHARACTERS = 500;

/** `opened_tab`: the last that was opened; `opened_tabs`: all, if it is not the only one. */
export type Opened = {
  opened_tab?: number;
  opened_tabs?: number[];
  opened_url?: string;
  opened_title?: string;
  opened_loading?: true;
  opened_closed?: true;
};

export class OpenedTabs {
  #opener;
  #opened: number[] = [];
  /** The tab in front of the opener's window, if that is another: Chrome takes it for the opener of a hidden tab's (measured). */
  #front: Promise<number | undefined>;

  constructor(opener: Tab) {
    this.#opener = opener;
    this.#front = opener.active === false ? frontOf(opener) : Promise.resolve(undefined);
    chrome.tabs.onCreated.addListener(this.#created);
  }

  end() {
    chrome.tabs.onCreated.removeListener(this.#created);
  }

  get all(): number[] {
    return this.#opened;
  }

  /** Describe what was opened so far; of the last tab, the page that it shows. */
  async described(signal: AbortSignal): Promise<Opened> {
    const last = this.#opened.at(-1);
    if (last === undefined) return {};
    const others = this.#opened.length > 1 && { opened_tabs: this.#opened };
    return { opened_tab: last, ...others, ...(await pageOf(last, signal)) };
  }

  #created = async ({ id, openerTabId, pendingUrl }: chrome.tabs.Tab) => {
    if (id === undefined || openerTabId === undefined) return;
    const isOpeners = openerTabId === this.#opener.id || (!pendingUrl && openerTabId === (await this.#front));
    if (isOpeners) this.#opened.push(id);
  };
}

async function frontOf({ windowId }: Tab): Promise<number | undefined> {
  const [front] = await chrome.tabs.query({ active: true, windowId });
  return front?.id;
}

async function pageOf(id: number, signal: AbortSignal): Promise<Opened> {
  const begun = performance.now();
  let there: number | undefined;
  for (;;) {
    const tab = await chrome.tabs
      .get(id)
      .then(withoutPage)
      .catch(() => undefined);
    signal.throwIfAborted();
    if (!tab) return { opened_closed: true };
    const waited = performance.now() - begun;
    const isLeft = Boolean(tab.pendingUrl) && waited < REQUESTED_MS; // its first, empty page is complete, too
    const isThere = tab.status === 'complete' && !isLeft && (Boolean(tab.url) || waited >= EMPTY_MS);
    there = isThere ? (there ?? waited) : undefined;
    const stays = there !== undefined && waited - there >= CLOSES_MS;
    if (stays || waited >= ARRIVES_MS) return { ...namesOf(tab), ...(!isThere && { opened_loading: true as const }) };
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
}

function namesOf({ url = '', title = '', pendingUrl = '' }: chrome.tabs.Tab): Opened {
  const opened_url = (url || pendingUrl).slice(0, URL_CHARACTERS);
  return { ...(opened_url && { opened_url }), ...(title && !opened_url.includes(title) && { opened_title: title }) };
}
