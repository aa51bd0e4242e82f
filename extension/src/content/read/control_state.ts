// Reads the state of what people work with: its value, and whether it is ticked, open, required, refused or disabled.

import { drawnText } from '../dom/code_editors.ts';
import { editedText, isHeld, valueOf } from '../dom/fields.ts';
import { isHtml, nodes } from '../dom/nodes.ts';
import { clip, oneLine, withoutMarks } from '../dom/text.ts';
import { around } from '../dom/visibility.ts';

/** What people work with, by its role and accessible name. */
export type Named = { element: Element; role: string; name: string };

/** What is as usual is left out. */
export type States = {
  checked?: boolean | 'mixed';
  expanded?: boolean;
  required?: true;
  invalid?: true;
  disabled?: true;
};

/** The longest value of an editor that is returned. */
const VALUE_CHARACTERS = 200;

/** Roles that have a value between two bounds. */
const MEASURED = new Set(['slider', 'spinbutton', 'scrollbar']);

/** What is in the component of a list beside its choice. */
const NOT_CHOSEN = '[role="listbox"], button, [role="button"], [class*="placeholder" i], [aria-hidden="true"]';

/** The component of a field has no other in it, and is not further around it. */
const FIELDS = 'input:not([type="hidden"]), select, textarea';
const COMPONENT_LEVELS = 5;

/** What a list without a choice keeps its height by. */
const INVISIBLE = /[\u200b\u2060\ufeff]/g;

/** Return what a field holds, or a component that stands for one shows. */
export function shownValue({ element, role, name }: Named): string {
  const drawn = drawnText(element);
  if (drawn) return clip(drawn.text, VALUE_CHARACTERS);
  if (isHeld(element) && holdsValue(element))
    return valueOf(element) || (role === 'combobox' ? drawnAround(element, withoutMarks(name)) : '');
  if (holdsValue(element)) return clip(editedText(element), VALUE_CHARACTERS);
  const written = nodes.attribute(element, 'aria-valuetext') ?? nodes.attribute(element, 'aria-valuenow') ?? '';
  if (MEASURED.has(role)) return written;
  if (isHeld(element) || !showsValue(element, role)) return '';
  const chosen = chosenIn(element, withoutMarks(name));
  return role !== 'combobox' && (name.includes(chosen) || !/[\p{L}\p{N}]/u.test(chosen)) ? '' : chosen; // or a sign
}

/** Whether it has a value by its role, and is no field of the browser's own. */
export function showsValue(element: Element, role: string): boolean {
  return MEASURED.has(role) || role === 'combobox' || opensList(element);
}

/** Whether it is a button that shows what was chosen in its list, as lists were made before ARIA 1.2. */
function opensList(element: Element): boolean {
  return nodes.attribute(element, 'aria-haspopup') === 'listbox' && isHtml(element, 'button');
}

/** What is chosen in the list of an empty field: the text in the frame that the component draws around that field alone. */
function drawnAround(field: Element, label: string): string {
  let at = isFramed(field) ? null : around(field);
  for (let level = 0; at && level < COMPONENT_LEVELS; level++, at = around(at)) {
    if (nodes.within(at, FIELDS).length > 1) return '';
    if (isFramed(at)) return chosenIn(at, label);
  }
  return '';
}

function isFramed(element: Element): boolean {
  const { borderTopWidth, borderBottomWidth, boxShadow } = getComputedStyle(element);
  return (borderTopWidth !== '0px' && borderBottomWidth !== '0px') || boxShadow !== 'none';
}

/** The text of a component that opens a list, without its label, the list and the buttons that take a choice back. */
function chosenIn(element: Element, label: string): string {
  const others = [...nodes.within(element, NOT_CHOSEN)].map(textOf).filter(Boolean);
  const text = others.reduce((rest, other) => rest.replace(other, ' '), textOf(element)).replace(INVISIBLE, '');
  return oneLine(
    text
      .split('\n')
      .filter((line) => withoutMarks(oneLine(line)) !== label)
      .join(' '),
  );
}

function textOf(element: Element): string {
  return (element as HTMLElement).innerText ?? '';
}

function holdsValue(element: Element): boolean {
  if (isHtml(element, 'input'))
    return !/^(button|submit|reset|image|checkbox|radio|file)$/.test((element as HTMLInputElement).type);
  return isHeld(element) || nodes.matches(element, '[contenteditable]:not([contenteditable="false"])');
}

export function statesOf(element: Element): States {
  const checked = checkedState(element);
  const expanded = expandedState(element);
  const is = (css: string) => nodes.matches(element, css);
  return {
    ...(checked !== null && { checked }),
    ...(expanded !== null && { expanded }),
    ...(is(':required, [aria-required="true"]') && { required: true as const }),
    ...(is(':user-invalid, [aria-invalid="true"]') && { invalid: true as const }),
    ...((is(':disabled') || nodes.closest(element, '[aria-disabled="true"]')) && { disabled: true as const }),
  };
}

/** Return whether it is ticked, pressed or chosen, "mixed" if in part; null for what cannot be. */
function checkedState(element: Element): boolean | 'mixed' | null {
  if (isHtml(element, 'input')) {
    const { type, checked, indeterminate } = element as HTMLInputElement;
    if (type === 'checkbox' && indeterminate) return 'mixed';
    if (type === 'checkbox' || type === 'radio') return checked;
  }
  const written = ['aria-checked', 'aria-pressed', 'aria-selected'].map((name) => nodes.attribute(element, name));
  const state = written.find((value) => value === 'true' || value === 'false' || value === 'mixed');
  if (state === 'mixed') return state;
  return state ? state === 'true' : null;
}

function expandedState(element: Element): boolean | null {
  const parent = nodes.parent(element);
  if (isHtml(element, 'summary') && parent) return nodes.attribute(parent as Element, 'open') !== null;
  const written = nodes.attribute(element, 'aria-expanded');
  return written === 'true' || written === 'false' ? written === 'true' : null;
}
