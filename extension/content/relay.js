// Takes the events of the page's world and of this one to the service worker; it must lose none silently, and trust no one.
//
// First of all files: the page's world says hello before the page's own scripts run, and says it once.

'use strict';

/** @typedef {import('../shared/events.js').Capture} Capture */
/** @typedef {(event: import('../shared/events.js').ToldEvent) => void} CaptureEvent */

/** @typedef {{capture: CaptureEvent, preset: (part: Partial<Capture>) => void, flush: () => Chunk[]}} Relay */

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

/** @returns {Relay} */
function makeRelay() {
  /** Milliseconds: until a chunk is sent, before it is sent again, at first and at most. */
  const GATHER = 25;
  const RETRY = 100;
  const PATIENCE = 5000;

  const soon = new MessageChannel();
  const ended = new AbortController();
  const queue = makeQueue(randomHex(4), randomHex, now);
  /** @type {Capture} */
  let wanted = { on: true, websockets: true, bodies: false };
  /** @type {EventTarget | undefined} */
  let page;
  let gathering = false;
  let retrying = false;
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
    tellPage();
  }

  function tellPage() {
    page?.dispatchEvent(new CustomEvent('c', { detail: JSON.stringify(wanted) }));
  }

  /**
   * @param {import('../shared/events.js').CapturedEvent} event
   * @param {number} size
   */
  function take(event, size) {
    if (ended.signal.aborted || !wanted.on) return;
    if (address !== location.href) {
      send();
      address = location.href;
    }
    queue.add(event, size, address.slice(0, STRING));
    if (queue.full) send();
    else if (!gathering) gather();
  }

  function gather() {
    gathering = true;
    if (document.visibilityState === 'visible') setTimeout(send, GATHER);
    else soon.port1.postMessage(null);
  }

  function send() {
    gathering = false;
    const chunk = queue.cut();
    if (chunk && !retrying) post([chunk]);
  }

  /** @param {Chunk[]} chunks */
  async function post(chunks) {
    if (!chrome.runtime?.id) return end();
    try {
      const reply = await chrome.runtime.sendMessage({ name: 'events', chunks });
      if (!isCapture(reply?.capture)) throw new Error('The service worker did not take the events.');
      queue.settle(chunks.map(({ id }) => id));
      retry = RETRY;
      if (JSON.stringify(reply.capture) !== JSON.stringify(wanted)) want(reply.capture);
    } catch {
      postAgain();
    }
  }

  function postAgain() {
    if (!chrome.runtime?.id) return end();
    if (retrying) return;
    retrying = true;
    setTimeout(() => {
      retrying = false;
      const chunks = queue.waiting();
      if (chunks.length) post(chunks);
    }, retry);
    retry = Math.min(retry * 2, PATIENCE);
  }

  /** The extension was reloaded or removed: another relay takes over, or none. */
  function end() {
    ended.abort();
    queue.clear();
    want({ on: false, websockets: false, bodies: false });
  }

  /** The page may be gone at the next moment: nothing waits. */
  function leave() {
    send();
    const chunks = queue.waiting();
    if (retrying && chunks.length) post(chunks);
  }

  soon.port2.onmessage = send;
  const { signal } = ended;
  addEventListener('pagehide', leave, { capture: true, signal });
  document.addEventListener('visibilitychange', send, { capture: true, signal });
  document.addEventListener(
    'gasoline',
    (event) => {
      event.stopImmediatePropagation();
      page = /** @type {MouseEvent} */ (event).relatedTarget ?? undefined;
      page?.addEventListener('e', (said) => {
        const { detail } = /** @type {CustomEvent} */ (said);
        const event = readEvent(detail);
        if (event) take(event, detail.length);
      });
      tellPage();
    },
    { capture: true, once: true },
  );
  chrome.runtime.onMessage.addListener((said, sender, reply) => {
    if (sender.id !== chrome.runtime.id) return;
    if (said?.name === 'capture' && isCapture(said.capture)) want(said.capture);
    if (said?.name === 'relay') reply({ early: page !== undefined });
  });

  return {
    capture: (event) => {
      const whole = /** @type {import('../shared/events.js').CapturedEvent} */ ({ ts: now(), ...event });
      take(bounded(whole), JSON.stringify(whole).length);
    },
    preset: (part) => want({ ...wanted, ...part }),
    flush: () => {
      send();
      return queue.waiting();
    },
  };
}

relay ??= makeRelay();
