// Sends the events of the page's world and of this one to the service worker; it must lose none silently, and trust neither world.
//
// The page's world connects before the page's own scripts run, and tries once: this file must be there by then.

import type { PageRequest } from '../../shared/counted_faults.ts';
import type { Capture, CapturedEvent, Chunk, NetworkEvent, Untimed } from '../../shared/events.ts';
import { randomHex } from '../../shared/random_hex.ts';
import { frame, type Relay, type Requests } from '../frame.ts';
import { type FaultEvent, type FaultText, faultText } from '../record/fault_text.ts';
import { receiveDialog } from './dialog_watch.ts';
import { listenAlways } from './persistent_listeners.ts';
import { makeQueue } from './queue.ts';
import { SocketTurns } from './socket_turns.ts';
import { bounded, isCapture, readEvent, STRING } from './validate.ts';

/** Milliseconds: until a chunk is cut, before chunks are sent again, at first and at most. */
const GATHER = 25;
const RETRY = 100;
const RETRY_MOST = 5000;

/** Of so many faults the texts are kept, and of so many requests the outcome. */
const KEPT_FAULTS = 20;
const KEPT_REQUESTS = 50;

class EventRelay implements Relay {
  #faults = 0;
  #faultTexts: FaultText[] = []; // of the last ones
  #socketMessages = 0;
  readonly #requests: Requests = { asked: 0, answered: 0 };
  readonly #over: PageRequest[] = [];
  readonly #socketTurns = new SocketTurns();
  #soon: MessagePort | undefined; // made when it is needed: a channel takes a third of a millisecond of each frame's load
  #ended = new AbortController();
  #queue = makeQueue(randomHex(4), randomHex, now);
  #wanted: Capture = { on: true, websockets: true, bodies: false };
  #page: EventTarget | undefined;
  #gathering = false;
  #posting = false;
  #retrying = false;
  #leaving = false;
  #round = 0; // counts the times that this page came back: what was on its way before may never be answered
  #retry = RETRY;
  #address = location.href;

