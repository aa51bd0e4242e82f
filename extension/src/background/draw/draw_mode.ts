// Keeps the sessions of Draw Mode (seed 004): begins them in a page, stores each change, and reports how each has ended.
//
// A session survives this worker: chrome.storage.session has it after every change. An alarm ends the one that a person
// has forgotten.

import type { Annotation, DrawSession } from '../../shared/annotations.ts';
import type { DrawingEvent } from '../../shared/events.ts';
import type { Painted } from '../../shared/figures.ts';
import type { Place } from '../link/senders.ts';
import { askPage } from '../tabs/page_queries.ts';
import { openTab, type Tab } from '../tabs/tabs.ts';

const KEY = 'gasoline_draw_annotations';
const NAMES = 'gasoline_draw_names';
const ALARM = 'draw:';

/** Without an action of the person (SPEC.md, 10). */
const FORGOTTEN_MIN = 5;

/** How long a page that is asked to finish may take to answer, one that hangs never does; and its picture after that. */
const ANSWER_MS = 5_000;
const PICTURE_MS = 6_000;

type Sessions = Record<string, DrawSession>;

type Warning = NonNullable<DrawingEvent['warning']>;

export type Started = {
  success: true;
  action: 'draw_mode_start';
  status: 'pending' | 'already_active';
  annotation_count: number;
  correlation_id?: string;
};

type Dependencies = {
  area: chrome.storage.StorageArea;
  alarms: Pick<typeof chrome.alarms, 'create' | 'clear'>;
  report: (event: DrawingEvent) => unknown;
  /** Takes a picture of what the tab shows now, for a session; `by`: how far what was drawn has moved since. */
  picture: (id: string, tab: number, painted: Painted[]) => Promise<unknown>;
  now: () => number;
};

