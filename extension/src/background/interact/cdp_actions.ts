// The actions that have real input: the events of the mouse and the keyboard that each of them sends.

import { modifiersFrom } from '../../shared/modifiers.ts';
import { Failure } from '../failure.ts';
import { dialogIn } from '../tabs/open_dialogs.ts';
import { askPage } from '../tabs/page_queries.ts';
import type { Tab } from '../tabs/tabs.ts';
import {
  type CdpInput,
  type InputContext,
  type InputTarget,
  type Point,
  resolveTarget,
  type Send,
} from './cdp_input.ts';
import { inTime } from './frame_answers.ts';
import { keyEventsOf, modifiersOf, type Press } from './key_codes.ts';

/** Steps of a drag, and the longest wait for Chrome to hand over one that it would have given to the system. */
const STEPS = 6;
const INTERCEPTED_MS = 300;

/** How long the pointer rests at its goal before the release: sortable lists read its place every 50 ms. */
const REST_MS = 60;

/** How often input that missed its target is sent again. */
const RETRIES = 3;

const DELETE = { key: 'Delete', code: 'Delete', keyCode: 46 };

export const click: CdpInput = async (context, target) => {
  const { hold_ms } = context.query;
  if (hold_ms === undefined) return press(context, target, { hold: false });
  const hit = await press(context, target, { hold: true });
  try {
    await new Promise((done) => setTimeout(done, Number(hold_ms)));
  } finally {
    await mouse(context, 'mouseReleased', hit.at, { count: countOf(context) }).catch(() => {}); // the page was left
  }
  return hit;
};

/** Turn the wheel over the element. */
export const wheel: CdpInput = async (context, target) => {
  const hit = await hover(context, target);
  const { dx = 0, dy = 0 } = context.query;
  await mouse(context, 'mouseWheel', hit.at, { deltaX: dx, deltaY: dy });
  return hit;
};

/** Move the pointer over the element. What the page shows then may cover or replace the element. */
export const hover: CdpInput = async (context, target) => {
  for (let left = RETRIES; ; left--) {
    await mouse(context, 'mouseMoved', target.at);
    if (await fromFrames(context.tab, 'reached')) return target;
    if (!left) throw notReached(String(context.query['selector']));
    target = await resolveTarget(context);
  }
};

export const type: CdpInput = async (context, target) => {
  const { tab, query, signal, send } = context;
  const hit = await click(context, target);
  await askPage(tab, 'place_caret', query, signal);
  if (query['text']) await send('Input.insertText', { text: query['text'] });
  else if (query['clear'] !== false) await key(send, DELETE);
  return hit;
};

/** Press a key as in a window with the focus: shortcuts of some pages hold only where `:focus` does. */
export const pressKey: CdpInput = async ({ send }, target) => {
  await send('Emulation.setFocusEmulationEnabled', { enabled: true });
  await key(send, target.press);
  return target;
};

/** Drag with the mouse. HTML's own drag and drop, which Chrome would hand to the system, is intercepted and dropped. */
export const drag: CdpInput = async (context, target) => {
  const { send, tab } = context;
  const intercepted = interceptDrag(tab.id);
  await send('Input.setInterceptDrags', { enabled: true });
  let { to } = target;
  try {
    const hit = await press(context, target, { hold: true });
    to = hit.to;
    await moveInSteps(context, hit);
    const data = (hit.draggable || (await isDraggableNow(context))) && (await intercepted.data);
    if (data) await drop(send, to, data);
    else await new Promise((done) => setTimeout(done, REST_MS));
    return hit;
  } finally {
    intercepted.end();
    await mouse(context, 'mouseReleased', to, { count: 1 }).catch(() => {}); // the page was left, or the call was aborted
    await send('Input.setInterceptDrags', { enabled: false }).catch(() => {});
  }
};

/**
 * Press on the target. A press that misses it reaches no page (content/capture/press_guard.ts), and is sent again. All
 * events are sent at once, so that nothing moves in between: a button that is released elsewhere is not clicked.
 */
