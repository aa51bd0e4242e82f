// Keeps one WebSocket to the bridge open while there is a bridge; it must not act on more messages than the welcome.
//
// A refused fetch is quiet, a refused WebSocket leaves an error on chrome://extensions: hence a probe comes first.
// Timers die with the worker. The events that wake it call `ensure`, as often as they like.

import type { LinkState } from '../../shared/link_states.ts';
import { Backoff } from './backoff.ts';
import { type Down, hello, read, type Welcome } from './messages.ts';

export type Install = { token: string; port: number };

/** The bridge says something every 20 s; a connection without a word for twice that and a bit is dead. */
export const SILENCE_MS = 45_000;

/** The longest wait for an answer to the probe. */
export const PROBE_MS = 2_000;

/** The close code of a bridge that another browser is connected to. */
export const TAKEN = 4009;

/** The longest wait, from the first byte, for a connection's first message. */
export const OPENING_MS = 5_000;

/** The outer world, as the link needs it; a test passes its own. */
export interface World {
  fetch: (url: string, init: { headers: Record<string, string>; signal: AbortSignal }) => Promise<{ status: number }>;
  WebSocket: new (url: string, protocols: string[]) => WebSocket;
  setTimeout: (call: () => void, ms: number) => any;
  clearTimeout: (timer: any) => void;
}

/** Who the link works for. */
export interface Owner {
  /** Read anew at every attempt: the token may have been renewed */
  install: () => Promise<Install | null>;
  self: { version: string; browser: string; worker: string };
  /** Called after each hello */
  opened: () => void;
  receive: (message: Down) => void;
  changed: (state: LinkState) => void;
}

/** The one link of a worker. */
export class Link {
  state: LinkState = { state: 'connecting' };
  /** How many messages came that were not understood. */
  ignored = 0;

  #world;
  #owner;
  #backoff = new Backoff();
  #attempting = false;
  #connection: { socket: WebSocket; port: number; life: AbortController; patience: any } | null = null;
  #retry: any;

  constructor(world: World, owner: Owner) {
    this.#world = world;
    this.#owner = owner;
  }

  /** See to it that the link is open or being opened. */
  async ensure(): Promise<void> {
    if (this.#attempting || this.#connection) return;
    this.#attempting = true;
    this.#world.clearTimeout(this.#retry);
    try {
      await this.#attempt();
    } finally {
      this.#attempting = false;
    }
  }

  /**
   * Send a message, if there is a connection.
   * @returns whether there is one
   */
  send(text: string): boolean {
    const socket = this.#connection?.socket;
    if (socket?.readyState !== 1) return false;
    socket.send(text);
    return true;
  }

  async #attempt() {
    const install = await this.#owner.install();
    if (!install) return this.#become({ state: 'not_installed' });
    const found = await this.#probe(install);
    if (found === 'bridge') return this.#open(install);
    this.#become({ state: found, port: install.port });
    this.#later();
  }

  async #probe({ token, port }: Install): Promise<'bridge' | 'away' | 'refused' | 'stranger'> {
    try {
      const { status } = await this.#world.fetch(`http://127.0.0.1:${port}/health`, {
        headers: { 'X-Gasoline-Token': token },
        signal: AbortSignal.timeout(PROBE_MS),
      });
      if (status === 200) return 'bridge';
      if (status >= 500) return 'away';
      return status === 401 || status === 403 ? 'refused' : 'stranger';
    } catch {
      return 'away';
    }
  }

  #open({ token, port }: Install) {
    const socket = new this.#world.WebSocket(`ws://127.0.0.1:${port}/link`, ['gasoline.v1', `token.${token}`]);
    const life = new AbortController();
    const { signal } = life;
    this.#connection = { socket, port, life, patience: undefined };
    this.#wait(OPENING_MS);
    socket.addEventListener('open', () => this.#greet(), { signal });
    socket.addEventListener('message', ({ data }) => this.#hear(data), { signal });
    socket.addEventListener('close', ({ code }) => (code === TAKEN ? this.#yield() : this.#lose()), { signal });
  }

  #greet() {
    this.send(JSON.stringify(hello(this.#owner.self)));
    this.#owner.opened();
  }

  #hear(data: unknown) {
    this.#wait(SILENCE_MS);
    const message = read(data);
    if (!message) this.ignored++;
    else if (message.type === 'welcome') this.#settle(message);
    else this.#owner.receive(message);
  }

  #settle({ name, version }: Welcome) {
    this.#backoff.reset();
    if (this.#connection) this.#become({ state: 'connected', port: this.#connection.port, name, version });
  }

  /** Give the connection up unless it says something in time. */
  #wait(ms: number) {
    const connection = this.#connection;
    if (!connection) return;
    this.#world.clearTimeout(connection.patience);
    connection.patience = this.#world.setTimeout(() => this.#lose(), ms);
  }

  /** Let go of the connection without waiting for its close event, which a dead one sends late; try again. */
  #lose() {
    const port = this.#drop();
    if (port === undefined) return;
    this.#become({ state: 'away', port });
    this.#later();
  }

  /** Leave the bridge to the browser that has it, until an alarm asks again. */
  #yield() {
    const port = this.#drop();
    if (port !== undefined) this.#become({ state: 'taken', port });
  }

  /** Returns the port of the connection that was dropped, if there was one */
  #drop(): number | undefined {
    const connection = this.#connection;
    if (!connection) return undefined;
    this.#connection = null;
    this.#world.clearTimeout(connection.patience);
    connection.life.abort();
    connection.socket.close();
    return connection.port;
  }

  #later() {
    this.#retry = this.#world.setTimeout(() => this.ensure(), this.#backoff.next());
  }

  #become(state: LinkState) {
    if (JSON.stringify(state) === JSON.stringify(this.state)) return;
    this.state = state;
    this.#owner.changed(state);
  }
}
