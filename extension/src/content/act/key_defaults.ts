// Does what Chrome does of itself for a key: a script's event has no default action. It must press none itself.
//
// What it cannot do is left to real input (`trusted`): the clipboard, menus of the browser, pickers.

import { tabbable } from 'tabbable';
import { isHtml, nodes } from '../dom/nodes.ts';
import { around } from '../dom/visibility.ts';
import { isEditable, isText } from './field_kinds.ts';
import { edit, endEntry, write } from './field_values.ts';
import type { Press } from './keys.ts';
import { dropFocus, focused, giveFocus } from './page_focus.ts';

/** Whether the default action of the key was done; `nothing`: Chrome does nothing for it either. */
type Done = 'done' | 'nothing' | 'needs_trusted';

type Default = (press: Press, target: Element) => Done;

/** Pixels that an arrow scrolls, and the part of a page that PageDown scrolls. */
const LINE_PX = 40;
const PAGE_PART = 0.875;

/** Inputs that Enter submits the form of, and of which more than one block that without a button (HTML, 4.10.21.2). */
const SUBMITTING =
  'input:not([type="button"]):not([type="reset"]):not([type="file"]):not([type="image"]):not([type="color"])';
const BLOCKING =
  'input:not([type]), input:is([type="text"], [type="search"], [type="tel"], [type="url"], [type="email"], [type="password"], [type="date"], [type="month"], [type="week"], [type="time"], [type="datetime-local"], [type="number"])';

const DIRECTIONS: Record<string, { alter: string; by: string }> = {
  ArrowLeft: { alter: 'backward', by: 'character' },
  ArrowRight: { alter: 'forward', by: 'character' },
  ArrowUp: { alter: 'backward', by: 'line' },
  ArrowDown: { alter: 'forward', by: 'line' },
  Home: { alter: 'backward', by: 'lineboundary' },
  End: { alter: 'forward', by: 'lineboundary' },
};

/** Do what Chrome does for a key that the page has not prevented. */
export function doKeyDefault(press: Press, target: Element): Done {
  const { key } = press;
  if (press.altKey) return 'needs_trusted';
  if (key === 'Tab') return moveByTab(press.shiftKey);
  if (press.ctrlKey || press.metaKey) return editByShortcut(press, target);
  if (key === 'Escape') return escape();
  if (key === 'Enter') return enter(target);
  if (key === ' ' && nodes.matches(target, PRESSED_BY_SPACE)) return click(target);
  for (const isOf of BY_KIND) {
    const done = isOf(press, target);
    if (done !== 'nothing') return done;
  }
  return scrollBy(press, target);
}

const PRESSED_BY_SPACE =
  'button, summary, input:is([type="checkbox"], [type="radio"], [type="button"], [type="submit"], [type="reset"])';

/** In this order: each passes what is no key of its kind of element. */
const BY_KIND: Default[] = [slide, step, chooseOption, chooseRadio, openPicker, editText];

function click(target: Element): Done {
  (target as HTMLElement).click();
  return 'done';
}

/** Move the focus to the next element in the page's order, past the end to the page as a whole. */
function moveByTab(back: boolean): Done {
  const modals = nodes.within(document.documentElement, ':modal');
  const scope = modals[modals.length - 1] ?? document.documentElement;
  const stops = tabbable(scope, { getShadowRoot: (host) => nodes.shadowRoot(host) ?? undefined });
  const now = focused();
  const next = stops[now ? stops.indexOf(now as HTMLElement) + (back ? -1 : 1) : back ? stops.length - 1 : 0];
  if (!next) dropFocus();
  else giveFocus(next);
  if (next && isText(next) && isHtml(next, 'input')) (next as HTMLInputElement).select();
  return 'done';
}

/** Do what a shortcut does in a field; of those of the browser's own none does anything in the page. */
function editByShortcut({ key, shiftKey }: Press, target: Element): Done {
  const { ownerDocument } = target;
  const run = (command: string): Done => (ownerDocument.execCommand(command) ? 'done' : 'nothing');
  switch (key.toLowerCase()) {
    case 'a':
      return run('selectAll');
    case 'z':
      return isEditable(target) ? run(shiftKey ? 'redo' : 'undo') : 'nothing';
    case 'y':
      return isEditable(target) ? run('redo') : 'nothing';
    case 'c':
    case 'x':
    case 'v':
      return 'needs_trusted';
    case 'backspace':
    case 'delete':
      return isEditable(target) ? deleteWord(target, key === 'Backspace') : 'nothing';
    default:
      return key in DIRECTIONS && isEditable(target) ? 'needs_trusted' : 'nothing';
  }
}