  constructor() {
    const { signal } = this.#ended;
    listenAlways('pagehide', (event) => this.#leave(event), { capture: true, signal });
    listenAlways('pageshow', (event) => this.#comeBack(event), { capture: true, signal });
    listenAlways('visibilitychange', () => this.#send(), { capture: true, signal });
    if (!frame.injectedLate) {
      document.addEventListener('gasoline', (event) => this.#connect(event), { capture: true, once: true });
    }
    chrome.runtime.onMessage.addListener((message, sender, reply) => {
      if (sender.id !== chrome.runtime.id) return;
      if (message?.name === 'capture' && isCapture(message.capture)) this.#want(message.capture);
      if (message?.name === 'sites') void this.ask();
      if (message?.name === 'relay') reply({ early: this.#page !== undefined });
    });
  }

  capture(event: Untimed<CapturedEvent>) {
    if (!this.#takes(event.type)) return;
    const whole = bounded({ ts: now(), ...event });
    this.#take(whole, JSON.stringify(whole).length);
  }

  preset(part: Partial<Capture>) {
    this.#want({ ...this.#wanted, ...part });
  }

  async ask() {
    for (let wait = RETRY; !(await this.#handed([])); wait = Math.min(wait * 2, RETRY_MOST)) {
      if (!chrome.runtime?.id) return this.#end();
      await new Promise((done) => setTimeout(done, wait));
    }
  }

  flush() {
    this.#send();
    return this.#queue.waiting();
  }

  faults() {
    return this.#faults;
  }

  faultsSince(before: number) {
    const count = this.#faults - before;
    return { count, texts: count > 0 ? this.#faultTexts.slice(-count) : [] };
  }

  socketMessages() {
    return this.#socketMessages;
  }

  socketAnswers(begun: number) {
    return this.#socketTurns.since(begun);
  }

  requests() {
    return this.#page && this.#wanted.on ? { ...this.#requests } : undefined;
  }

  ended() {
    return [...this.#over];
  }

  #want(next: Capture) {
    this.#wanted = frame.excluded ? { ...next, on: false } : next;
    this.#page?.dispatchEvent(new CustomEvent('c', { detail: JSON.stringify(this.#wanted) }));
  }

  /** What was captured of a site that is excluded now, and was not sent, is never sent. */
  #admit(excluded: boolean) {
    frame.excluded = excluded;
    if (!excluded) return;
    this.#queue.clear();
    frame.removeDrawing?.();
  }

  #takes(type: string) {
    return !this.#ended.signal.aborted && this.#wanted.on && (type === 'dropped' || this.#queue.admits(type));
  }

  #take(event: CapturedEvent, size: number) {
    if (this.#address !== location.href) {
      this.#queue.cut();
      this.#address = location.href;
    }
    this.#queue.add(event, size, this.#address.slice(0, STRING));
    if (event.type === 'error' || (event.type === 'console' && event.level === 'error')) this.#count(event);
    if (event.type === 'network' && isRequest(event)) this.#answer(event);
    if (event.type === 'websocket' && event.event === 'message') {
      this.#socketMessages++;
      if (event.direction) this.#socketTurns.took(event.id, event.direction, event.size);
    }
    if (this.#queue.full || this.#leaving) this.#send();
    else if (!this.#gathering) this.#gather();
  }

  #count(event: FaultEvent) {
    this.#faults++;
    this.#faultTexts.push(faultText(event));
    if (this.#faultTexts.length > KEPT_FAULTS) this.#faultTexts.shift();
  }

  #answer({ url, method, ts, duration, status, responseSize: size, error }: NetworkEvent) {
    this.#requests.answered++;
    this.#over.push({
      url,
      method,
      ts,
      duration,
      status,
      ...(size !== undefined && { size }),
      ...(error && { error }),
    });
    if (this.#over.length > KEPT_REQUESTS) this.#over.shift();
  }

  #gather() {
    this.#gathering = true;
    if (document.visibilityState === 'visible') setTimeout(() => this.#send(), GATHER);
    else (this.#soon ??= this.#channel()).postMessage(null);
  }

  /** Give a port whose messages have it send soon, also in a tab whose timers Chrome slows down. */
  #channel(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    port2.onmessage = () => this.#send();
    return port1;
  }

  /** Cut what is queued; one message at a time is on its way, so that what follows it cannot overtake it. */
  #send() {
    this.#gathering = false;
    this.#queue.cut();
    if (this.#leaving || (!this.#posting && !this.#retrying)) this.#post();
  }

  async #post() {
    const chunks = this.#queue.begin();
    if (!chunks.length) return;
    if (!chrome.runtime?.id) return this.#end();
    const round = this.#round;
    this.#posting = true;
    const taken = await this.#handed(chunks);
    if (taken) this.#queue.settle(chunks.map(({ id }) => id));
    if (round !== this.#round) return;
    this.#posting = false;
    if (!taken) return this.#postAgain();
    this.#retry = RETRY;
    this.#post();
  }

  /** Send chunks, or none to ask what is wanted. Return whether they are safe. */
  async #handed(chunks: Chunk[]): Promise<boolean> {
    try {
      const above = self.origin === 'null' ? [...location.ancestorOrigins] : []; // whose site the frame is of
      const reply = await chrome.runtime.sendMessage({ name: 'events', chunks, above });
      if (!isCapture(reply?.capture)) return false;
      this.#admit(reply.excluded === true);
      this.#want(reply.capture);
      return true;
    } catch {
      return false;
    }
  }

  #postAgain() {
    if (!chrome.runtime?.id) return this.#end();
    if (this.#retrying) return;
    this.#retrying = true;
    setTimeout(() => {
      this.#retrying = false;
      this.#queue.fail();
      this.#post();
    }, this.#retry);
    this.#retry = Math.min(this.#retry * 2, RETRY_MOST);
  }

  /** The extension was reloaded or removed: another relay takes over, or none. */
  #end() {
    this.#ended.abort();
    this.#queue.clear();
    this.#want({ on: false, websockets: false, bodies: false });
  }

  /** The page may be gone at the next moment, and its own listeners come after this one: from now on nothing waits. */
  #leave({ isTrusted }: PageTransitionEvent) {
    if (!isTrusted) return;
    this.#leaving = true;
    if (this.#retrying) this.#queue.fail();
    this.#send();
  }

  /** A page that comes back out of the cache has missed all changes of the settings. */
  #comeBack({ persisted, isTrusted }: PageTransitionEvent) {
    if (!isTrusted) return;
    this.#leaving = false;
    if (!persisted) return;
    this.#want({ ...this.#wanted, bodies: false });
    this.#handed([]);
    this.#round += 1;
    this.#posting = false;
    this.#queue.fail();
    this.#post();
  }

  /** Connect to the page's world. */
  #connect(hello: Event) {
    hello.stopImmediatePropagation();
    this.#page = (hello as MouseEvent).relatedTarget ?? undefined;
    this.#page?.addEventListener('e', (message) => this.#receive((message as CustomEvent).detail));
    this.#page?.addEventListener('a', () => this.#requests.asked++);
    this.#page?.addEventListener('d', (message) => receiveDialog((message as CustomEvent).detail));
    this.#want(this.#wanted);
  }

  #receive(detail: string) {
    const event = readEvent(detail);
    if (event && this.#takes(event.type)) this.#take(event, detail.length);
  }
}

/** Whether it was asked for and answered: a beacon is only sent, a stream stays open. */
function isRequest({ api }: NetworkEvent): boolean {
  return api === 'fetch' || api === 'xhr';
}

function now() {
  return performance.timeOrigin + performance.now();
}

export function startRelay() {
  frame.relay = new EventRelay();
}
