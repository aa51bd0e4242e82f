// Sends real input, by the debugger, where an action's page says (content/aim.js); it must not measure what comes of it.
//
// Such input is trusted: it opens pop-ups, reaches the clipboard, and is what a site accepts that asks `isTrusted`. The
// debugger is attached before the place is looked up, for Chrome's bar moves the page.

import { keepDialogs } from './dialogs.js';
import { Failure } from './failure.js';
import { askPage } from './pages.js';
import { strokesOf } from './strokes.js';
import { isParted } from './unfinished.js';

/** @typedef {import('./tabs.js').Tab} Tab */
/** @typedef {import('./debugger.js').Attachment} Attachment */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {{at: Point, to: Point, draggable: boolean, press: import('./strokes.js').Press, target: string}} Aim */
/** @typedef {(method: string, params: object) => Promise<unknown>} Send */

/** How often a place is looked up until it is drawn where it is, and how long between: the bar slides in. */
const LOOKS = 12;
const LOOK_MS = 30;

/** Steps of a drag, and how soon Chrome hands over one that it would have taken to the system. */
const STEPS = 6;
const TAKEN_MS = 300;

const DELETE = { key: 'Delete', code: 'Delete', keyCode: 46 };

/** @type {Record<string, (send: Send, aim: Aim, query: Record<string, unknown>, tab: Tab, signal: AbortSignal) => Promise<void>>} */
const inputs = { click, hover, type, key_press: pressKey, drag };

/**
 * Prepare to send input to a tab.
 * @param {Tab} tab
 * @returns {Promise<{perform: (query: Record<string, unknown>, signal: AbortSignal) => Promise<{target: string}>, end: () => void}>}
 * @throws {Failure} `tab_not_scriptable`, `tab_not_found`, `invalid_params`
 */
export async function trustedInput(tab) {
  if (tab.frame) throw elsewhere();
  const { attachment, release } = await keepDialogs(tab.id);
  /** @type {Send} */
  const send = (method, params) => attachment.ask(method, params);
  return { perform: (query, signal) => perform(tab, send, query, signal), end: () => release({ atOnce: true }) };
}

/**
 * @param {Tab} tab
 * @param {Send} send
 * @param {Record<string, unknown>} query
 * @param {AbortSignal} signal
 */
async function perform(tab, send, query, signal) {
  const input = inputs[String(query['action'])];
  if (!input) throw unfit(query['action']);
  await settled(tab, query, signal);
  own(tab, true);
  try {
    const aim = /** @type {Aim} */ (await askPage(tab, 'aim', { ...query, go: true }, signal));
    signal.throwIfAborted();
    await input(send, aim, query, tab, signal);
    return { target: aim.target };
  } catch (fault) {
    if (!isParted(fault)) throw fault;
    if (Object.hasOwn(CUT, fault.message)) throw cut(tab, fault.message);
    return { target: '' }; // the page or its tab went away under the input, as it was to
  } finally {
    own(tab, false);
  }
}

/**
 * Look up the place until it rests.
 * @param {Tab} tab
 * @param {Record<string, unknown>} query
 * @param {AbortSignal} signal
 */
async function settled(tab, query, signal) {
  for (let look = 0; look < LOOKS; look++) {
    const { drawn } = /** @type {{drawn: boolean}} */ (await askPage(tab, 'aim', query, signal));
    if (drawn) return;
    await new Promise((done) => setTimeout(done, LOOK_MS));
  }
}

/**
 * @param {Tab} tab
 * @param {boolean} on
 */
function own(tab, on) {
  chrome.tabs.sendMessage(tab.id, { name: 'own_input', on }).catch(() => {}); // nobody answers
}

/**
 * @param {Send} send
 * @param {string} type
 * @param {Point} at
 * @param {number} [buttons]
 */
function mouse(send, type, { x, y }, buttons = 0) {
  const pressed = type === 'mouseMoved' ? {} : { clickCount: 1 };
  return send('Input.dispatchMouseEvent', { type, x, y, button: buttons || pressed.clickCount ? 'left' : 'none', buttons, ...pressed });
}