function deleteWord(target: Element, back: boolean): Done {
  target.ownerDocument.getSelection()?.modify('extend', back ? 'backward' : 'forward', 'word');
  edit(target, 'delete', '');
  return 'done';
}

/** Close the topmost dialog or popover. */
function escape(): Done {
  const modals = nodes.within(document.documentElement, ':modal');
  const dialog = modals[modals.length - 1] as (HTMLDialogElement & { requestClose?: () => void }) | undefined;
  if (dialog?.requestClose) dialog.requestClose();
  if (dialog) return 'done';
  const popovers = nodes.within(document.documentElement, ':popover-open');
  const popover = popovers[popovers.length - 1] as HTMLElement | undefined;
  popover?.hidePopover();
  return popover ? 'done' : 'nothing';
}

/** Whether Enter in it may send a form. */
export function sendsByEnter(element: Element): boolean {
  return isHtml(element, 'input') && nodes.matches(element, SUBMITTING);
}

function enter(target: Element): Done {
  if (nodes.matches(target, 'a[href], button, summary')) return click(target);
  if (isHtml(target, 'textarea') || (isEditable(target) && !isText(target))) {
    edit(target, isHtml(target, 'textarea') ? 'insertLineBreak' : 'insertParagraph', '\n');
    return 'done';
  }
  const { form } = target as HTMLInputElement;
  if (!form || !sendsByEnter(target)) return 'nothing';
  const own = Array.from(nodes.controls(form)) as HTMLButtonElement[];
  const button = own.find((one) => nodes.matches(one, 'button:not([type]), [type="submit"]'));
  if (button)
    button.click(); // as Chrome does: the page may listen to the click
  else if (own.filter((one) => nodes.matches(one, BLOCKING)).length > 1) return 'nothing';
  else nodes.submit(form);
  return 'done';
}

function slide({ key }: Press, target: Element): Done {
  if (!isHtml(target, 'input') || (target as HTMLInputElement).type !== 'range') return 'nothing';
  const slider = target as HTMLInputElement;
  const { value } = slider;
  if (key === 'PageUp' || key === 'PageDown') slideFar(slider, key === 'PageUp' ? 1 : -1);
  else if (key === 'ArrowRight' || key === 'ArrowUp') slider.stepUp();
  else if (key === 'ArrowLeft' || key === 'ArrowDown') slider.stepDown();
  else if (key === 'Home') slider.value = slider.min || '0';
  else if (key === 'End') slider.value = slider.max || '100';
  else return 'nothing';
  return written(slider, value);
}

/** Move a slider by a tenth of its length, or by a step that is larger, as Chrome does. */
function slideFar(slider: HTMLInputElement, by: 1 | -1) {
  const [min, max, step] = [Number(slider.min || 0), Number(slider.max || 100), Number(slider.step) || 1];
  slider.value = String(Number(slider.value) + by * Math.max(step, (max - min) / 10));
}

function step({ key }: Press, target: Element): Done {
  if (!isHtml(target, 'input') || (target as HTMLInputElement).type !== 'number') return 'nothing';
  const field = target as HTMLInputElement;
  const { value } = field;
  if (key === 'ArrowUp') field.stepUp();
  else if (key === 'ArrowDown') field.stepDown();
  else return 'nothing';
  return written(field, value);
}

/** Write what the field holds by now as a person would have: from `before` on. */
function written(field: HTMLInputElement, before: string): Done {
  const now = field.value;
  if (now === before) return 'done';
  field.value = before;
  write(field, now, now);
  endEntry(field);
  return 'done';
}

/** Choose the option before or after, the first, the last, or the next that begins with the letter. */
function chooseOption({ key }: Press, target: Element): Done {
  if (!isHtml(target, 'select')) return 'nothing';
  const field = target as HTMLSelectElement;
  if (field.multiple || key === ' ') return 'needs_trusted';
  const options = [...field.options].filter(
    (option) => !option.disabled && !nodes.closest(option, 'optgroup[disabled]'),
  );
  const at = options.findIndex((option) => option.selected);
  const wanted = optionFor(key, options, at);
  if (wanted === undefined) return 'nothing';
  if (!wanted || wanted.selected) return 'done';
  wanted.selected = true;
  field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
  return 'done';
}

