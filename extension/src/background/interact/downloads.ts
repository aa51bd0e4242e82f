// Records the files that Chrome saves during an action and its effect, however they come; it must neither begin nor stop one.
//
// Chrome does not tell which tab a file comes from: it is taken for the action's if the tab requested it, or if its
// referrer, or the page that made its blob, is of the origin of a page of the tab.

import type { SavedFile } from '../../shared/events.ts';
import { takeEvents } from '../navigate/kept_events.ts';
import type { Exchange } from '../navigate/requests.ts';

type Item = chrome.downloads.DownloadItem;

/** A file that is known to come is announced within this time; 5 to 30 ms were measured. */
const ANNOUNCED_MS = 500;

/** The longest that a reply waits for a file to be complete. */
const COMPLETE_MS = 1500;

const POLL_MS = 20;

/** What Chrome saves without a question (https://developer.chrome.com/docs/extensions/reference/api/downloads#type-DangerType). */
const HARMLESS = ['safe', 'accepted', 'allowlistedByPolicy', 'deepScannedSafe'];

export class Downloads {
  #page;
  #exchanges;
  #isExcluded;
  #begun = new Date().toISOString();
  #stops: (() => void)[];
  #items: Map<number, Item> = new Map();
  /** What a reply has described as complete. */
  #reported: Set<number> = new Set();

  /** `page`: the address of the tab; `exchanges`: its requests so far; `isExcluded`: whether an address is of an excluded site. */
  constructor(page: string, exchanges: () => Exchange[], isExcluded: (address: string) => boolean) {
    this.#page = page;
    this.#exchanges = exchanges;
    this.#isExcluded = isExcluded;
    const { onCreated, onChanged } = chrome.downloads;
    this.#stops = [takeEvents(onCreated, this.#created), takeEvents(onChanged, this.#changed)];
  }

  /** Whether a file is being saved. */
  get busy(): boolean {
    return [...this.#items.values()].some(({ state }) => state === 'in_progress');
  }

  end() {
    for (const stop of this.#stops) stop();
  }

  /** Describe the files of the reply: complete, if they are soon. `closed`: a tab that was opened for one has closed. */
  async settled(closed: boolean, signal: AbortSignal): Promise<{ downloads?: SavedFile[] }> {
    const begun = performance.now();
    for (;;) {
      await this.#refresh();
      const waits = this.busy ? COMPLETE_MS : this.#isExpected(closed) ? ANNOUNCED_MS : 0;
      if (performance.now() - begun >= waits) break;
      await new Promise((done) => setTimeout(done, POLL_MS));
      signal.throwIfAborted();
    }
    for (const { id, state } of this.#items.values()) if (state !== 'in_progress') this.#reported.add(id);
    return this.#items.size ? { downloads: [...this.#items.values()].map(describe) } : {};
  }

  /** Describe all files, those that no reply had as complete as late. */
  async all(): Promise<{ downloads?: SavedFile[] }> {
    await this.#refresh();
    if (!this.#items.size) return {};
    const files = [...this.#items.values()];
    const isLate = ({ id }: Item) => !this.#reported.has(id) && { late: true as const };
    return { downloads: files.map((item) => ({ ...describe(item), ...isLate(item) })) };
  }

  /** Whether there may be a file that Chrome has not announced yet: a response of the tab, or of one that has closed. */
  #isExpected(closed: boolean): boolean {
    const isFile = ({ attachment, end }: Exchange) => attachment === true && end !== null;
    return !this.#items.size && (closed || this.#exchanges().some(isFile));
  }

  #created = (item: Item) => {
    if (this.#isExcluded(item.referrer || item.url)) return; // the page of such a site saves it
    if (item.startTime >= this.#begun && isFrom(item, this.#page, this.#exchanges())) this.#items.set(item.id, item);
  };

  #changed = ({ id, state }: chrome.downloads.DownloadDelta) => {
    const item = this.#items.get(id);
    if (item && state?.current) this.#items.set(id, { ...item, state: state.current as Item['state'] });
  };

  async #refresh() {
    for (const { id } of [...this.#items.values()]) {
      const [now] = await chrome.downloads.search({ id });
      if (now) this.#items.set(id, now);
    }
  }
}

/** Whether a file comes from a tab: by its requests, else by the origin of what made it. Nothing is known of some. */
export function isFrom({ url, finalUrl, referrer }: Item, page: string, exchanges: Exchange[]): boolean {
  if (exchanges.some((exchange) => exchange.url === url || exchange.url === finalUrl)) return true;
  const maker = referrer || url.replace(/^blob:/, '');
  const pages = [page, ...exchanges.filter(({ type }) => type === 'main_frame').map((exchange) => exchange.url)];
  return !/^(https?|file):/.test(maker) || pages.some((one) => originOf(one) === originOf(maker));
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

function describe({ filename, url, finalUrl, fileSize, bytesReceived, state, danger, error }: Item): SavedFile {
  const isKept = state === 'in_progress' && !HARMLESS.includes(danger);
  return {
    name: filename.split(/[\\/]/).at(-1) || nameIn(finalUrl || url),
    bytes: state === 'complete' && fileSize >= 0 ? fileSize : bytesReceived,
    ...(filename && { path: filename }),
    ...(state !== 'complete' && { state: isKept ? 'waits_for_user' : state }),
    ...(error && { error }),
  };
}

/** Return the last part of an address: Chrome has chosen no name yet, or asks the user for one. */
function nameIn(url: string): string {
  if (!/^(https?|file):/.test(url)) return 'download';
  const part = new URL(url).pathname.split('/').at(-1) || 'download';
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
