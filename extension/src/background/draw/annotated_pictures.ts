// Takes the picture of a page with what was drawn on it, and keeps the last one until it is asked for, also by a new worker.

import { Failure } from '../failure.ts';

const KEY = 'gasoline_draw_picture';

type Kept = { id: string; taken: object };

type Dependencies = {
  area: chrome.storage.StorageArea;
  take: (tab: number) => Promise<object>;
};

export class AnnotatedPictures {
  #dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Take the picture of a session; the annotations are worth more: without it they are reported all the same. */
  async keep(id: string, tab: number): Promise<void> {
    const { area, take } = this.#dependencies;
    try {
      const taken = { ...(await take(tab)), kind: 'annotated' };
      await area.set({ [KEY]: { id, taken } satisfies Kept });
    } catch {
      await area.remove(KEY).catch(() => {}); // the last session's is not this one's
    }
  }

  /** Answer a command that asks for the picture of a session. */
  async give(wanted: unknown): Promise<object> {
    const kept = (await this.#dependencies.area.get(KEY))[KEY] as Kept | undefined;
    if (kept && kept.id === wanted) return kept.taken;
    throw new Failure('screenshot_failed', 'The browser has no picture of this session of Draw Mode.', {
      recovery:
        'Read the annotations: each names its element. A picture is kept of the last session that a person ended.',
    });
  }
}
