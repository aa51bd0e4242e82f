// Writes down every call that acts, or was refused; it must hold no value of a page or an argument.
//
// An entry is there before the act begins, so that a worker that dies in the middle leaves a trace: its next life tells
// of it as `outcome_unknown`.

import type { AuditEvent } from '../../shared/events.ts';
import { AUDIT, type AuditEntry } from '../../shared/pilot.ts';
import type { Client } from '../link/messages.ts';

/** How many the popup can show. */
const SHOWN = 20;

/**
 * Characters of a client's id: enough to tell the sessions of a day apart. The field is not called `session`, in which
 * redaction sees a secret.
 */
const ID = 8;

/** What the audit is given to work with. */
export interface Desk {
  /** Outlives the worker */
  area: { get: (key: string) => Promise<Record<string, any>>; set: (items: Record<string, unknown>) => Promise<void> };
  /** To the journal */
  say: (event: AuditEvent) => unknown;
  now: () => number;
  id: () => string;
}

/** The audit of one worker. */
export class Audit {
  #desk;
  /** Newest first */
  #entries: AuditEntry[] = [];
  #restored;

  constructor(desk: Desk) {
    this.#desk = desk;
    this.#restored = this.#restore();
  }

  /**
   * Write down that a call begins.
   * @returns to be ended
   */
  async begin(action: string, { id: client_id, name: client }: Client): Promise<AuditEntry> {
    await this.#restored;
    const { id, now } = this.#desk;
    const entry = {
      id: id(),
      ts: now(),
      client,
      client_id: client_id.slice(0, ID),
      action,
      tab: 0,
      origin: '',
      outcome: 'running',
      took_ms: 0,
    };
    this.#entries.unshift(entry);
    this.#entries = this.#entries.filter(({ outcome }, at) => at < SHOWN || outcome === 'running');
    await this.#keep();
    return entry;
  }

  /** Write down what came of it. */
  async end(entry: AuditEntry, outcome: string) {
    entry.outcome = outcome;
    entry.took_ms = Math.round(this.#desk.now() - entry.ts);
    this.#tell(entry);
    await this.#keep();
  }

  #tell({ id: _, ...told }: AuditEntry) {
    this.#desk.say({ type: 'audit', ...told });
  }

  async #keep() {
    await this.#desk.area.set({ [AUDIT]: this.#entries }).catch(() => {}); // the journal has it, too
  }

  async #restore() {
    const stored = await this.#desk.area.get(AUDIT).catch(() => undefined);
    this.#entries = stored?.[AUDIT] ?? [];
    const lost = this.#entries.filter(({ outcome }) => outcome === 'running');
    for (const entry of lost) {
      entry.outcome = 'outcome_unknown';
      this.#tell(entry);
    }
    if (lost.length) await this.#keep();
  }
}
