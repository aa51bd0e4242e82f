// Asks the server to delete all captured events, and waits until it has.

import { clear } from '../link/messages.ts';
import { newId } from './chunks.ts';

export const CLEAR_MS = 2_000;

export interface Dependencies {
  /** False while there is no connection. */
  send: (text: string) => boolean;
  clock: { setTimeout: (call: () => void, ms: number) => any; clearTimeout: (timer: any) => void };
}

export class ClearRequests {
  #dependencies;
  #waiting: Map<string, (cleared: boolean) => void> = new Map();

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Send a request; false if the server has not confirmed it within CLEAR_MS. */
  async send(): Promise<boolean> {
    const { send, clock } = this.#dependencies;
    const id = newId();
    if (!send(JSON.stringify(clear(id)))) return false;
    return new Promise((done) => {
      const timer = clock.setTimeout(() => this.#end(id, false), CLEAR_MS);
      this.#waiting.set(id, (cleared) => {
        clock.clearTimeout(timer);
        done(cleared);
      });
    });
  }

  acknowledged(id: string) {
    this.#end(id, true);
  }

  #end(id: string, cleared: boolean) {
    this.#waiting.get(id)?.(cleared);
    this.#waiting.delete(id);
  }
}