export class DrawMode {
  #dependencies;
  /** The sessions that are being ended: a page and its alarm may end the same one. */
  #ending = new Set<string>();
  /** The sessions that were forgotten; each is called once its page has ended it. */
  #forgotten: Map<string, () => void> = new Map();
  /** The last change of the kept sessions: the next one waits for it. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Begin a session in a tab. `client_id`: of the assistant's session that asks for it, a person has none; `name`: under
   * which it belongs to others, also to those that the person begins later in this tab.
   */
  async start(tab: Tab, signal: AbortSignal, client_id: string | null = null, name?: string): Promise<Started> {
    signal.throwIfAborted();
    const made = await this.#sessionIn(tab, client_id, name);
    let session = await this.#keep(made);
    const isOther = session.page_url !== made.page_url;
    const { status, annotation_count } = await this.#show(tab, isOther ? [] : session.annotations).catch(
      async (fault) => {
        if (session === made) await this.#drop(made);
        throw fault;
      },
    );
    const isShown = status === 'already_active'; // then it is this page's, though a script may have changed the address
    if (isOther && !isShown) {
      await this.end(tab.id, undefined, 'page_navigated', session.id);
      session = await this.#keep(made);
    }
    if (session === made || !isShown) await this.#begun(session, client_id !== null, name);
    return {
      success: true,
      action: 'draw_mode_start',
      status: isShown ? status : 'pending',
      annotation_count,
      correlation_id: session.id,
    };
  }

  async #begun(session: DrawSession, isAsked: boolean, name?: string) {
    if (isAsked) await this.#rememberName(session.tab_id, name);
    const { now, report } = this.#dependencies;
    report({ type: 'drawing', phase: 'begun', ts: now(), ...namesOf(session), tab: session.tab_id });
  }

  /** Show the overlay with what is kept. It is not cancelled: then the page could have it, and the worker no session. */
  async #show(tab: Tab, annotations: Annotation[]): Promise<Started> {
    return (await askPage(tab, 'draw_start', { annotations }, new AbortController().signal)) as Started;
  }

  /** Make a session. An assistant gives it a name, a person goes on with the last one. */
  async #sessionIn({ id: tab_id, url = '' }: Tab, client_id: string | null, name?: string): Promise<DrawSession> {
    const given = client_id === null ? (await this.#names())[tab_id] : name;
    const id = `dm_${crypto.randomUUID().slice(0, 8)}`;
    const started_at = this.#dependencies.now();
    return { id, tab_id, page_url: url, started_at, annotations: [], client_id, ...(given && { name: given }) };
  }

  async #rememberName(tab: number, name?: string) {
    const names = { ...(await this.#names()), [tab]: name };
    await this.#dependencies.area.set({ [NAMES]: names }).catch(() => {}); // the event has it
  }

  async #names(): Promise<Record<string, string>> {
    const { [NAMES]: names } = await this.#dependencies.area.get(NAMES);
    return (names as Record<string, string> | undefined) ?? {};
  }

  /** Begin one because a person wants it, or end the one that they see; give the reason if that is not possible. */
  async toggleBy(id: number | undefined): Promise<string | undefined> {
    const { signal } = new AbortController();
    try {
      const tab = await openTab(id ?? 0);
      const { ended } = (await askPage(tab, 'draw_toggle', {}, signal)) as { ended: boolean };
      if (!ended) await this.start(tab, signal);
      return undefined;
    } catch (fault) {
      return (fault as Error).message;
    }
  }

  /** Keep what a page has by now, here and in the journal: the browser may end at any time. */
  async drawn({ tab }: Place, annotations: Annotation[]) {
    this.#expectAction(tab);
    const { now, report } = this.#dependencies;
    await this.#change((sessions) => {
      const session = sessions[tab];
      if (!session) return sessions;
      report({ type: 'drawing', phase: 'drawn', ts: now(), ...namesOf(session), tab, annotations: brief(annotations) });
      return { ...sessions, [tab]: { ...session, annotations } };
    }).catch(() => {}); // the event has what could not be kept
  }

  /** End a session that a person has ended: the page shows nothing of ours. */
  async finished(tab: number, annotations: Annotation[], painted: Painted[]): Promise<void> {
    const session = (await this.#read())[tab];
    if (!session) return;
    await this.#dependencies.picture(session.id, tab, painted);
    const ended = this.#forgotten.get(session.id);
    await this.end(tab, annotations, ended && 'draw_mode_timeout', session.id);
    ended?.();
  }

  /** End a session: its page has ended it, or is gone. `id`: the one that is meant, if another may have begun meanwhile. */
  async end(tab: number, annotations?: Annotation[], warning?: Warning, id?: string): Promise<void> {
    const session = (await this.#read())[tab];
    if (!session || (id ?? session.id) !== session.id || this.#ending.has(session.id)) return;
    this.#ending.add(session.id);
    try {
      await this.#reportEnd(session, annotations, warning);
      await this.#forget(session);
    } finally {
      this.#ending.delete(session.id);
    }
  }

  /** End the sessions on pages of sites that are excluded now, with nothing of what was drawn there. */
  async endExcluded(isExcluded: (address: string) => Promise<boolean>): Promise<void> {
    for (const { id, tab_id, page_url } of Object.values(await this.#read()))
      if (await isExcluded(page_url).catch(() => true)) await this.end(tab_id, [], undefined, id);
  }

  #reportEnd(session: DrawSession, annotations = session.annotations, warning?: Warning): unknown {
    const { now, report, alarms } = this.#dependencies;
    const { tab_id: tab, started_at } = session;
    alarms.clear(`${ALARM}${tab}`);
    const ended = now();
    return report({
      type: 'drawing',
      phase: 'ended',
      ts: ended,
      ...namesOf(session),
      tab,
      annotations,
      duration_ms: ended - started_at,
      ...(warning && { warning }),
    });
  }

  /** End the session that an alarm is for. */
  async alarmed({ name }: chrome.alarms.Alarm, signal: AbortSignal): Promise<void> {
    if (!name.startsWith(ALARM)) return;
    const tab = Number(name.slice(ALARM.length));
    const session = (await this.#read())[tab];
    const ended = new Promise<void>((done) => session && this.#forgotten.set(session.id, done));
    const annotations = await Promise.race([this.#finishIn(tab, signal), after(ANSWER_MS)]);
    if (!session) return;
    if (annotations) await Promise.race([ended, after(PICTURE_MS)]);
    await this.end(tab, annotations, 'draw_mode_timeout', session.id);
    this.#forgotten.delete(session.id);
  }

  /** Have a page finish. Give what it has by then, also what is being written; undefined if it has no session. */
  async #finishIn(id: number, signal: AbortSignal): Promise<Annotation[] | undefined> {
    try {
      const answer = await askPage(await openTab(id), 'draw_finish', {}, signal);
      const { active, annotations } = answer as { active: boolean; annotations?: Annotation[] };
      return active ? annotations : undefined;
    } catch {
      return undefined; // its page is gone
    }
  }

  /** Keep a session no longer, and leave the one that may have begun in its tab meanwhile. */
  #forget({ id, tab_id }: DrawSession): Promise<unknown> {
    return this.#change((sessions) => {
      const { [tab_id]: kept, ...others } = sessions;
      return kept?.id === id ? (others as Sessions) : sessions;
    }).catch(() => {}); // the event has its end
  }

  /** Keep a session, or else give the one that its tab has already. It throws if nothing can be kept. */
  async #keep(made: DrawSession): Promise<DrawSession> {
    let session = made;
    await this.#change((sessions) => {
      const kept = sessions[made.tab_id];
      session = kept && !this.#ending.has(kept.id) ? kept : made;
      return session === made ? { ...sessions, [made.tab_id]: made } : sessions;
    });
    this.#expectAction(made.tab_id);
    return session;
  }

  #drop(session: DrawSession): Promise<unknown> {
    this.#dependencies.alarms.clear(`${ALARM}${session.tab_id}`);
    return this.#forget(session);
  }

  #expectAction(tab: number) {
    this.#dependencies.alarms.create(`${ALARM}${tab}`, { delayInMinutes: FORGOTTEN_MIN });
  }

  async #read(): Promise<Sessions> {
    await this.#last;
    return sessionsIn(await this.#dependencies.area.get(KEY));
  }

  async #change(change: (sessions: Sessions) => Sessions): Promise<void> {
    const { area } = this.#dependencies;
    const changed = this.#last.then(async () => {
      const before = sessionsIn(await area.get(KEY));
      const after = change(before);
      if (after !== before) await area.set({ [KEY]: after });
    });
    this.#last = changed.catch(() => {});
    await changed;
  }
}

const after = (ms: number) => new Promise<undefined>((done) => setTimeout(done, ms));

/** Without how the elements looked, which the end of the session reports. */
const brief = (annotations: Annotation[]) => annotations.map(({ look: _, ...others }) => others);

function sessionsIn({ [KEY]: kept }: Record<string, unknown>): Sessions {
  return (kept as Sessions | undefined) ?? {};
}

function namesOf({ id, page_url, client_id, name }: DrawSession) {
  return { id, page_url, ...(client_id && { client_id }), ...(name && { name }) };
}
