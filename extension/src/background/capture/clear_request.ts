// Asks the server to forget what was captured and waits until it has; it must forget nothing itself.

import { clear } from '../link/messages.ts';
import { newId } from './chunks.ts';

/** The longest wait for the server. */
export const CLEAR_MS = 2_000;

/** What is needed to ask. */
export interface World {
  /** False while there is no connection */
  send: (text: string) => boolean;
  clock: { setTimeout: (call: () => void, ms: number) => any; clearTimeout: (timer: any) => void };
}

/** The requests of one worker that are under way. */
export class Clearing {
  #world;
  #waiting: Map<string, (cleared: boolean) => void> = new Map();

  constructor(world: World) {
    this.#world = world;
  }

  /** Returns whether the server has forgotten it */
  async ask(): Promise<boolean> {
    const id = newId();
    if (!this.#world.send(JSON.stringify(clear(id)))) return false;
    const { clock } = this.#world;
    return new Promise((done) => {
      const timer = clock.setTimeout(() => this.#end(id, false), CLEAR_MS);
      this.#waiting.set(id, (cleared) => {
        clock.clearTimeout(timer);
        done(cleared);
      });
    });
  }

  /** Note that the server has done what was asked. */
  acknowledged(id: string) {
    this.#end(id, true);
  }

  #end(id: string, cleared: boolean) {
    this.#waiting.get(id)?.(cleared);
    this.#waiting.delete(id);
  }
}