/** Return undefined for a key that chooses none, null where there is no further option. */
function optionFor(key: string, options: HTMLOptionElement[], at: number): HTMLOptionElement | null | undefined {
  if (key === 'ArrowDown' || key === 'ArrowRight') return options[at + 1] ?? null;
  if (key === 'ArrowUp' || key === 'ArrowLeft') return options[at - 1] ?? null;
  if (key === 'Home' || key === 'PageUp') return options[0] ?? null;
  if (key === 'End' || key === 'PageDown') return options[options.length - 1] ?? null;
  if ([...key].length !== 1) return undefined;
  const turned = [...options.slice(at + 1), ...options.slice(0, at + 1)];
  return turned.find(({ text }) => text.trim().toLowerCase().startsWith(key.toLowerCase())) ?? null;
}

function chooseRadio({ key }: Press, target: Element): Done {
  if (!isHtml(target, 'input') || (target as HTMLInputElement).type !== 'radio') return 'nothing';
  const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[key];
  if (!by) return 'nothing';
  const { name, form } = target as HTMLInputElement;
  const root = nodes.root(target) as Document | ShadowRoot;
  const group = (Array.from(root.querySelectorAll('input[type="radio"]')) as HTMLInputElement[]).filter(
    (one) => one.name === name && one.form === form && !nodes.matches(one, ':disabled'),
  );
  const next = group[(group.indexOf(target as HTMLInputElement) + by + group.length) % group.length];
  if (!next || next === target) return 'done';
  giveFocus(next);
  return click(next);
}

/** Fields with a picker of Chrome's own, whose parts no script can reach. */
function openPicker(_: Press, target: Element): Done {
  const { type } = target as HTMLInputElement;
  const picked = isHtml(target, 'input') && /^(date|datetime-local|month|week|time|color|file)$/.test(type);
  return picked ? 'needs_trusted' : 'nothing';
}

function editText({ key, shiftKey }: Press, target: Element): Done {
  if (!isEditable(target)) return 'nothing';
  const direction = DIRECTIONS[key];
  if (direction) {
    const { alter, by } = direction;
    target.ownerDocument.getSelection()?.modify(shiftKey ? 'extend' : 'move', alter, by);
    return 'done';
  }
  const command =
    key === 'Backspace' ? 'delete' : key === 'Delete' ? 'forwardDelete' : [...key].length === 1 ? 'insertText' : '';
  if (!command) return 'nothing';
  edit(target, command, key);
  return 'done';
}

/** Scroll what scrolls around the target, as a key on the page does. */
function scrollBy({ key, shiftKey }: Press, target: Element): Done {
  const isAcross = key === 'ArrowLeft' || key === 'ArrowRight';
  const back = key === 'ArrowUp' || key === 'ArrowLeft' || key === 'PageUp' || key === 'Home' || shiftKey;
  const isPaged = key === 'PageUp' || key === 'PageDown' || key === ' ';
  const isWhole = key === 'Home' || key === 'End';
  if (!isPaged && !isWhole && !/^Arrow/.test(key)) return 'nothing';
  const scroller = scrollerAround(target, isAcross);
  const seen = isAcross ? scroller.clientWidth : scroller.clientHeight;
  const px = (isWhole ? scroller.scrollHeight : isPaged ? seen * PAGE_PART : LINE_PX) * (back ? -1 : 1);
  scroller.scrollBy({ [isAcross ? 'left' : 'top']: px, behavior: 'instant' });
  return 'done';
}

function scrollerAround(target: Element, isAcross: boolean): Element {
  for (let at = target as Element | null; at; at = around(at)) {
    const style = getComputedStyle(at);
    const isScrolling = /auto|scroll/.test(isAcross ? style.overflowX : style.overflowY);
    const isLarger = isAcross ? at.scrollWidth > at.clientWidth : at.scrollHeight > at.clientHeight;
    if (isScrolling && isLarger) return at;
  }
  return nodes.scroller(document) ?? document.documentElement;
}
