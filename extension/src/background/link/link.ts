// Keeps one WebSocket to the bridge open while there is a bridge.
//
// A refused WebSocket leaves an error on chrome://extensions, a refused fetch does not: so a probe comes first.
// Timers die with the worker; the events that wake it call `ensure`, any number of times.
// The token is never sent: each end proves that it has it, and before both have, nothing else is sent or read.

import type { LinkState } from '../../shared/link_states.ts';
import { Backoff } from './backoff.ts';
import { type Down, hello, read, type Welcome } from './messages.ts';
import { type Crypto, type Exchange, isSame, Question } from './proof.ts';

/** `welcome`: a person is to be guided by the first-run page. */
export type Install = { token: string; port: number; welcome?: boolean };

/** The bridge sends a message every 20 s; a connection without one for more than twice that is dead. */
export const SILENCE_MS = 45_000;

const PROBE_MS = 2_000;

/** What a stranger answers is not trusted to be short. */
const PROOF_BYTES_MAX = 1_000;

/** The close code of a bridge that another browser is connected to. */
export const TAKEN = 4009;

/** How long a bridge that another browser has is left alone: it is ours within 2 s of that one's end. */
export const TAKEN_MS = 1_000;

/** The longest wait, from the first byte, for a connection's first message. */
export const OPENING_MS = 5_000;

/** The part of the global object that is used; a test passes its own. */
interface World {
  fetch: (url: string, init: RequestInit) => Promise<Pick<Response, 'status' | 'headers' | 'json'>>;
  crypto: Crypto;
  WebSocket: new (url: string, protocols: string[]) => WebSocket;
  setTimeout: (call: () => void, ms: number) => any;
  clearTimeout: (timer: any) => void;
}

interface Owner {
  /** Called at every attempt: the token may have been renewed. */
  install: () => Promise<Install | null>;
  self: { version: string; browser: string; worker: string };
  /** The id of a packed copy, which is paired by a code. */
  packedId: string | undefined;
  /** Called after each hello. */
  opened: () => void;
  receive: (message: Down) => void;
  changed: (state: LinkState) => void;
  /** Called while another browser has the bridge: nothing else keeps this worker alive. */
  waits: () => void;
}

/** `welcome`: the proof that its first message must hold; empty once it has come. */
type Connection = { socket: WebSocket; port: number; welcome: string; life: AbortController; silence: any };

export class Link {
  state: LinkState = { state: 'connecting' };
  /** The number of messages that were not understood. */
  ignored = 0;

  #world;
  #owner;
  #backoff = new Backoff();
  #attempting = false;
  #connection: Connection | null = null;
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

  /** Send a message if there is a connection that has proved itself; return whether there is one. */
  send(text: string): boolean {
    const { socket, welcome } = this.#connection ?? {};
    if (socket?.readyState !== 1 || welcome) return false;
    socket.send(text);
    return true;
  }

  async #attempt() {
    const install = await this.#owner.install();
    if (!install) return this.#setState(this.#without());
    const found = await this.#probe(install);
    if (typeof found === 'object') return this.#open(install.port, found);
    this.#setState(found === 'refused' ? this.#refused(install.port) : { state: found, port: install.port });
    this.#retryLater();
  }

  async #probe({ token, port }: Install): Promise<Exchange | 'away' | 'refused' | 'stranger'> {
    const question = new Question(this.#world.crypto, token, port);
    try {
      const url = `http://127.0.0.1:${port}/proof?nonce=${question.nonce}`;
      const signal = AbortSignal.timeout(PROBE_MS);
      const answer = await this.#world.fetch(url, {
        signal,
        redirect: 'manual',
        credentials: 'omit',
        cache: 'no-store',
      });
      if (answer.status >= 500) return 'away';
      const size = Number(answer.headers.get('content-length') ?? PROOF_BYTES_MAX);
      if (answer.status !== 200 || size >= PROOF_BYTES_MAX) return 'stranger';
      return (await question.answered(await answer.json())) ?? 'refused';
    } catch (fault) {
      return fault instanceof SyntaxError ? 'stranger' : 'away';
    }
  }

  #open(port: number, { shown, welcome }: Exchange) {
    const socket = new this.#world.WebSocket(`ws://127.0.0.1:${port}/link`, ['gasoline.v1', `proof.${shown}`]);
    const life = new AbortController();
    const { signal } = life;
    this.#connection = { socket, port, welcome, life, silence: undefined };
    this.#expectMessage(OPENING_MS);
    socket.addEventListener('message', ({ data }) => this.#receive(data), { signal });
    socket.addEventListener('close', ({ code }) => (code === TAKEN ? this.#yield() : this.#lose()), { signal });
  }

  #receive(data: unknown) {
    const connection = this.#connection;
    if (!connection) return;
    const message = read(data);
    if (connection.welcome) return this.#welcomed(connection, message);
    this.#expectMessage(SILENCE_MS);
    if (!message || message.type === 'welcome') this.ignored++;
    else this.#owner.receive(message);
  }

  /** Begin, if the first message proves that the socket's other end is the one that answered the probe. */
  #welcomed(connection: Connection, message: Down | null) {
    if (message?.type !== 'welcome' || !isSame(message.proof, connection.welcome)) return this.#refuse();
    connection.welcome = '';
    this.#expectMessage(SILENCE_MS);
    this.#backoff.reset();
    const { name, version } = message as Welcome;
    this.#setState({ state: 'connected', port: connection.port, name, version });
    this.send(JSON.stringify(hello(this.#owner.self)));
    this.#owner.opened();
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
    const isRefused = this.#owner.packedId && this.#connection?.welcome; // what is no more paired, or not yet
    const port = this.#drop();
    if (port === undefined) return;
    this.#setState(isRefused ? this.#without() : { state: 'away', port });
    this.#retryLater();
  }

  /** Leave what has not proved itself; ask again later. */
  #refuse() {
    const port = this.#drop();
    if (port === undefined) return;
    this.#setState(this.#refused(port));
    this.#retryLater();
  }

  /** Leave the bridge to the browser that has it, and ask again in a while. */
  #yield() {
    const port = this.#drop();
    if (port === undefined) return;
    this.#setState({ state: 'taken', port });
    this.#owner.waits();
    this.#retry = this.#world.setTimeout(() => this.ensure(), TAKEN_MS);
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

  #without(): LinkState {
    const id = this.#owner.packedId;
    return id ? { state: 'not_paired', id } : { state: 'not_installed' };
  }

  #refused(port: number): LinkState {
    const id = this.#owner.packedId;
    return { state: 'refused', port, ...(id && { id }) };
  }

  #setState(state: LinkState) {
    if (JSON.stringify(state) === JSON.stringify(this.state)) return;
    this.state = state;
    this.#owner.changed(state);
  }
}
