// Runs each command within its deadline and sends its result; one that acts at most once.

import { aborted } from '../../shared/aborted.ts';
import { UPDATE } from '../../shared/update.ts';
import { utf8Bytes } from '../../shared/utf8.ts';
import { Failure, faultOf } from '../failure.ts';
import type { Change, Ledger } from './ledger.ts';
import { type Answer, acknowledge, type Client, type Command, result } from './messages.ts';

/**
 * Records that a command which acts begins: if this worker dies in the middle, the next one must not run it again, and can
 * only answer that the outcome is unknown. Resolved once that is stored.
 */
export type Begin = () => Promise<unknown>;

export type Handler = (
  query: Record<string, unknown>,
  signal: AbortSignal,
  client?: Client,
  begin?: Begin,
) => Promise<unknown>;

/**
 * The largest message that is sent. A larger one would end the connection, be sent again on the next one, and end that
 * too (the bridge takes bodies of 10 MB at most: SPEC, Limits).
 */
export const MESSAGE_BYTES = 8 * 1024 * 1024;

export interface Dependencies {
  commands: Record<string, Handler>;
  ledger: Ledger;
  /** Stores what changed in the ledger, at once or soon. */
  write: (change: Change) => unknown;
  later: (change: Change) => unknown;
  /** Does nothing while there is no connection, and gives false. */
  send: (text: string) => unknown;
  /** Called right before a result is sent: the events that precede it are sent now. */
  beforeResult: () => void;
  /** Whether Chrome still answers this worker: while it is being ended, each call of Chrome's fails. */
  isAlive: () => Promise<boolean>;
  clock: { setTimeout: (call: () => void, ms: number) => any; clearTimeout: (timer: any) => void };
}

/** Milliseconds after which a command that still runs is acknowledged: a result that comes sooner says as much. */
const QUICK = 100;

/** The reason by which the work of a cancelled command is aborted. */
const CANCELLED = Symbol('cancelled');

/** `acts`: it has begun to. `lasts`: it takes longer than `QUICK`. */
type Running = { work: AbortController; acts: boolean; lasts: boolean };

export class CommandRunner {
  #running: Map<string, Running> = new Map();
  #dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Run a command. One that is running is not started twice; one that has acted is answered from the ledger. What only reads
   * is in no ledger, which costs three accesses to a storage: it is run again.
   */
  async take(command: Command): Promise<void> {
    const { id } = command;
    if (this.#running.has(id)) return;
    const past = this.#dependencies.ledger.recall(id);
    if (past) this.#dependencies.send(past.text ?? forgotten(id));
    else await this.#run(command);
  }

  /** Stop a command; no result of it is sent. */
  cancel(id: string) {
    const { ledger, write } = this.#dependencies;
    const running = this.#running.get(id);
    if (!running) write(ledger.acknowledge(id));
    else if (running.acts) write(ledger.strike(id));
    running?.work.abort(CANCELLED);
  }

  /** Note that the bridge has the result. */
  acknowledged(id: string) {
    const { ledger, later } = this.#dependencies;
    later(ledger.acknowledge(id));
  }

  /** Send every result again that the bridge may not have; after each new connection. */
  resend() {
    const { ledger, send } = this.#dependencies;
    for (const { id, text } of ledger.unacknowledged()) send(text ?? forgotten(id));
  }

  async #run(command: Command) {
    const { clock, ledger, write, beforeResult, isAlive, send } = this.#dependencies;
    const { id } = command;
    const running: Running = { work: new AbortController(), acts: false, lasts: false };
    const { work } = running;
    this.#running.set(id, running);
    const quick = clock.setTimeout(() => {
      running.lasts = true;
      send(JSON.stringify(acknowledge(id)));
    }, QUICK);
    const answer = await this.#answer(command, running);
    clock.clearTimeout(quick);
    const isOver = mayLack(answer, running) && !(await isAlive());
    this.#running.delete(id);
    if (isOver || work.signal.reason === CANCELLED) return; // the next worker runs it again, or states that it began
    const { text, bytes } = messageOf(command, answer);
    beforeResult();
    const isLost = send(text) === false; // an analysis may have taken 40 s: it is sent by the next connection
    if (isLost || running.acts) write(ledger.enter(id, text, bytes));
  }

  async #answer({ id, name, arguments: query, timeout_ms, client }: Command, running: Running): Promise<Answer> {
    const { commands, clock, ledger, write } = this.#dependencies;
    const { work } = running;
    const begin = async () => {
      running.acts = true;
      await write(ledger.strike(id));
    };
    const timer = clock.setTimeout(() => work.abort(tooLate(name, timeout_ms)), timeout_ms);
    try {
      if (!Object.hasOwn(commands, name)) throw unknownCommand(name);
      const handler = commands[name] as Handler;
      return { result: await Promise.race([handler(query, work.signal, client, begin), aborted(work.signal)]) };
    } catch (fault) {
      return { error: faultOf(fault) };
    } finally {
      clock.clearTimeout(timer);
    }
  }
}

/** Whether an answer would be another one in a worker that is being ended; what lasts may have gone on without a part. */
function mayLack(answer: Answer, { work, acts, lasts }: Running): boolean {
  return !work.signal.aborted && ('error' in answer || (lasts && !acts));
}

function messageOf({ id, client }: Command, answer: Answer): { text: string; bytes: number } {
  const text = JSON.stringify(result(id, answer));
  const bytes = utf8Bytes(text);
  if (bytes <= MESSAGE_BYTES) return { text, bytes };
  const refusal = JSON.stringify(result(id, { error: tooLarge(bytes, client !== undefined).fault }));
  return { text: refusal, bytes: utf8Bytes(refusal) };
}

function tooLate(name: string, timeoutMs: number) {
  return new Failure('deadline_exceeded', `${name} had no answer within ${timeoutMs} ms.`, {
    details: { timeout_ms: timeoutMs },
    recovery:
      'The page may be busy, or a dialog may be open in it; the command may still complete. ' +
      'Look at the page before trying again.',
  });
}

function unknownCommand(name: string) {
  return new Failure('not_found', `This version of the extension has no command ${JSON.stringify(name)}.`, {
    details: { command: name },
    recovery: UPDATE,
  });
}

function tooLarge(bytes: number, acts: boolean) {
  return new Failure('payload_too_large', `The answer has ${bytes} bytes; the limit is ${MESSAGE_BYTES}.`, {
    details: { size_bytes: bytes, limit_bytes: MESSAGE_BYTES },
    recovery: acts
      ? 'It was done: do not repeat it. Look at the page, and ask for less of its answer next time.'
      : 'Ask for less: a narrower selector, or fewer levels of children.',
  });
}

/** The answer to a command that was done and whose result is no longer stored. */
function forgotten(id: string): string {
  const { fault } = new Failure('outcome_unknown', 'This command was done before; its result is no longer stored.', {
    recovery: 'Look at the state of the page, then send a new command if it is still needed.',
  });
  return JSON.stringify(result(id, { error: fault }));
}
