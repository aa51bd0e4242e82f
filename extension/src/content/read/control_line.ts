// Writes what people work with in one line, `[12 button disabled: Buy]`; only what follows the colon is the page's.
//
// The number is the end of its ref, which begins with the mark of the page: it is the same for every ref of the frame.

import { isSensitive } from '../dom/fields.ts';
import { refOf } from '../dom/locate.ts';
import { isHtml, nodes } from '../dom/nodes.ts';
import { clipWhole, LISTED_NAME, oneLine } from '../dom/text.ts';
import { authorName } from './author_names.ts';
import { type Named, type States, shownValue, statesOf } from './control_state.ts';

/** Roles that are chosen among others, and not ticked. */
const CHOSEN = new Set(['tab', 'option', 'treeitem', 'row', 'gridcell', 'radio', 'menuitemradio']);

/** The most characters of the options of a list. */
const OPTIONS_CHARACTERS = 100;

/** Write `ref=` and the ref of an element, its number left open. */
export function refPattern(element: Element): string {
  return `ref=${refOf(element).replace(/\d+$/, 'N')}`;
}

export function numberOf(element: Element): string {
  return refOf(element).replace(/^.*-/, '');
}

/** `choices`: the first options of a list are named, too. */
export function controlLine(one: Named, choices: boolean = false): string {
  const { element, role } = one;
  const isSecret = isSensitive(element);
  const isContent = isSecret && (element as HTMLElement).isContentEditable; // its name may be what was written into it
  const name = isContent ? '' : bracketed(clipWhole(one.name, LISTED_NAME));
  const value = isSecret ? '' : bracketed(clipWhole(oneLine(shownValue(one)), LISTED_NAME));
  const head = [numberOf(element), role || nodes.tag(element), ...statesIn(one, statesOf(element))].join(' ');
  const choice =
    choices && !isSecret && isHtml(element, 'select') ? bracketed(optionsOf(element as HTMLSelectElement)) : '';
  const said = `${name}${value && ` = ${value}`}${choice && ` (of ${choice})`}`.trimStart();
  const called = one.name && !isContent ? '' : authorName(element);
  return `[${head}${called && ` (${called})`}${said && `: ${said}`}]`;
}

/** Mark what a page writes as its own where it looks like what we write: a bracket with a number. */
export function written(text: string): string {
  return text.replace(/\[(?=\d)|\\(?=\[\d)/g, '\\$&');
}

/** The same within our brackets, which it must not end. */
export function bracketed(text: string): string {
  return text.replace(/[\]\\]|\[(?=\d)/g, '\\$&');
}

/** The first options of a list. */
function optionsOf({ options }: HTMLSelectElement): string {
  const shown: string[] = [];
  let left = OPTIONS_CHARACTERS;
  for (const { text } of options) {
    left -= text.length + 2;
    if (left < 0) return [...shown, `… ${options.length}`].join(', ');
    shown.push(oneLine(text));
  }
  return shown.join(', ');
}

function statesIn({ element, role }: Named, states: States): string[] {
  const is = (css: string) => nodes.matches(element, css);
  const expanded = states.expanded === undefined ? '' : states.expanded ? 'expanded' : 'collapsed';
  return [
    checkedWord(element, role, states.checked),
    expanded,
    is('[aria-current]:not([aria-current="false"], [aria-current=""])') ? 'current' : '',
    states.required ? 'required' : '',
    states.invalid ? 'invalid' : '',
    states.disabled ? 'disabled' : '',
    is('input:read-only:enabled[readonly], textarea[readonly], [aria-readonly="true"]') ? 'readonly' : '',
    is(':focus') ? 'focused' : '',
  ].filter(Boolean);
}

/** What is not chosen among others is as usual. */
function checkedWord(element: Element, role: string, checked: States['checked']): string {
  if (checked === undefined) return '';
  if (checked === 'mixed') return 'mixed';
  if (nodes.attribute(element, 'aria-pressed') !== null) return checked ? 'pressed' : 'released';
  if (CHOSEN.has(role)) return checked ? 'selected' : '';
  return checked ? 'checked' : 'unchecked';
}
