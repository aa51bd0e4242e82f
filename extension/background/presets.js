// Has the settings hold from a page's first moment on, by content scripts that say them; it must change no setting.
//
// They run right after the relay and before the page's own scripts: no answer of the worker could come that early.

/** @typedef {import('../shared/settings.js').Values} Values */
/** @typedef {chrome.scripting.RegisteredContentScript} Script */

/** @typedef {Values & {acts: boolean}} Wishes  `acts`: the human lets an assistant act */

/** @type {Record<string, (wishes: Wishes) => boolean>}  the files, and when they are needed */
const PRESETS = {
  preset_bodies: ({ captureNetworkBodies }) => captureNetworkBodies,
  preset_no_websockets: ({ captureWebSockets }) => !captureWebSockets,
  preset_dialogs: ({ acts }) => acts,
};

/**
 * What is needed here of chrome.scripting.
 * @typedef {object} Registry
 * @property {() => Promise<{id: string}[]>} getRegisteredContentScripts
 * @property {(scripts: Script[]) => Promise<void>} registerContentScripts
 * @property {(filter: {ids: string[]}) => Promise<void>} unregisterContentScripts
 */

/** The registered presets of one worker. */
export class Presets {
  #registry;
  /** @type {Promise<void>}  one change after the other */
  #last = Promise.resolve();

  /** @param {Registry} registry */
  constructor(registry) {
    this.#registry = registry;
  }

  /**
   * Register those that the settings need, and no other.
   * @param {Wishes} wishes
   * @returns {Promise<void>}
   */
  follow(wishes) {
    this.#last = this.#last.then(() => this.#follow(wishes)).catch((fault) => {
      console.warn('The settings do not hold from the first moment of a page.', fault);
    });
    return this.#last;
  }

  /** @param {Wishes} wishes */
  async #follow(wishes) {
    const there = (await this.#registry.getRegisteredContentScripts()).map(({ id }) => id);
    const wanted = Object.keys(PRESETS).filter((id) => PRESETS[id]?.(wishes));
    const [extra, missing] = [there.filter((id) => !wanted.includes(id)), wanted.filter((id) => !there.includes(id))];
    if (extra.length) await this.#registry.unregisterContentScripts({ ids: extra });
    if (missing.length) await this.#registry.registerContentScripts(missing.map(scriptOf));
  }
}

/**
 * @param {string} id
 * @returns {Script}
 */
function scriptOf(id) {
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
