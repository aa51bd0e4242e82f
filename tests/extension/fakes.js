// A clock that a test moves, and a socket, a server and a storage area with the real ones' interface; nothing of ours is replaced.

import { createHmac, randomFillSync } from 'node:crypto';

/** Timers that fire when the test says so. */
export class FakeClock {
  now = 0;
  #timers = new Map();
  #number = 0;

  setTimeout = (call, ms) => {
    this.#timers.set(++this.#number, { call, at: this.now + ms });
    return this.#number;
  };

  clearTimeout = (number) => this.#timers.delete(number);

  /** Let time pass, firing what is due in its order, and whatever that sets off. */
  async pass(ms) {
    const end = this.now + ms;
    await turn();
    for (let due; (due = this.#next(end)); ) {
      const [number, { call, at }] = due;
      this.now = at;
      this.#timers.delete(number);
      call();
      await turn();
    }
    this.now = end;
  }

  #next(end) {
    const due = [...this.#timers].filter(([, { at }]) => at <= end);
    return due.sort(([, one], [, other]) => one.at - other.at)[0];
  }
}

/** Let every promise that is settled run its reactions. */
export const turn = () => new Promise((done) => setImmediate(done));

export const WELCOME = { type: 'welcome', name: 'gasoline', version: '0.2.0' };

/** Web Crypto's HMAC without its threads, which no turn waits for. */
const CRYPTO = {
  getRandomValues: randomFillSync,
  subtle: {
    importKey: async (_format, key) => key,
    sign: async (_name, key, text) => createHmac('sha256', key).update(text).digest(),
  },
};

/** The nonce of the fake server. */
export const NONCE = '0f'.repeat(32);

/** A server at the other end: up or not, and every socket that was opened to it. */
export class FakeServer {
  up = true;
  status = 200;
  sockets = [];
  probes = 0;

  /** What it answers the probe instead of JSON. */
  answer;
  token = 'secret';
  port = 7890;

  /** The proof of an end, as gasoline_bridge/chrome/proof.py makes it. */
  prove(role, client, nonce) {
    return createHmac('sha256', this.token).update(`gasoline.v1 ${role} ${this.port} ${client} ${nonce}`).digest('hex');
  }

  /** Answer a probe; a test gives it another one. */
  proof() {
    return { nonce: NONCE, proof: this.prove('server', this.client, NONCE) };
  }

  /** Open the last socket, and prove itself on it. */
  welcome() {
    this.socket.open();
    this.socket.say({ ...WELCOME, proof: this.prove('welcome', this.client, NONCE) });
  }

  /** The world of a Link. */
  world(clock) {
    const server = this;
    return {
      crypto: CRYPTO,
      setTimeout: clock.setTimeout,
      clearTimeout: clock.clearTimeout,
      fetch: async (url) => {
        server.probes++;
        server.asked = url;
        server.client = new URL(url).searchParams.get('nonce');
        if (!server.up) throw new TypeError('Failed to fetch');
        const text = server.answer ?? JSON.stringify(server.proof());
        const headers = new Headers({ 'content-length': `${text.length}` });
        return { status: server.status, headers, json: async () => JSON.parse(text) };
      },
      WebSocket: class extends FakeSocket {
        constructor(url, protocols) {
          super(url, protocols);
          server.sockets.push(this);
        }
      },
    };
  }

  get socket() {
    return this.sockets.at(-1);
  }
}

/** A WebSocket whose other end is the test. */
export class FakeSocket extends EventTarget {
  readyState = 0;
  sent = [];

  constructor(url, protocols) {
    super();
    this.url = url;
    this.protocols = protocols;
  }

  open() {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }

  say(message) {
    const data = typeof message === 'string' ? message : JSON.stringify(message);
    this.dispatchEvent(Object.assign(new Event('message'), { data }));
  }

  end(code = 1006) {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event('close'), { code }));
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.readyState = 2; // a dead peer never answers the closing handshake: no event
  }
}

/** A chrome.storage area, which keeps copies, and like Chrome's not the order in which they were written. */
export class FakeArea {
  items = {};
  full = false;
  closed = false;

  async get() {
    if (this.closed) throw new Error('The storage cannot be read.');
    return structuredClone(Object.fromEntries(Object.entries(this.items).sort()));
  }

  async set(items) {
    if (this.full) throw new Error('Session storage quota bytes exceeded. Values were not stored.');
    Object.assign(this.items, structuredClone(items));
  }

  async remove(keys) {
    for (const key of keys) delete this.items[key];
  }
}

/** Make the id that stands at a place. */
export const idOf = (number) => number.toString(16).padStart(32, '0');

/** Make a chunk with its number for an id, as a content script sends it. */
export const chunkOf = (number, events = [{ ts: 1, type: 'console', level: 'log', args: [number] }]) => ({
  id: idOf(number),
  load: '5f3a9c01',
  page: 'http://localhost:3000/',
  events,
});

/** Make a chunk as the worker places it. */
export const placedChunk = (number, events) => ({ ...chunkOf(number, events), tab: 12, frame: 0 });
