// Does one action in a page and tells what was measured of it (seed 001); it must not judge: the diff worker does.

import { Failure } from '../failure.ts';
import { placeIn } from '../navigate/frames.ts';
import { isFault, leadsOf, OpenedTabs, whereIs } from '../navigate/outcome.ts';
import type { Exchange, Network } from '../navigate/requests.ts';
import { askPage, contentOf } from '../tabs/page_queries.ts';
import type { Tab } from '../tabs/tabs.ts';
import { accessibilityAround } from './accessibility_audit.ts';
import { trustedInput } from './cdp_input.ts';
import { dragOn } from './drag_pacing.ts';
import { effects } from './effects.ts';
import { fillForm } from './form_filling.ts';
import { CAP_MS, type Pulse, settle } from './wait_until_idle.ts';

/** What only reads: nothing is watched, and `analyze` costs nothing. */
export const READING = ['get_text', 'get_value', 'get_attribute', 'list_interactive'];

/** What changes the page. */
export const MUTATING = [
  'click',
  'type',
  'select',
  'check',
  'key_press',
  'set_attribute',
  'hover',
  'drag',
  'upload',
  'fill_form',
];

/** What only moves the view or the focus: it is not measured (seed 001, What actions get what). */
export const MOVING = ['focus', 'scroll_to'];

/** How often is looked for what is waited for. */
const LOOK_MS = 50;

/** The longest wait for an element, if not said, and at most. */
const WAIT_MS = 5000;
const WAIT_MOST_MS = 30_000;

const clock = {
  now: () => performance.now(),
  wait: (ms: number) => new Promise((done) => setTimeout(done, ms)),
};

/**
 * Do what an action says.
 * @param told `action`, `analyze`, `frame`, and the action's own arguments
 */
export async function interact(
  page: Tab,
  { frame, ...query }: Record<string, unknown>,
  signal: AbortSignal,
): Promise<object> {
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

async function mutate(tab: Tab, query: Record<string, unknown>, signal: AbortSignal) {
  const { action, analyze = false, trusted = false } = query;
  const accessibility = await accessibilityAround(tab, query, signal);
  const input = trusted === true ? await trustedInput(tab) : undefined;
  const effect = effects.begin(tab.id, String(action), (name, asked) => answered(tab, name, asked));
  const { id, network } = effect;
  const begun = clock.now();
  const opened = new OpenedTabs(tab.id);
  try {
    const pulse = async () => (await answered(tab, 'pulse', { id })) as Pulse;
    const settled = () => settle(pulse, network, analyze ? CAP_MS.analyze : CAP_MS.plain, clock);
    const whole = { ...query, id, analyze };
    const done = await (input ? input.perform(whole, signal) : doing(whole, { tab, signal, settled }));
    const rest = await settled();
    signal.throwIfAborted();
    const { holds, ...kept } = contentOf(await answerOf(tab, 'verify', {})) ?? { holds: true }; // a page that went away is not asked again
    const { after, ...seen } = (await answered(tab, 'seen', { id })) as any;
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
 * @returns what the page said of it
 */
async function doing(
  query: Record<string, unknown>,
  { tab, signal, settled }: { tab: Tab; signal: AbortSignal; settled: () => Promise<unknown> },
): Promise<any> {
  const { id, action, analyze, a11y } = query;
  const next = async (name: string, more: object = {}) => {
    signal.throwIfAborted();
    return contentOf(await answerOf(tab, name, { id, ...more })) ?? { gone: true };
  };
  const steps = { next, settled, wait: clock.wait };
  if (action === 'fill_form')
    return fillForm(query, { ...steps, begin: () => once(tab, 'begin_form', { id, analyze, a11y }, signal) });
  const done = await once(tab, 'perform', query, signal);
  if (action === 'drag') await dragOn(steps, () => answered(tab, 'drag_step', { id, cancel: true }));
  return done;
}

/** Put together what the page and the network saw, by the page's clock, in the shape that the diff worker takes. */
function measuredOf(
  { timing, resources, console_errors, ...seen }: any,
  network: Network,
  tookMs: number,
  begun: number = network.begun,
) {
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
 * @param shift from the worker's clock to the page's
 * @param resources as the page's own timeline has them, with sizes
 */
function requestOf({ url, method, start, end, status, bytes, error }: Exchange, shift: number, resources: any[]): any {
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

function rounded(value: number) {
  return Math.round(value * 10) / 10;
}

/** Have the page do it once: what is sent to a page is not sent again to the one that comes after it. */
async function once(tab: Tab, name: string, query: Record<string, unknown>, signal: AbortSignal) {
  if (tab.frame) await ask(tab, 'page_place', {}, signal); // others listen there too: only an answer tells that we do
  const first = await sent(tab, name, query).catch((fault) => {
    return isUnheard(fault) ? { missing: true } : undefined; // else the page went away while it was done
  });
  const answer = first?.missing ? await onceInjected(tab, name, query, signal) : first;
  signal.throwIfAborted();
  return contentOf(answer);
}

/** Have a page do something that has no scripts for it yet. */
async function onceInjected(tab: Tab, name: string, query: Record<string, unknown>, signal: AbortSignal) {
  await ask(tab, 'page_place', {}, signal); // injects them
  const answer = await sent(tab, name, query).catch(unheard(tab));
  return answer?.missing ? unheard(tab)(new Error(UNHEARD)) : answer;
}

/** Returns undefined if the page is no longer there */
async function answerOf(tab: Tab, name: string, query: object): Promise<any> {
  return sent(tab, name, query).catch(() => undefined);
}

/** Returns rejected if nobody hears it, or answers */
function sent({ id, frame = 0 }: Tab, name: string, query: object): Promise<any> {
  return chrome.tabs.sendMessage(id, { name, arguments: query }, { frameId: frame });
}

/** Returns throws if nobody has heard of the action: then it was not done */
function unheard({ id }: Tab): (fault: Error) => undefined {
  return (fault) => {
    if (!isUnheard(fault)) return undefined;
    throw new Failure('page_navigated', 'The page was left before this was done in it.', {
      details: { tab_id: id },
      recovery: 'Wait for the page that comes, look at it, then act.',
    });
  };
}

const UNHEARD = 'Receiving end does not exist';

/** @param fault why a message to a page has no answer */
function isUnheard({ message }: Error) {
  return message.includes(UNHEARD) || message.includes('No tab with id');
}

/** Ask about an action that may have ended with its page. */
async function answered(tab: Tab, name: string, query: object) {
  return (await answerOf(tab, name, query))?.result ?? { gone: true };
}

async function ask(tab: Tab, name: string, query: Record<string, unknown>, signal: AbortSignal) {
  return (await askPage(tab, name, query, signal)) as any;
}

async function waitFor(tab: Tab, query: Record<string, unknown>, signal: AbortSignal) {
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

function absent({ selector, state = 'visible' }: Record<string, unknown>, ms: number) {
  return new Failure('wait_timeout', `${JSON.stringify(selector)} was not ${state} within ${ms} ms.`, {
    details: { selector, state, timeout_ms: ms },
    recovery: 'Look at the page with query_dom or observe(what:"errors"), or wait longer with timeout_ms.',
  });
}
