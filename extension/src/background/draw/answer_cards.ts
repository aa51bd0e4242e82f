// Shows a person what an assistant answers to their annotations, again with each load of its page until they close it.
//
// A card belongs to its tab, and to two pages there: the one that was drawn on, and the one that it was shown on.

import type { AnnotationAnswer, AnnotationStatus } from '../../shared/annotations.ts';
import type { DrawingEvent } from '../../shared/events.ts';
import { pageOf } from '../../shared/page_address.ts';
import { askPage } from '../tabs/page_queries.ts';
import { openTab, type Tab } from '../tabs/tabs.ts';

const KEY = 'gasoline_draw_answers';

/** The most that are kept of a tab. */
const OF_A_TAB = 20;

/** `annotation`: its session, and what the page needs to show the answer with it. */
type AnswerQuery = {
  correlation_id: string;
  value: AnnotationStatus;
  text?: string;
  annotation: { session: string } & Omit<AnnotationAnswer, 'correlation_id' | 'status' | 'reply'>;
};

export type Answered = { success: true; action: 'annotation_reply'; status: AnnotationStatus };

type Open = { answer: AnnotationAnswer; pages: (string | undefined)[] };

type ByTab = Record<string, Open[]>;

type Dependencies = {
  area: chrome.storage.StorageArea;
  report: (event: DrawingEvent) => unknown;
  now: () => number;
};

export class AnswerCards {
  #dependencies;
  /** What is open; read once, changed and stored in order. */
  #open: Promise<ByTab>;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    const read = ({ [KEY]: kept }: Record<string, unknown>) => (kept as ByTab | undefined) ?? {};
    this.#open = dependencies.area.get(KEY).then(read, () => ({}));
  }

  /** Show an answer, and report it. */
  async show(tab: Tab, query: Record<string, unknown>, signal: AbortSignal): Promise<Answered> {
    const { correlation_id, value: status, text: reply = '', annotation } = query as AnswerQuery;
    const { session, ...known } = annotation;
    const answer = { ...known, correlation_id, status, reply };
    await askPage(tab, 'draw_reply', { answers: [answer] }, signal);
    await this.#keep(tab, answer);
    const { now, report } = this.#dependencies;
    report({
      type: 'drawing',
      phase: 'answered',
      ts: now(),
      id: session,
      tab: tab.id,
      page_url: known.page_url,
      correlation_id,
      status,
      ...(reply && { reply }),
    });
    return { success: true, action: 'annotation_reply', status };
  }

  /** Show what is open on the page that a tab has loaded. */
  async loaded(id: number): Promise<void> {
    const kept = (await this.#open)[id];
    if (!kept) return;
    try {
      const tab = await openTab(id);
      const answers = kept.filter(({ pages }) => pages.includes(pageOf(tab.url))).map(({ answer }) => answer);
      if (answers.length) await askPage(tab, 'draw_reply', { answers }, new AbortController().signal);
    } catch {
      // the tab is closed, or shows what no script may enter; the next load shows them
    }
  }

  /** The person has closed a card, which is in no later page. */
  closed(tab: number, name: string): Promise<unknown> {
    return this.#change(tab, (kept) => kept.filter(({ answer }) => answer.correlation_id !== name));
  }

  forget(tab: number): Promise<unknown> {
    return this.#change(tab, () => []);
  }

  #keep(tab: Tab, answer: AnnotationAnswer): Promise<unknown> {
    const open = { answer, pages: [pageOf(answer.page_url), pageOf(tab.url)] };
    return this.#change(tab.id, (kept) => {
      const others = kept.filter((one) => one.answer.correlation_id !== answer.correlation_id);
      return [...others, open].slice(-OF_A_TAB);
    });
  }

  #change(tab: number, change: (kept: Open[]) => Open[]): Promise<unknown> {
    this.#open = this.#open.then(async (all) => {
      const { [tab]: before = [], ...others } = all;
      const kept = change(before);
      if (!before.length && !kept.length) return all;
      const changed = kept.length ? { ...others, [tab]: kept } : others;
      await this.#dependencies.area.set({ [KEY]: changed }).catch(() => {}); // this worker knows them all the same
      return changed;
    });
    return this.#open;
  }
}
