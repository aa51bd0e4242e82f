// Has each command done once and in its time, and answers it; it must not know what a command does or how words travel.

import { Failure, faultOf } from '../failure.ts';
import type { Change, Ledger } from './ledger.ts';
import type { Client } from './messages.ts';
import { type Answer, acknowledge, type Command, result } from './messages.ts';

export type Handler = (query: Record<string, unknown>, signal: AbortSignal, client?: Client) => Promise<unknown>;

/**
 * The largest message that is sent. A larger one would end the connection, be sent again on the next one, and end that
 * too (the bridge takes bodies of 10 MB at most: SPEC, Limits).
 */
export const MESSAGE_BYTES = 8 * 1024 * 1024;

/** What the desk is given to work with. */
export interface Office {
  commands: Record<string, Handler>;
  ledger: Ledger;
  /** Stores what changed in the ledger */
  write: (change: Change) => unknown;
  /** Does nothing while there is no connection */
  send: (text: string) => unknown;
  /** Called right before a result is sent: what has to be there first is sent now */
  before: () => void;
  clock: { setTimeout: (call: () => void, ms: number) => any; clearTimeout: (timer: any) => void };
}

/** Why a command's work is given up without an answer. */
const CANCELLED = Symbol('cancelled');

/** One desk a worker: the commands under way, and those done. */
export class Desk {
  #running: Map<string, AbortController> = new Map();
  #office;

  constructor(office: Office) {
    this.#office = office;
  }

  /** Take a command. One under way is not started twice; one that is done is answered from memory. */
  async take(command: Command): Promise<void> {
    const { id } = command;
    this.#office.send(JSON.stringify(acknowledge(id)));
    if (this.#running.has(id)) return;
    const past = this.#office.ledger.recall(id);
    if (past) this.#office.send(past.text ?? forgotten(id));
    else await this.#do(command);
  }

  /** Stop a command's work, and send nothing of it any more. */
  cancel(id: string) {
    const { ledger, write } = this.#office;
    const work = this.#running.get(id);
    if (work) write(ledger.strike(id));
    else write(ledger.acknowledge(id));
    work?.abort(CANCELLED);
  }

  /** Note that the bridge has an answer. */
  acknowledged(id: string) {
    const { ledger, write } = this.#office;
    write(ledger.acknowledge(id));
  }

  /** Send again what the bridge may not have; after every connection. */
  resend() {
    for (const { id, text } of this.#office.ledger.unacknowledged()) this.#office.send(text ?? forgotten(id));
  }

  async #do(command: Command) {
    const work = new AbortController();
    this.#running.set(command.id, work);
    if (command.client) await this.#begin(command.id);
    const answer = await this.#answer(command, work);
    this.#running.delete(command.id);
    if (work.signal.reason === CANCELLED) return;
    const { ledger, write, before, send } = this.#office;
    const { text, bytes } = written(command.id, answer);
    const change = ledger.enter(command.id, text, bytes);
    before();
    send(text);
    write(change);
  }

  /**
   * Remember that a command which acts has begun: if this life of the worker ends in the middle, the next one must not
   * do it again, and can only say that it does not know what came of it.
   */
  async #begin(id: string) {
    const { ledger, write } = this.#office;
    await write(ledger.strike(id));
  }

  async #answer({ name, arguments: query, timeout_ms, client }: Command, work: AbortController): Promise<Answer> {
    const { commands, clock } = this.#office;
    const timer = clock.setTimeout(() => work.abort(late(name, timeout_ms)), timeout_ms);
    try {
      if (!Object.hasOwn(commands, name)) throw unknown(name);
      const handler = commands[name] as Handler;
      return { result: await Promise.race([handler(query, work.signal, client), aborted(work.signal)]) };
    } catch (fault) {
      return { error: faultOf(fault) };
    } finally {
      clock.clearTimeout(timer);
    }
  }
}

/** Returns rejected with the signal's reason */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Returns the message, never larger than may be sent */
function written(id: string, answer: Answer): { text: string; bytes: number } {
  const text = JSON.stringify(result(id, answer));
  const bytes = sizeOf(text);
  if (bytes <= MESSAGE_BYTES) return { text, bytes };
  const refusal = JSON.stringify(result(id, { error: tooLarge(bytes).fault }));
  return { text: refusal, bytes: sizeOf(refusal) };
}

/** Returns bytes in UTF-8 */
function sizeOf(text: string): number {
  return new Blob([text]).size;
}

function late(name: string, timeoutMs: number) {
  return new Failure('deadline_exceeded', `${name} had no answer within ${timeoutMs} ms.`, {
    details: { timeout_ms: timeoutMs },
    recovery:
      'The page may be busy, or stand at a dialog; what was asked may be done yet. Look at the page before trying again.',
  });
}

function unknown(name: string) {
  return new Failure('not_found', `This version of the extension has no command ${JSON.stringify(name)}.`, {
    details: { command: name },
    recovery: 'Ask the user to run `gasoline extension install` and to reload the extension on chrome://extensions.',
  });
}

function tooLarge(bytes: number) {
  return new Failure('payload_too_large', `The answer has ${bytes} bytes; ${MESSAGE_BYTES} are the most.`, {
    details: { size_bytes: bytes, limit_bytes: MESSAGE_BYTES },
    recovery: 'Ask for less: a narrower selector, or fewer levels of children.',
  });
}

/** Returns the answer to a command that was done, and whose answer is gone */
function forgotten(id: string): string {
  const { fault } = new Failure('outcome_unknown', 'This command was done before, and its answer is no longer known.', {
    recovery: 'Look at the state of the page, then send a new command if it is still needed.',
  });
  return JSON.stringify(result(id, { error: fault }));
}