async function press(context: InputContext, target: InputTarget, { hold }: { hold: boolean }): Promise<InputTarget> {
  const { tab, query } = context;
  const clicks = countOf(context);
  for (let left = RETRIES; ; left--) {
    const { at } = target;
    const down = (count: number) => mouse(context, 'mousePressed', at, { count, pressed: true });
    const release = (count: number) => mouse(context, 'mouseReleased', at, { count });
    const sent = [mouse(context, 'mouseMoved', at)];
    for (let count = 1; count <= clicks; count++) {
      sent.push(down(count));
      if (count < clicks || !hold) sent.push(release(count));
    }
    await Promise.all(sent);
    const { hit } = ((await fromFrames(tab, 'kept_press')) ?? {}) as { hit?: string };
    if (hit === undefined) return target;
    if (hold) await release(clicks);
    if (!left) throw pressMissed(String(query['selector']), hit);
    target = await resolveTarget(context);
  }
}

/** The numbers of the buttons among those that are pressed. */
const BUTTONS: Record<string, number> = { left: 1, middle: 4, right: 2 };

/** Send an event of the mouse. `count`: the clicks so far, of a press; `pressed`: the button is down. */
function mouse(
  { send, query }: InputContext,
  type: string,
  { x, y }: Point,
  { count, pressed = false, ...more }: { count?: number; pressed?: boolean; [delta: string]: unknown } = {},
) {
  const name = String(query['button'] ?? 'left');
  const button = pressed || count ? name : 'none';
  const modifiers = modifiersOf(modifiersFrom(query['modifiers']));
  const pressing = { button, buttons: pressed ? BUTTONS[name] : 0, modifiers, ...(count && { clickCount: count }) };
  return send('Input.dispatchMouseEvent', { type, x, y, ...pressing, ...more });
}

function countOf({ query }: InputContext): number {
  return Number(query['count'] ?? 1);
}

async function key(send: Send, press: Press) {
  for (const event of keyEventsOf(press)) await send('Input.dispatchKeyEvent', event);
}

/** Ask all frames about the input; at most one of them answers. */
function fromFrames({ id }: Tab, name: 'kept_press' | 'reached'): Promise<unknown> {
  return inTime(chrome.tabs.sendMessage(id, { name }), () => dialogIn(id) !== undefined);
}

async function moveInSteps(context: InputContext, { at, to }: InputTarget) {
  for (let step = 1; step <= STEPS; step++) {
    context.signal.throwIfAborted();
    const part = step / STEPS;
    const place = { x: at.x + (to.x - at.x) * part, y: at.y + (to.y - at.y) * part };
    await mouse(context, 'mouseMoved', place, { pressed: true });
  }
}

async function drop(send: Send, to: Point, data: object) {
  for (const type of ['dragEnter', 'dragOver', 'drop']) await send('Input.dispatchDragEvent', { type, ...to, data });
}

/**
 * Whether the page has made the element draggable at the press, as sortable lists do: then Chrome takes the drag, and
 * gives no more input to the page until the drop.
 */
async function isDraggableNow({ tab, query, signal }: InputContext): Promise<boolean> {
  const { carried } = (await askPage(tab, 'is_carried', query, signal)) as { carried: boolean };
  return carried;
}

function interceptDrag(tab: number) {
  const { promise, resolve } = Promise.withResolvers() as PromiseWithResolvers<any>;
  const onEvent = ({ tabId }: chrome.debugger.Debuggee, method: string, params?: any) => {
    if (tabId === tab && method === 'Input.dragIntercepted') resolve(params.data);
  };
  chrome.debugger.onEvent.addListener(onEvent);
  const late = () => new Promise((done) => setTimeout(done, INTERCEPTED_MS, undefined));
  return {
    get data() {
      return Promise.race([promise, late()]);
    },
    end: () => chrome.debugger.onEvent.removeListener(onEvent),
  };
}

const RECOVERY =
  'It moves, or something comes over it: wait until it rests (interact, action:"wait_for"), or leave trusted out.';

function pressMissed(selector: string, hit: string) {
  const wanted = JSON.stringify(selector.slice(0, 200));
  const place = hit ? `on ${hit}` : 'elsewhere';
  return new Failure(
    'element_covered',
    `Real presses for ${wanted} landed ${place}, ${RETRIES + 1} times; the page received none of them.`,
    { details: { selector: selector.slice(0, 500), ...(hit && { covered_by: hit }) }, recovery: RECOVERY },
  );
}

function notReached(selector: string) {
  const wanted = JSON.stringify(selector.slice(0, 200));
  return new Failure('element_covered', `The pointer did not come over ${wanted}, ${RETRIES + 1} times.`, {
    details: { selector: selector.slice(0, 500) },
    recovery: RECOVERY,
  });
}