/**
 * @param {Send} send
 * @param {Aim} aim
 */
async function click(send, { at }) {
  await mouse(send, 'mouseMoved', at);
  await mouse(send, 'mousePressed', at, 1);
  await mouse(send, 'mouseReleased', at);
}

/**
 * @param {Send} send
 * @param {Aim} aim
 */
async function hover(send, { at }) {
  await mouse(send, 'mouseMoved', at);
}

/**
 * @param {Send} send
 * @param {Aim} aim
 * @param {Record<string, unknown>} query
 * @param {Tab} tab
 * @param {AbortSignal} signal
 */
async function type(send, aim, query, tab, signal) {
  await click(send, aim);
  await askPage(tab, 'aim_caret', query, signal);
  if (query['text']) await send('Input.insertText', { text: query['text'] });
  else if (query['clear'] !== false) await key(send, DELETE);
}

/**
 * @param {Send} send
 * @param {Aim} aim
 */
async function pressKey(send, { press }) {
  await key(send, press);
}

/**
 * @param {Send} send
 * @param {import('./strokes.js').Press} press
 */
async function key(send, press) {
  for (const stroke of strokesOf(press)) await send('Input.dispatchKeyEvent', stroke);
}

/**
 * Drag with the mouse; what Chrome would hand to the system (HTML's own drag and drop) is taken from it and dropped.
 * @param {Send} send
 * @param {Aim} aim
 * @param {Record<string, unknown>} _
 * @param {Tab} tab
 * @param {AbortSignal} signal
 */
async function drag(send, { at, to, draggable }, _, tab, signal) {
  const taken = takenDrag(tab.id);
  await send('Input.setInterceptDrags', { enabled: true });
  try {
    await mouse(send, 'mouseMoved', at);
    await mouse(send, 'mousePressed', at, 1);
    for (let step = 1; step <= STEPS; step++) {
      signal.throwIfAborted();
      const part = step / STEPS;
      await mouse(send, 'mouseMoved', { x: at.x + (to.x - at.x) * part, y: at.y + (to.y - at.y) * part }, 1);
    }
    const data = draggable && (await taken.data);
    if (data) for (const type of ['dragEnter', 'dragOver', 'drop']) await send('Input.dispatchDragEvent', { type, ...to, data });
  } finally {
    taken.end();
    await mouse(send, 'mouseReleased', to).catch(() => {}); // the page has gone, or we were ended
    await send('Input.setInterceptDrags', { enabled: false }).catch(() => {});
  }
}

/** @param {number} tab */
function takenDrag(tab) {
  const { promise, resolve } = /** @type {PromiseWithResolvers<any>} */ (Promise.withResolvers());
  /** @type {(source: chrome.debugger.Debuggee, method: string, params?: any) => void} */
  const hear = ({ tabId }, method, params) => {
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

function elsewhere() {
  return new Failure('invalid_params', 'There is no real input for a frame of another origin.', {
    details: { parameter: 'trusted', value: true },
    recovery: 'Leave trusted out.',
  });
}

/** Why the debugger may be parted from a page that stays, in Chrome's words. @type {Record<string, string>} */
const CUT = { canceled_by_user: 'the user ended the debugging of the tab', crashed: 'the page crashed' };

/**
 * @param {Tab} tab
 * @param {string} reason
 */
function cut({ id }, reason) {
  return new Failure('outcome_unknown', `Real input was cut off in the middle: ${CUT[reason]}.`, {
    details: { tab_id: id, reason },
    recovery: 'Look at the state of the page; then leave trusted out, or ask the user.',
  });
}

/** @param {unknown} action */
function unfit(action) {
  return new Failure('invalid_params', `There is no real input for ${JSON.stringify(action)}.`, {
    details: { parameter: 'trusted', value: true },
    recovery: `trusted is for ${Object.keys(inputs).join(', ')}; leave it out.`,
  });
}
