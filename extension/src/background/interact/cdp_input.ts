// Sends real input, by the debugger, where an action's page says (content/aim.js); it must not measure what comes of it.
//
// Such input is trusted: it opens pop-ups, reaches the clipboard, and is what a site accepts that asks `isTrusted`. The
// debugger is attached before the place is looked up, for Chrome's bar moves the page.

import { Failure } from '../failure.ts';
import { keepDialogs } from '../tabs/open_dialogs.ts';
import { askPage } from '../tabs/page_queries.ts';
import { isParted } from '../tabs/stop_reasons.ts';
import type { Tab } from '../tabs/tabs.ts';
import { type Press, strokesOf } from './key_codes.ts';

export type Point = { x: number; y: number };

export type Aim = { at: Point; to: Point; framed: boolean; draggable: boolean; press: Press; target: string };

export type Way = { tab: Tab; query: Record<string, unknown>; signal: AbortSignal; send: Send };

export type Send = (method: string, params: object) => Promise<unknown>;

/** How often a place is looked up until it is the same twice, and how long between: the bar slides in. */
const LOOKS = 12;
const LOOK_MS = 30;

/** Steps of a drag, and how soon Chrome hands over one that it would have taken to the system. */
const STEPS = 6;
const TAKEN_MS = 300;

/** How long the pointer rests at its goal before it lets go: lists that are sorted look where it is each 50 ms. */
const REST_MS = 60;

const DELETE = { key: 'Delete', code: 'Delete', keyCode: 46 };

/** How often a press that went astray is sent again. */
const AGAIN = 3;

/** The longest wait for a frame that hangs, if no other has anything to say. */
const KEPT_MS = 300;

/** Each tells what it was aimed at last */
const inputs: Record<string, (way: Way, aim: Aim) => Promise<Aim>> = { click, hover, type, key_press: pressKey, drag };

/**
 * Prepare to send input to a tab.
 * @throws `tab_not_scriptable`, `tab_not_found`, `invalid_params`
 */
export async function trustedInput(tab: Tab): Promise<{
  perform: (query: Record<string, unknown>, signal: AbortSignal) => Promise<{ target: string }>;
  end: () => void;
}> {
  if (tab.frame) throw elsewhere();
  const { attachment, release } = await keepDialogs(tab.id);
  const send: Send = (method, params) => attachment.ask(method, params);
  return { perform: (query, signal) => perform(tab, send, query, signal), end: () => release({ atOnce: true }) };
}

async function perform(tab: Tab, send: Send, query: Record<string, unknown>, signal: AbortSignal) {
  const input = inputs[String(query['action'])];
  if (!input) throw unfit(query['action']);
  const way = { tab, query, signal, send };
  try {
    const { target } = await input(way, await aimed(way));
    return { target };
  } catch (fault) {
    if (!isParted(fault)) throw fault;
    if (Object.hasOwn(CUT, fault.message)) throw cut(tab, fault.message);
    return { target: '' }; // the page or its tab went away under the input, as it was to
  } finally {
    own(tab, false);
  }
}

/** Look up where the input goes until that rests, and begin. */
async function aimed({ tab, query, signal }: Way): Promise<Aim> {
  const look = async (more: object) => (await askPage(tab, 'aim', { ...query, ...more }, signal)) as Aim;
  let now = await look({});
  for (let left = LOOKS; left > 0; left--) {
    const before = JSON.stringify(now);
    now = await look({});
    if (JSON.stringify(now) === before) break;
    await new Promise((done) => setTimeout(done, LOOK_MS));
  }
  own(tab, true, now.framed);
  const aim = await look({ go: true });
  signal.throwIfAborted();
  return aim;
}

/** @param anywhere presses may land in any of the page's frames */
function own(tab: Tab, on: boolean, anywhere: boolean = false) {
  chrome.tabs.sendMessage(tab.id, { name: 'own_input', on, anywhere }).catch(() => {}); // nobody answers
}

function mouse(send: Send, type: string, { x, y }: Point, buttons: number = 0) {
  const pressed = type === 'mouseMoved' ? {} : { clickCount: 1 };
  return send('Input.dispatchMouseEvent', {
    type,
    x,
    y,
    button: buttons || pressed.clickCount ? 'left' : 'none',
    buttons,
    ...pressed,
  });
}

/**
 * Press where it is aimed at; what goes astray reaches no page (content/landing.js), and is sent again. All is sent at
 * once, so that nothing moves in between: a button that is let go of elsewhere is not clicked.
 * @throws `element_covered`
 */
async function press(way: Way, aim: Aim, { hold }: { hold: boolean }): Promise<Aim> {
  const { tab, query, send } = way;
  for (let left = AGAIN; ; left--) {
    const release = () => mouse(send, 'mouseReleased', aim.at);
    await Promise.all([mouse(send, 'mouseMoved', aim.at), mouse(send, 'mousePressed', aim.at, 1), hold || release()]);
    const kept = (await fromFrames(tab, 'kept_press')) as { hit: string } | undefined; // only then it is sent again
    if (!kept) return aim;
    if (hold) await release();
    if (!left) throw astray(String(query['selector']), kept.hit);
    aim = await aimed(way);
  }
}

/** Ask all frames what became of the input: one of them answers, if there is anything to say. */
function fromFrames({ id }: Tab, name: 'kept_press' | 'reached'): Promise<unknown> {
  const answer = chrome.tabs.sendMessage(id, { name }).catch(() => undefined); // the input made the page go
  return Promise.race([answer, new Promise((done) => setTimeout(done, KEPT_MS, undefined))]);
}

