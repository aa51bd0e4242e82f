// Sends the events of the page's world and of this one to the service worker; it must lose none silently, and trust neither world.
//
// The page's world connects before the page's own scripts run, and tries once: this file must be there by then.

import type { Capture, CapturedEvent, Chunk } from '../../shared/events.ts';
import { frame, type Relay } from '../frame.ts';
import { receiveDialog } from './dialog_watch.ts';
import { listenAlways } from './persistent_listeners.ts';
import { makeQueue } from './queue.ts';
import { bounded, isCapture, readEvent, STRING } from './validate.ts';

function makeRelay(): Relay {
  /** Milliseconds: until a chunk is cut, before chunks are sent again, at first and at most. */
  const GATHER = 25;
  const RETRY = 100;
  const RETRY_MOST = 5000;

  let faults = 0;
  const soon = new MessageChannel();
  const ended = new AbortController();
  const queue = makeQueue(randomHex(4), randomHex, now);
  let wanted: Capture = { on: true, websockets: true, bodies: false };
  let page: EventTarget | undefined;
  let gathering = false;
  let posting = false;
  let retrying = false;
  let leaving = false;
  let round = 0; // counts the times that this page came back: what was on its way before may never be answered
  let retry = RETRY;
  let address = location.href;

  function randomHex(bytes: number) {
    return [...crypto.getRandomValues(new Uint8Array(bytes))]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('');
  }

  function now() {
    return performance.timeOrigin + performance.now();
  }

  function want(next: Capture) {
    wanted = next;
    page?.dispatchEvent(new CustomEvent('c', { detail: JSON.stringify(wanted) }));
  }

  function takes(type: string) {
    return !ended.signal.aborted && wanted.on && (type === 'dropped' || queue.admits(type));
  }

  function take(event: CapturedEvent, size: number) {
    if (address !== location.href) {
      queue.cut();
      address = location.href;
    }
    queue.add(event, size, address.slice(0, STRING));
    if (event.type === 'error' || (event.type === 'console' && event.level === 'error')) faults++;
    if (queue.full || leaving) send();
    else if (!gathering) gather();
  }

  function gather() {
    gathering = true;
    if (document.visibilityState === 'visible') setTimeout(send, GATHER);
    else soon.port1.postMessage(null);
  }

  /** Cut what is queued; one message at a time is on its way, so that what follows it cannot overtake it. */
  function send() {
    gathering = false;
    queue.cut();
    if (leaving || (!posting && !retrying)) post();
  }

  async function post() {
    const chunks = queue.begin();
    if (!chunks.length) return;
    if (!chrome.runtime?.id) return end();
    const mine = round;
    posting = true;
    const taken = await handed(chunks);
    if (taken) queue.settle(chunks.map(({ id }) => id));
    if (mine !== round) return;
    posting = false;
    if (!taken) return postAgain();
    retry = RETRY;
    post();
  }

  /** Send chunks, or none to ask what is wanted. Return whether they are safe. */
  async function handed(chunks: Chunk[]): Promise<boolean> {
    try {
      const reply = await chrome.runtime.sendMessage({ name: 'events', chunks });
      if (!isCapture(reply?.capture)) return false;
      want(reply.capture);
      return true;
    } catch {
      return false;
    }
  }

  function postAgain() {
    if (!chrome.runtime?.id) return end();
    if (retrying) return;
    retrying = true;
    setTimeout(() => {
      retrying = false;
      queue.fail();
      post();
    }, retry);
    retry = Math.min(retry * 2, RETRY_MOST);
  }

  /** The extension was reloaded or removed: another relay takes over, or none. */
  function end() {
    ended.abort();
    queue.clear();
    want({ on: false, websockets: false, bodies: false });
  }

  /**
   * The page may be gone at the next moment, and its own listeners come after this one: from now on nothing waits.
   */
  function leave({ isTrusted }: PageTransitionEvent) {
    if (!isTrusted) return;
    leaving = true;
    if (retrying) queue.fail();
    send();
  }

  /** A page that comes back out of the cache has missed all changes of the settings. */
  function comeBack({ persisted, isTrusted }: PageTransitionEvent) {
    if (!isTrusted) return;
    leaving = false;
    if (!persisted) return;
    want({ ...wanted, bodies: false });
    handed([]);
    round += 1;
    posting = false;
    queue.fail();
    post();
  }

  /** Connect to the page's world. */
  function meet(event: Event) {
    event.stopImmediatePropagation();
    page = (event as MouseEvent).relatedTarget ?? undefined;
    page?.addEventListener('e', (said) => {
      const { detail } = said as CustomEvent;
      const event = readEvent(detail);
      if (event && takes(event.type)) take(event, detail.length);
    });
    page?.addEventListener('d', (said) => receiveDialog((said as CustomEvent).detail));
    want(wanted);
  }

  soon.port2.onmessage = send;
  const { signal } = ended;
  listenAlways('pagehide', leave, { capture: true, signal });
  listenAlways('pageshow', comeBack, { capture: true, signal });
  listenAlways('visibilitychange', send, { capture: true, signal });
  if (!frame.injectedLate) document.addEventListener('gasoline', meet, { capture: true, once: true });
  chrome.runtime.onMessage.addListener((said, sender, reply) => {
    if (sender.id !== chrome.runtime.id) return;
    if (said?.name === 'capture' && isCapture(said.capture)) want(said.capture);
    if (said?.name === 'relay') reply({ early: page !== undefined });
  });

  return {
    capture: (event) => {
      if (!takes(event.type)) return;
      const whole = bounded({ ts: now(), ...event });
      take(whole, JSON.stringify(whole).length);
    },
    preset: (part) => want({ ...wanted, ...part }),
    flush: () => {
      send();
      return queue.waiting();
    },
    faults: () => faults,
  };
}

export function startRelay() {
  frame.relay = makeRelay();
}
