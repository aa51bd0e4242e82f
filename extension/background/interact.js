// Does one action in a page and tells what was measured of it (seed 001); it must not judge: the diff worker does.

import { accessibilityAround } from './accessibility.js';
import { dragOn } from './drag.js';
import { effects } from './effects.js';
import { Failure } from './failure.js';
import { fillForm } from './fill.js';
import { placeIn } from './frames.js';
import { isFault, leadsOf, OpenedTabs, whereIs } from './leads.js';
import { askPage, contentOf } from './pages.js';
import { CAP_MS, settle } from './settle.js';
import { trustedInput } from './trusted.js';

/** @typedef {import('./tabs.js').Tab} Tab */
/** @typedef {import('./settle.js').Pulse} Pulse */
/** @typedef {import('./network.js').Network} Network */

/** What only reads: nothing is watched, and `analyze` costs nothing. */
export const READING = ['get_text', 'get_value', 'get_attribute', 'list_interactive'];

/** What changes the page. */
export const MUTATING = ['click', 'type', 'select', 'check', 'key_press', 'set_attribute', 'hover', 'drag', 'upload', 'fill_form'];

/** What only moves the view or the focus: it is not measured (seed 001, What actions get what). */
export const MOVING = ['focus', 'scroll_to'];

/** How often is looked for what is waited for. */
const LOOK_MS = 50;

/** The longest wait for an element, if not said, and at most. */
const WAIT_MS = 5000;
const WAIT_MOST_MS = 30_000;

const clock = {
  now: () => performance.now(),
  wait: (/** @type {number} */ ms) => new Promise((done) => setTimeout(done, ms)),
};

/**
 * Do what an action says.
 * @param {Tab} page
 * @param {Record<string, unknown>} told  `action`, `analyze`, `frame`, and the action's own arguments
 * @param {AbortSignal} signal
 * @returns {Promise<object>}
 */
export async function interact(page, { frame, ...query }, signal) {
  const { action } = query;
  const tab = await placeIn(page, frame, signal);
  if (action === 'wait_for') return waitFor(tab, query, signal);
  if (READING.includes(String(action))) return { success: true, action, ...(await ask(tab, 'perform', query, signal)) };
  if (MOVING.includes(String(action))) return { success: true, action, ...(await once(tab, 'perform', query, signal)) };
  if (MUTATING.includes(String(action))) return mutate(tab, query, signal);
  throw new Failure('invalid_params', `There is no action ${JSON.stringify(action)}.`, {
    details: { parameter: 'action', value: action },
    recovery: `Actions: ${[...MUTATING, ...MOVING, ...READING, 'wait_for'].join(', ')}.`,
  });
}

/**
 * @param {Tab} tab
 * @param {Record<string, unknown>} query
 * @param {AbortSignal} signal
 */
async function mutate(tab, query, signal) {
  const { action, analyze = false, trusted = false } = query;
  const accessibility = await accessibilityAround(tab, query, signal);
  const input = trusted === true ? await trustedInput(tab) : undefined;
  const effect = effects.begin(tab.id, String(action), (name, asked) => answered(tab, name, asked));
  const { id, network } = effect;
  const begun = clock.now();
  const opened = new OpenedTabs(tab.id);
  try {
    const pulse = async () => /** @type {Pulse} */ (await answered(tab, 'pulse', { id }));
    const settled = () => settle(pulse, network, analyze ? CAP_MS.analyze : CAP_MS.plain, clock);
    const whole = { ...query, id, analyze };
    const done = await (input ? input.perform(whole, signal) : doing(whole, { tab, signal, settled }));
    const rest = await settled();
    signal.throwIfAborted();
    const { holds, ...kept } = contentOf(await answerOf(tab, 'verify', {})) ?? { holds: true }; // a page that went away is not asked again
    const { after, ...seen } = /** @type {any} */ (await answered(tab, 'seen', { id }));
    const tookMs = clock.now() - begun;
    await effect.follow(after);
    const told = { success: true, action, effect: id, ...(await accessibility.found(signal)) };
    Object.assign(told, leadsOf(network.exchanges, seen.gone === true), opened.end());
    if (seen.gone) return { ...told, ...(await whereIs(tab)) };
    const more = { ...(done?.detached && { detached: true }), ...kept, ...(!rest.settled && { settled: false }) };
    return { ...told, ...more, measured: measuredOf(seen, network, tookMs) };
  } catch (fault) {
    effect.drop();
    void answered(tab, 'seen', { id }).then(() => answered(tab, 'aftermath', { id })); // nobody looks any more
    throw fault;
  } finally {
    opened.end();
    input?.end();
  }
}

/**
 * What is done in more than one step asks the page for each of them.
 * @param {Record<string, unknown>} query
 * @param {{tab: Tab, signal: AbortSignal, settled: () => Promise<unknown>}} way
 * @returns {Promise<any>}  what the page said of it
 */
async function doing(query, { tab, signal, settled }) {
  const { id, action, analyze, a11y } = query;
  const next = async (/** @type {string} */ name, /** @type {object} */ more = {}) => {
    signal.throwIfAborted();
    return contentOf(await answerOf(tab, name, { id, ...more })) ?? { gone: true };
  };
  const steps = { next, settled, wait: clock.wait };
  if (action === 'fill_form') return fillForm(query, { ...steps, begin: () => once(tab, 'begin_form', { id, analyze, a11y }, signal) });
  const done = await once(tab, 'perform', query, signal);
  if (action === 'drag') await dragOn(steps, () => answered(tab, 'drag_step', { id, cancel: true }));
  return done;
}

