// Makes the settings hold from a page's first moment, by registered content scripts that set them.
//
// They run right after the relay and before the page's own scripts: no answer of the worker could come that early.

import type { Values } from '../../shared/settings.ts';
import { allowedPatterns, deniedPatterns } from '../../shared/sites.ts';

export type Script = chrome.scripting.RegisteredContentScript;

type Wanted = Values & { pilotOn: boolean };

/** The pages that a script is for. */
type Pages = { matches: string[]; excludeMatches?: string[] };

const EVERYWHERE: Pages = { matches: ['<all_urls>'] };

const EXCLUDED = 'early_excluded';

/** The content scripts by id, which is the name of the file of most, and the pages for which each is needed. */
const SCRIPTS: Record<string, (wanted: Wanted) => Pages | false> = {
  early_bodies: ({ captureNetworkBodies }) => captureNetworkBodies && EVERYWHERE,
  early_no_websockets: ({ captureWebSockets }) => !captureWebSockets && EVERYWHERE,
  early_dialogs: ({ pilotOn }) => pilotOn && EVERYWHERE,
  early_denied: ({ sites }) => listed(deniedPatterns(sites), (matches) => ({ matches })),
  early_not_allowed: ({ sites }) =>
    listed(allowedPatterns(sites), (excludeMatches) => ({ ...EVERYWHERE, excludeMatches })),
};

const FILES: Record<string, string> = { early_denied: EXCLUDED, early_not_allowed: EXCLUDED };

/** The part of chrome.scripting that is used. */
interface Registry {
  getRegisteredContentScripts: () => Promise<Script[]>;
  registerContentScripts: (scripts: Script[]) => Promise<void>;
  unregisterContentScripts: (filter: { ids: string[] }) => Promise<void>;
}

export class EarlySettings {
  #registry;
  /** One change after the other. */
  #last: Promise<void> = Promise.resolve();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Register the scripts that the settings need, and no others. */
  apply(wanted: Wanted): Promise<void> {
    this.#last = this.#last
      .then(() => this.#apply(wanted))
      .catch((fault) => {
        console.warn('The settings do not hold from the first moment of a page.', fault);
      });
    return this.#last;
  }

  async #apply(wanted: Wanted) {
    const registered = await this.#registry.getRegisteredContentScripts();
    const needed = Object.entries(SCRIPTS).flatMap(([id, pages]) => scriptFor(id, pages(wanted)));
    const missing = needed.filter((script) => !registered.some((one) => isSame(one, script)));
    const extra = registered.filter((script) => !needed.some((one) => isSame(one, script)));
    if (extra.length) await this.#registry.unregisterContentScripts({ ids: extra.map(({ id }) => id) });
    if (missing.length) await this.#registry.registerContentScripts(missing);
  }
}

function listed(patterns: string[], pages: (patterns: string[]) => Pages): Pages | false {
  return patterns.length > 0 && pages(patterns);
}

function isSame(one: Script, other: Script): boolean {
  return one.id === other.id && pagesOf(one) === pagesOf(other);
}

function pagesOf({ matches = [], excludeMatches = [] }: Script): string {
  return JSON.stringify([matches, excludeMatches]);
}

function scriptFor(id: string, pages: Pages | false): Script[] {
  return pages ? [scriptOf(id, pages)] : [];
}

function scriptOf(id: string, pages: Pages): Script {
  return {
    id,
    js: [`content/${FILES[id] ?? id}.js`],
    ...pages,
    allFrames: true,
    matchOriginAsFallback: true,
    runAt: 'document_start',
    world: 'ISOLATED',
  };
}
