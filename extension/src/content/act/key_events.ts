// Sends the events of a key around what it does.

import { nodes } from '../dom/nodes.ts';
import { type Press, pressOf } from './keys.ts';
import { focused, reportFocus } from './page_focus.ts';

type Act = (isFree: boolean, writer: Element) => void;

/** As `pressDown`, and let the key go at once; return whether the page has prevented what it does. */
export function pressOn(element: Element, press: Press, act: Act, always: boolean = false): boolean {
  const { prevented, release } = pressDown(element, press, act, always);
  release();
  return prevented;
}

/**
 * Press a key on an element, and do what it does between down and up; return whether the page has prevented that, and what
 * lets the key go. `act` gets what the key writes to: a page may move the focus when it is down, as a cell of a table does
 * that opens a field.
 */
export function pressDown(element: Element, press: Press, act: Act, always: boolean = false) {
  const init = { bubbles: true, cancelable: true, composed: true, ...press };
  const before = focused();
  const went = element.dispatchEvent(new KeyboardEvent('keydown', init));
  reportFocus();
  const writes = [...press.key].length === 1 || press.key === 'Enter';
  const meant = () => {
    const now = focused();
    return now && now !== before ? now : element;
  };
  const writer = writes ? meant() : element;
  const typed = went && (!writes || writer.dispatchEvent(new KeyboardEvent('keypress', writingOf(init))));
  if (typed || always) act(typed, writer);
  const release = () => {
    const target = meant(); // a key that moves the focus comes up where it is then
    if (nodes.isConnected(target)) target.dispatchEvent(new KeyboardEvent('keyup', init));
  };
  return { prevented: !typed, release };
}

/** Return the event of a key with the number of what it writes, as `keypress` has it. */
function writingOf<Init extends Press>(init: Init): Init & { charCode: number } {
  const number = init.key === 'Enter' ? init.keyCode : (init.key.codePointAt(0) ?? 0);
  return { ...init, charCode: number, keyCode: number, which: number };
}

/** Return the key that writes a character; undefined for one that no key writes. */
export function keyOf(character: string | undefined): Press | undefined {
  if (character === undefined || character === '\t' || character === '\r') return undefined;
  if (character === '\n') return pressOf('Enter');
  return pressOf(character);
}
