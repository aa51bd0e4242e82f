// Lets the assistant's real presses hit only what they are meant for: a press that misses reaches no page; it must send none.
//
// The page may move between the look at a place and the press on it: Chrome's bar slides in, a banner comes. So a press is
// judged where it hits, before the page's own listeners run, in every frame of the tab.

import { nameOf } from '../dom/naming.ts';
import { frame, type PressGuard } from '../frame.ts';
import { listenAlways } from './persistent_listeners.ts';
import { isOwnInput, OWN_INPUT_MS } from './synthetic_input.ts';

/** A press follows the last look at its place within so long; on a machine that is busier it is not judged. */
const PRESS_MS = 1000;

const GUARDED = 'pointerover pointerdown mousedown contextmenu pointerup mouseup click auxclick dblclick'.split(' ');

/** Judge a press by where it goes down; the rest of it follows. */
function guardPress(event: Event) {
  const guard = frame.pressGuard;
  if (!guard || !event.isTrusted || !isOwnInput()) return;
  if (event.type === 'pointerover') guard.reached ||= guard.isMeant(event.composedPath());
  if (event.type === 'pointerdown') judge(guard, event);
  if (event.type === 'click') guard.clicked ||= isOf(guard, event.composedPath());
  if (!guard.missed || event.type === 'pointerover') return;
  event.stopImmediatePropagation();
  if (event.type !== 'pointerdown') event.preventDefault(); // that would change which element gets the focus
}

function judge(guard: PressGuard, event: Event) {
  if (guard.landed) return;
  if (performance.now() > guard.until) return void (guard.missed = undefined);
  const path = event.composedPath();
  guard.landed = guard.isMeant(path) ? path[0] : undefined;
  guard.missed = guard.landed ? undefined : path[0];
}

/** Whether an event is of the press: it hits what the press hit, though the page may have renamed that since. */
function isOf({ landed, isMeant }: PressGuard, path: EventTarget[]): boolean {
  return (landed !== undefined && path.includes(landed)) || isMeant(path);
}

/** `anywhere`: every element of this frame is meant; else none, until `isMeant` is set. */
function newPressGuard(anywhere: boolean): PressGuard {
  return {
    isMeant: () => anywhere,
    until: performance.now() + PRESS_MS,
    landed: undefined,
    clicked: false,
    reached: false,
    missed: undefined,
  };
}

/** `anywhere`: its presses may hit any element of this frame. */
function setOwnInput(on: boolean, anywhere: boolean = false) {
  frame.pressGuard = newPressGuard(anywhere);
  frame.ownInputUntil = on ? performance.now() + OWN_INPUT_MS : -1;
}

export function startPressGuard() {
  setOwnInput(false);
  frame.setOwnInput = setOwnInput;
  for (const type of GUARDED) listenAlways(type, guardPress);
  chrome.runtime.onMessage.addListener((message, sender, reply) => {
    if (sender.id !== chrome.runtime.id || !frame.pressGuard) return;
    if (message?.name === 'synthetic_input') setOwnInput(message.on === true, message.anywhere === true);
    const { landed, missed, reached } = frame.pressGuard;
    if (message?.name === 'kept_press' && missed) reply({ hit: missed instanceof Element ? nameOf(missed) : '' });
    else if (message?.name === 'kept_press' && landed) reply({}); // of all frames one alone got the press
    if (message?.name === 'reached' && reached) reply(true);
  });
}
