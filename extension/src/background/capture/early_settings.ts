// Makes the settings hold from a page's first moment, by registered content scripts that set them.
//
// They run right after the relay and before the page's own scripts: no answer of the worker could come that early.

import type { Values } from '../../shared/settings.ts';

export type Script = chrome.scripting.RegisteredContentScript;

type Wanted = Values & { pilotOn: boolean };

/** The content scripts, by file name, and when each is needed. */
const SCRIPTS: Record<string, (wanted: Wanted) => boolean> = {
  early_bodies: ({ captureNetworkBodies }) => captureNetworkBodies,
  early_no_websockets: ({ captureWebSockets }) => !captureWebSockets,
  early_dialogs: ({ pilotOn }) => pilotOn,
};

/** The part of chrome.scripting that is used. */
interface Registry {
  getRegisteredContentScripts: () => Promise<{ id: string }[]>;
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
    const registered = (await this.#registry.getRegisteredContentScripts()).map(({ id }) => id);
    const needed = Object.keys(SCRIPTS).filter((id) => SCRIPTS[id]?.(wanted));
    const extra = registered.filter((id) => !needed.includes(id));
    const missing = needed.filter((id) => !registered.includes(id));
    if (extra.length) await this.#registry.unregisterContentScripts({ ids: extra });
    if (missing.length) await this.#registry.registerContentScripts(missing.map(scriptOf));
  }
}

function scriptOf(id: string): Script {
  return {
    id,
    js: [`content/${id}.js`],
    matches: ['<all_urls>'],
    allFrames: true,
    matchOriginAsFallback: true,
    runAt: 'document_start',
    world: 'ISOLATED',
  };
}
