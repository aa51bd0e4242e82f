// Takes the events of the page's world and of this one to the service worker; it must lose none silently, and trust no one.
//
// The page's world says hello before the page's own scripts run, and says it once: this file must be there by then.

'use strict';

/** @typedef {import('../shared/events.js').Capture} Capture */
/** @typedef {(event: import('../shared/events.js').ToldEvent) => void} CaptureEvent */

/** @typedef {{capture: CaptureEvent, preset: (part: Partial<Capture>) => void, flush: () => Chunk[], faults: () => number}} Relay */

/** @type {Relay | undefined}  made once in this world, however often the files are injected */
var relay;

/**
 * Take an event of this world; without `ts`, it is now.
 * @type {CaptureEvent}
 */
function capture(event) {
  relay?.capture(event);
}

/**
 * Set what is to be captured before the service worker can say so.
 * @param {Partial<Capture>} part
 */
function presetCapture(part) {
  relay?.preset(part);
}

/**
 * Send what is queued, and give copies of all that has no reply yet.
 * @returns {Chunk[]}
 */
function flushEvents() {
  return relay?.flush() ?? [];
}

/** @returns {number}  how many errors this frame has told so far, those on its console included */
function errorsSeen() {
  return relay?.faults() ?? 0;
}

/** @returns {Relay} */
function makeRelay() {
  /** Milliseconds: until a chunk is cut, before chunks are sent again, at first and at most. */
  const GATHER = 25;
  const RETRY = 100;
  const PATIENCE = 5000;

  let faults = 0;
  const soon = new MessageChannel();
  const ended = new AbortController();
  const queue = makeQueue(randomHex(4), randomHex, now);
  /** @type {Capture} */
  let wanted = { on: true, websockets: true, bodies: false };
  /** @type {EventTarget | undefined} */
  let page;
  let gathering = false;
  let posting = false;
  let retrying = false;
  let leaving = false;
  let round = 0; // counts the times that this page came back: what was on its way before may never be answered
  let retry = RETRY;
  let address = location.href;

  /** @param {number} bytes */
  function randomHex(bytes) {
    return [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  }

  function now() {
    return performance.timeOrigin + performance.now();
  }

  /** @param {Capture} next */
  function want(next) {
    wanted = next;
    page?.dispatchEvent(new CustomEvent('c', { detail: JSON.stringify(wanted) }));
  }

  /** @param {string} type */
  function takes(type) {
    return !ended.signal.aborted && wanted.on && (type === 'dropped' || queue.admits(type));
  }

  /**
   * @param {import('../shared/events.js').CapturedEvent} event
   * @param {number} size
   */
  function take(event, size) {
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

  /**
   * @param {Chunk[]} chunks  none to ask what is wanted
   * @returns {Promise<boolean>}  whether they are safe
   */
  async function handed(chunks) {
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
    retry = Math.min(retry * 2, PATIENCE);
  }

  /** The extension was reloaded or removed: another relay takes over, or none. */
  function end() {
    ended.abort();
    queue.clear();
    want({ on: false, websockets: false, bodies: false });
  }

  /**
   * The page may be gone at the next moment, and its own listeners come after this one: from now on nothing waits.
   * @param {PageTransitionEvent} event
   */
  function leave({ isTrusted }) {
    if (!isTrusted) return;
    leaving = true;
    if (retrying) queue.fail();
    send();
  }

  /**
   * A page that comes back out of the cache has heard nothing of what was set meanwhile.
   * @param {PageTransitionEvent} event
   */
  function comeBack({ persisted, isTrusted }) {
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

  /**
   * Hear the page's world say hello.
   * @param {Event} event
   */
  function meet(event) {
    event.stopImmediatePropagation();
    page = /** @type {MouseEvent} */ (event).relatedTarget ?? undefined;
    page?.addEventListener('e', (said) => {
      const { detail } = /** @type {CustomEvent} */ (said);
      const event = readEvent(detail);
      if (event && takes(event.type)) take(event, detail.length);
    });
    page?.addEventListener('d', (said) => hearDialog(/** @type {CustomEvent} */ (said).detail));
    want(wanted);
  }

  soon.port2.onmessage = send;
  const { signal } = ended;
  hearAlways('pagehide', leave, { capture: true, signal });
  hearAlways('pageshow', comeBack, { capture: true, signal });
  hearAlways('visibilitychange', send, { capture: true, signal });
  if (typeof late === 'undefined') document.addEventListener('gasoline', meet, { capture: true, once: true });
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

relay ??= makeRelay();
