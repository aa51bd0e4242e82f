// Keeps the picture of the page that the last session of Draw Mode has ended with: as it was, and with what was drawn.
//
// It is kept until it is asked for, also by a new worker.

import { paint } from '../../shared/annotation_painting.ts';
import type { Painted } from '../../shared/figures.ts';
import { Failure } from '../failure.ts';

const KEY = 'gasoline_draw_picture';

/** A picture as it is answered: `picture` in Base64; `scale`: its pixels for each of the page's. */
type Taken = { picture: string; scale: number };

type Kept = { id: string; taken: Taken; painted: Painted[] };

type Dependencies = {
  area: chrome.storage.StorageArea;
  take: (tab: number) => Promise<object>;
  /** Paints on a picture in Base64. */
  onPicture: (picture: string, draw: (pen: OffscreenCanvasRenderingContext2D) => void) => Promise<string>;
};

export class AnnotatedPictures {
  #dependencies;
  /** What this worker has painted on last: it is asked for in a moment. */
  #painted: { id: string; picture: Promise<string> } | undefined;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Take the picture of a session; the annotations are worth more: without it they are reported all the same. */
  async keep(id: string, tab: number, painted: Painted[]): Promise<void> {
    const { area, take } = this.#dependencies;
    try {
      const taken = (await take(tab)) as Taken;
      const kept = { id, taken, painted };
      this.#paint(kept).catch(() => {}); // who asks for it gets the fault
      await area.set({ [KEY]: kept satisfies Kept });
    } catch {
      await area.remove(KEY).catch(() => {}); // the last session's is not this one's
    }
  }

  /** Answer a command that asks for the picture of a session; `clean`: without what was drawn. */
  async give(wanted: unknown, clean: boolean): Promise<object> {
    const { area } = this.#dependencies;
    const kept = (await area.get(KEY))[KEY] as Kept | undefined;
    if (!kept || kept.id !== wanted)
      throw new Failure('screenshot_failed', 'The browser has no picture of this session of Draw Mode.', {
        recovery:
          'Read the annotations: each names its element. A picture is kept of the last session that a person ended.',
      });
    const { taken } = kept;
    if (clean) return { ...taken, kind: 'unannotated' };
    return { ...taken, kind: 'annotated', picture: await this.#paint(kept) };
  }

  #paint({ id, taken, painted }: Kept): Promise<string> {
    if (this.#painted?.id !== id) {
      const picture = this.#dependencies.onPicture(taken.picture, (pen) => paint(pen, taken.scale, painted));
      this.#painted = { id, picture };
    }
    return this.#painted.picture;
  }
}
