// Has the settings hold from a page's first moment on, by content scripts that say them; it must change no setting.
//
// They run right after the relay and before the page's own scripts: no answer of the worker could come that early.

import type { Values } from '../../shared/settings.ts';

export type Script = chrome.scripting.RegisteredContentScript;

/** `acts`: the human lets an assistant act */
export type Wishes = Values & { acts: boolean };

/** The files, and when they are needed */
const PRESETS: Record<string, (wishes: Wishes) => boolean> = {
  early_bodies: ({ captureNetworkBodies }) => captureNetworkBodies,
  early_no_websockets: ({ captureWebSockets }) => !captureWebSockets,
  early_dialogs: ({ acts }) => acts,
};

/** What is needed here of chrome.scripting. */
export interface Registry {
  getRegisteredContentScripts: () => Promise<{ id: string }[]>;
  registerContentScripts: (scripts: Script[]) => Promise<void>;
  unregisterContentScripts: (filter: { ids: string[] }) => Promise<void>;
}

/** The registered presets of one worker. */
export class Presets {
  #registry;
  /** One change after the other */
  #last: Promise<void> = Promise.resolve();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Register those that the settings need, and no other. */
  follow(wishes: Wishes): Promise<void> {
    this.#last = this.#last
      .then(() => this.#follow(wishes))
      .catch((fault) => {
        console.warn('The settings do not hold from the first moment of a page.', fault);
      });
    return this.#last;
  }

  async #follow(wishes: Wishes) {
    const there = (await this.#registry.getRegisteredContentScripts()).map(({ id }) => id);
    const wanted = Object.keys(PRESETS).filter((id) => PRESETS[id]?.(wishes));
    const [extra, missing] = [there.filter((id) => !wanted.includes(id)), wanted.filter((id) => !there.includes(id))];
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
