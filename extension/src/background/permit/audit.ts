// Records every call that acts, or was refused; no value of a page or an argument.
//
// An entry is stored before the act begins, so that one during which the worker dies leaves a trace: the next worker
// reports it as `outcome_unknown`.

import type { AuditEvent } from '../../shared/events.ts';
import { AUDIT, type AuditEntry } from '../../shared/pilot.ts';
import type { Client } from '../link/messages.ts';

/** The number of entries that the popup can show. */
const SHOWN = 20;

/**
 * Characters of a client's id: enough to distinguish the sessions of a day. The field is not called `session`, which
 * redaction takes for a secret.
 */
const ID = 8;

export interface Dependencies {
  /** Outlives the worker. */
  area: { get: (key: string) => Promise<Record<string, any>>; set: (items: Record<string, unknown>) => Promise<void> };
  /** Sends an event to the journal. */
  report: (event: AuditEvent) => unknown;
  now: () => number;
  id: () => string;
}

export class Audit {
  #dependencies;
  /** Newest first. */
  #entries: AuditEntry[] = [];
  #restored;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#restored = this.#restore();
  }

  /** Record that a call begins; `store` keeps that beyond this worker. */
  async begin(action: string, { id: client_id, name: client }: Client): Promise<AuditEntry> {
    await this.#restored;
    const { id, now } = this.#dependencies;
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
    return entry;
  }

  /** Record how it ended. */
  async end(entry: AuditEntry, outcome: string) {
    entry.outcome = outcome;
    entry.took_ms = Math.round(this.#dependencies.now() - entry.ts);
    this.#report(entry);
    await this.store();
  }

  /** Store the entries, so that one during which the worker dies leaves a trace. */
  async store() {
    await this.#dependencies.area.set({ [AUDIT]: this.#entries }).catch(() => {}); // the journal has it too
  }

  #report({ id: _, ...entry }: AuditEntry) {
    this.#dependencies.report({ type: 'audit', ...entry });
  }

  async #restore() {
    const stored = await this.#dependencies.area.get(AUDIT).catch(() => undefined);
    this.#entries = stored?.[AUDIT] ?? [];
    const lost = this.#entries.filter(({ outcome }) => outcome === 'running');
    for (const entry of lost) {
      entry.outcome = 'outcome_unknown';
      this.#report(entry);
    }
    if (lost.length) await this.store();
  }
}
