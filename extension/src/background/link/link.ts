// Keeps one WebSocket to the bridge open while there is a bridge.
//
// A refused WebSocket leaves an error on chrome://extensions, a refused fetch does not: so a probe comes first.
// Timers die with the worker; the events that wake it call `ensure`, any number of times.

import type { LinkState } from '../../shared/link_states.ts';
import { Backoff } from './backoff.ts';
import { type Down, hello, read, type Welcome } from './messages.ts';

export type Install = { token: string; port: number };

/** The bridge sends a message every 20 s; a connection without one for more than twice that is dead. */
export const SILENCE_MS = 45_000;

const PROBE_MS = 2_000;

/** The close code of a bridge that another browser is connected to. */
export const TAKEN = 4009;

/** The longest wait, from the first byte, for a connection's first message. */
export const OPENING_MS = 5_000;

/** The part of the global object that is used; a test passes its own. */
interface World {
  fetch: (url: string, init: { headers: Record<string, string>; signal: AbortSignal }) => Promise<{ status: number }>;
  WebSocket: new (url: string, protocols: string[]) => WebSocket;
  setTimeout: (call: () => void, ms: number) => any;
  clearTimeout: (timer: any) => void;
}

interface Owner {
  /** Called at every attempt: the token may have been renewed. */
  install: () => Promise<Install | null>;
  self: { version: string; browser: string; worker: string };
  /** Called after each hello. */
  opened: () => void;
  receive: (message: Down) => void;
  changed: (state: LinkState) => void;
}

export class Link {
  state: LinkState = { state: 'connecting' };
  /** The number of messages that were not understood. */
  ignored = 0;

  #world;
  #owner;
  #backoff = new Backoff();
  #attempting = false;
  #connection: { socket: WebSocket; port: number; life: AbortController; silence: any } | null = null;
  #retry: any;

  constructor(world: World, owner: Owner) {
    this.#world = world;
    this.#owner = owner;
  }

  /** Open the link, unless it is open or being opened. */
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

  /** Send a message if there is a connection; return whether there is one. */
  send(text: string): boolean {
    const socket = this.#connection?.socket;
    if (socket?.readyState !== 1) return false;
    socket.send(text);
    return true;
  }

  async #attempt() {
    const install = await this.#owner.install();
    if (!install) return this.#setState({ state: 'not_installed' });
    const found = await this.#probe(install);
    if (found === 'bridge') return this.#open(install);
    this.#setState({ state: found, port: install.port });
    this.#retryLater();
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
    this.#connection = { socket, port, life, silence: undefined };
    this.#expectMessage(OPENING_MS);
    socket.addEventListener('open', () => this.#greet(), { signal });
    socket.addEventListener('message', ({ data }) => this.#receive(data), { signal });
    socket.addEventListener('close', ({ code }) => (code === TAKEN ? this.#yield() : this.#lose()), { signal });
  }

  #greet() {
    this.send(JSON.stringify(hello(this.#owner.self)));
    this.#owner.opened();
  }

  #receive(data: unknown) {
    this.#expectMessage(SILENCE_MS);
    const message = read(data);
    if (!message) this.ignored++;
    else if (message.type === 'welcome') this.#welcomed(message);
    else this.#owner.receive(message);
  }

  #welcomed({ name, version }: Welcome) {
    this.#backoff.reset();
    if (this.#connection) this.#setState({ state: 'connected', port: this.#connection.port, name, version });
  }

  /** Drop the connection unless a message comes in time. */
  #expectMessage(ms: number) {
    const connection = this.#connection;
    if (!connection) return;
    this.#world.clearTimeout(connection.silence);
    connection.silence = this.#world.setTimeout(() => this.#lose(), ms);
  }

  /** Drop the connection without waiting for its close event, which a dead one sends late; try again. */
  #lose() {
    const port = this.#drop();
    if (port === undefined) return;
    this.#setState({ state: 'away', port });
    this.#retryLater();
  }

  /** Leave the bridge to the browser that has it until the next alarm. */
  #yield() {
    const port = this.#drop();
    if (port !== undefined) this.#setState({ state: 'taken', port });
  }

  #drop(): number | undefined {
    const connection = this.#connection;
    if (!connection) return undefined;
    this.#connection = null;
    this.#world.clearTimeout(connection.silence);
    connection.life.abort();
    connection.socket.close();
    return connection.port;
  }

  #retryLater() {
    this.#retry = this.#world.setTimeout(() => this.ensure(), this.#backoff.nextMs());
  }

  #setState(state: LinkState) {
    if (JSON.stringify(state) === JSON.stringify(this.state)) return;
    this.state = state;
    this.#owner.changed(state);
  }
}