/**
 * Put together what the page and the network saw, by the page's clock, in the shape that the diff worker takes.
 * @param {any} seen
 * @param {import('./network.js').Network} network
 * @param {number} tookMs
 * @param {number} [begun]
 */
function measuredOf({ timing, resources, console_errors, ...seen }, network, tookMs, begun = network.begun) {
  const requests = network.exchanges.map((exchange) => requestOf(exchange, timing.start - begun, resources ?? []));
  const ends = requests.map(({ start, duration }) => start + (duration ?? 0));
  const failed_requests = network.exchanges.filter(({ status, error }) => status >= 400 || isFault(error)).length;
  return {
    ...seen,
    timing: { start: timing.start, end: Math.max(timing.end, ...ends), settled: timing.start + tookMs },
    ...(resources && { requests }),
    effects: { ...(console_errors && { console_errors }), ...(failed_requests && { failed_requests }) },
  };
}

/**
 * @param {import('./network.js').Exchange} exchange
 * @param {number} shift  from the worker's clock to the page's
 * @param {any[]} resources  as the page's own timeline has them, with sizes
 * @returns {any}
 */
function requestOf({ url, method, start, end, status, bytes, error }, shift, resources) {
  const at = resources.findIndex((resource) => resource.url === url);
  const [resource] = at < 0 ? [] : resources.splice(at, 1);
  return {
    ...(bytes !== null && { encodedSize: bytes }),
    ...resource,
    url: url.slice(0, 2000),
    method,
    status,
    start: rounded(start + shift),
    ...(end !== null && { duration: rounded(end - start) }),
    ...(isFault(error) && { error }),
  };
}

/** @param {number} value */
function rounded(value) {
  return Math.round(value * 10) / 10;
}

/**
 * Have the page do it once: what is sent to a page is not sent again to the one that comes after it.
 * @param {Tab} tab
 * @param {string} name
 * @param {Record<string, unknown>} query
 * @param {AbortSignal} signal
 */
async function once(tab, name, query, signal) {
  if (tab.frame) await ask(tab, 'page_place', {}, signal); // others listen there too: only an answer tells that we do
  const answer = await sent(tab, name, query).catch(async (fault) => {
    if (!isUnheard(fault)) return undefined; // the page went away while it was done
    await ask(tab, 'page_place', {}, signal); // a page that was open before the extension gets its scripts here
    return sent(tab, name, query).catch(unheard(tab));
  });
  signal.throwIfAborted();
  return contentOf(answer);
}

/**
 * @param {Tab} tab
 * @param {string} name
 * @param {object} query
 * @returns {Promise<any>}  undefined if the page is no longer there
 */
async function answerOf(tab, name, query) {
  return sent(tab, name, query).catch(() => undefined);
}

/**
 * @param {Tab} tab
 * @param {string} name
 * @param {object} query
 * @returns {Promise<any>}  rejected if nobody hears it, or answers
 */
function sent({ id, frame = 0 }, name, query) {
  return chrome.tabs.sendMessage(id, { name, arguments: query }, { frameId: frame });
}

/**
 * @param {Tab} tab
 * @returns {(fault: Error) => undefined}  throws if nobody has heard of the action: then it was not done
 */
function unheard({ id }) {
  return (fault) => {
    if (!isUnheard(fault)) return undefined;
    throw new Failure('page_navigated', 'The page was left before this was done in it.', {
      details: { tab_id: id },
      recovery: 'Wait for the page that comes, look at it, then act.',
    });
  };
}

/** @param {Error} fault  why a message to a page has no answer */
function isUnheard({ message }) {
  return /Receiving end does not exist|No tab with id/.test(message);
}

/**
 * Ask about an action that may have ended with its page.
 * @param {Tab} tab
 * @param {string} name
 * @param {object} query
 */
async function answered(tab, name, query) {
  return (await answerOf(tab, name, query))?.result ?? { gone: true };
}

/**
 * @param {Tab} tab
 * @param {string} name
 * @param {Record<string, unknown>} query
 * @param {AbortSignal} signal
 */
async function ask(tab, name, query, signal) {
  return /** @type {any} */ (await askPage(tab, name, query, signal));
}

/**
 * @param {Tab} tab
 * @param {Record<string, unknown>} query
 * @param {AbortSignal} signal
 */
async function waitFor(tab, query, signal) {
  const { timeout_ms = WAIT_MS, action } = query;
  const begun = performance.now();
  const most = Math.min(Number(timeout_ms) || WAIT_MS, WAIT_MOST_MS);
  for (;;) {
    const { there } = await ask(tab, 'probe', query, signal);
    const waited_ms = Math.round(performance.now() - begun);
    if (there) return { success: true, action, waited_ms };
    if (waited_ms >= most) throw absent(query, most);
    await clock.wait(LOOK_MS);
    signal.throwIfAborted();
  }
}

/**
 * @param {Record<string, unknown>} query
 * @param {number} ms
 */
function absent({ selector, state = 'visible' }, ms) {
  return new Failure('wait_timeout', `${JSON.stringify(selector)} was not ${state} within ${ms} ms.`, {
    details: { selector, state, timeout_ms: ms },
    recovery: 'Look at the page with query_dom or observe(what:"errors"), or wait longer with timeout_ms.',
  });
}