function click(way: Way, aim: Aim) {
  return press(way, aim, { hold: false });
}

/**
 * Bring the pointer over what is aimed at. What the page shows then may lie over it, or come in its place.
 * @throws `element_covered`
 */
async function hover(way: Way, aim: Aim) {
  for (let left = AGAIN; ; left--) {
    await mouse(way.send, 'mouseMoved', aim.at);
    if (await fromFrames(way.tab, 'reached')) return aim;
    if (!left) throw unreached(String(way.query['selector']));
    aim = await aimed(way);
  }
}

async function type(way: Way, aim: Aim) {
  const { tab, query, signal, send } = way;
  const hit = await click(way, aim);
  await askPage(tab, 'aim_caret', query, signal);
  if (query['text']) await send('Input.insertText', { text: query['text'] });
  else if (query['clear'] !== false) await key(send, DELETE);
  return hit;
}

async function pressKey({ send }: Way, aim: Aim) {
  await key(send, aim.press);
  return aim;
}

async function key(send: Send, press: Press) {
  for (const stroke of strokesOf(press)) await send('Input.dispatchKeyEvent', stroke);
}

/**
 * Drag with the mouse; what Chrome would hand to the system (HTML's own drag and drop) is taken from it and dropped.
 */
async function drag(way: Way, aim: Aim) {
  const { send, tab, signal } = way;
  const taken = takenDrag(tab.id);
  await send('Input.setInterceptDrags', { enabled: true });
  let { to } = aim;
  try {
    const hit = await press(way, aim, { hold: true });
    const { at, draggable } = hit;
    to = hit.to;
    for (let step = 1; step <= STEPS; step++) {
      signal.throwIfAborted();
      const part = step / STEPS;
      await mouse(send, 'mouseMoved', { x: at.x + (to.x - at.x) * part, y: at.y + (to.y - at.y) * part }, 1);
    }
    const data = (draggable || (await isCarried(way))) && (await taken.data);
    if (!data) await new Promise((done) => setTimeout(done, REST_MS));
    if (data)
      for (const type of ['dragEnter', 'dragOver', 'drop'])
        await send('Input.dispatchDragEvent', { type, ...to, data });
    return hit;
  } finally {
    taken.end();
    await mouse(send, 'mouseReleased', to).catch(() => {}); // the page has gone, or we were ended
    await send('Input.setInterceptDrags', { enabled: false }).catch(() => {});
  }
}

/**
 * Say whether the page has made it draggable when it heard the press, as lists that are sorted do: Chrome takes the drag
 * then, and gives no more input to the page until it is dropped.
 */
async function isCarried({ tab, query, signal }: Way): Promise<boolean> {
  const { carried } = (await askPage(tab, 'aim_carried', query, signal)) as { carried: boolean };
  return carried;
}

function takenDrag(tab: number) {
  const { promise, resolve } = Promise.withResolvers() as PromiseWithResolvers<any>;
  const hear: (source: chrome.debugger.Debuggee, method: string, params?: any) => void = (
    { tabId },
    method,
    params,
  ) => {
    if (tabId === tab && method === 'Input.dragIntercepted') resolve(params.data);
  };
  chrome.debugger.onEvent.addListener(hear);
  const late = () => new Promise((done) => setTimeout(done, TAKEN_MS, undefined));
  return {
    get data() {
      return Promise.race([promise, late()]);
    },
    end: () => chrome.debugger.onEvent.removeListener(hear),
  };
}

function astray(selector: string, hit: string) {
  const shown = JSON.stringify(selector.slice(0, 200));
  return new Failure(
    'element_covered',
    `Real presses meant for ${shown} went down ${hit ? `on ${hit}` : 'elsewhere'}, ${AGAIN + 1} times; the page has not heard of them.`,
    {
      details: { selector: selector.slice(0, 500), ...(hit && { covered_by: hit }) },
      recovery:
        'It moves, or something comes over it: wait until it rests (interact, action:"wait_for"), or leave trusted out.',
    },
  );
}

function unreached(selector: string) {
  return new Failure(
    'element_covered',
    `The pointer did not come over ${JSON.stringify(selector.slice(0, 200))}, ${AGAIN + 1} times.`,
    {
      details: { selector: selector.slice(0, 500) },
      recovery:
        'It moves away, or something comes over it: wait until it rests (interact, action:"wait_for"), or leave trusted out.',
    },
  );
}

function elsewhere() {
  return new Failure('invalid_params', 'There is no real input for a frame of another origin.', {
    details: { parameter: 'trusted', value: true },
    recovery: 'Leave trusted out.',
  });
}

/** Why the debugger may be parted from a page that stays, in Chrome's words. */
const CUT: Record<string, string> = {
  canceled_by_user: 'the user ended the debugging of the tab',
  crashed: 'the page crashed',
};

function cut({ id }: Tab, reason: string) {
  return new Failure('outcome_unknown', `Real input was cut off in the middle: ${CUT[reason]}.`, {
    details: { tab_id: id, reason },
    recovery: 'Look at the state of the page; then leave trusted out, or ask the user.',
  });
}

function unfit(action: unknown) {
  return new Failure('invalid_params', `There is no real input for ${JSON.stringify(action)}.`, {
    details: { parameter: 'trusted', value: true },
    recovery: `trusted is for ${Object.keys(inputs).join(', ')}; leave it out.`,
  });
}
