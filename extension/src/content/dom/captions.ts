// Finds the label that stands by a field and does not belong to it by its markup.

import { accessibleName } from './accessible_name.ts';
import { inside, isHtml, nodes } from './nodes.ts';
import { oneLine } from './text.ts';
import { contains, isOutOfSight } from './visibility.ts';
import { ROWS, WORKED_WITH } from './widgets.ts';

/** How far above a field its caption may be. */
const CAPTION_LEVELS = 8;

/** What a label may stand by. */
const FIELDS =
  'input:not([type="hidden" i]), select, textarea, [aria-haspopup], [contenteditable], [role="combobox"], [role="listbox"], [role="slider"], [role="spinbutton"], [role="switch"], [role="textbox"]';

/** A longer text is no caption. */
const CAPTION_CHARACTERS = 60;

/** Return the label that stands by a field and does not belong to it by its markup, else the text beside the field. */
export function captionOf(element: Element): string {
  let beside = '';
  let at = nodes.parent(element);
  for (let up = 0; at && at !== document.body && up < CAPTION_LEVELS; up++, at = nodes.parent(at)) {
    const captions = [...inside(at, 'label, legend')].filter((one) => nodes.isRendered(one) && isOfNoneInSight(one));
    const [caption] = captions;
    if (caption) return captions.length === 1 && isNextTo(element, caption, at) ? accessibleName(caption) : beside;
    beside ||= textBeside(element, at);
    if (nodes.type(at) !== 1 || nodes.matches(at as Element, ROWS)) break; // beyond it there are the fields of others
  }
  return beside;
}

/** Whether a field is the first after a label, or the last before it where none comes after. */
function isNextTo(field: Element, label: Element, around: Node): boolean {
  const fields = [...inside(around, FIELDS)].filter((one) => !nodes.closest(one, '[aria-hidden="true"]'));
  const after = fields.filter((one) => label.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
  const next = after[0] ?? fields.at(-1);
  return next === undefined || next === field || contains(next, field) || contains(field, next);
}

/** Whether a label's own field is not drawn, or there is none: components draw another one for it. */
function isOfNoneInSight(label: Element): boolean {
  const field = controlOf(label);
  return field === null || !nodes.isRendered(field) || (isHtml(field, 'select') && isOutOfSight(field));
}

/** Return the text of what holds one field and nothing else to work with but signs, such as that of a calendar. */
function textBeside(field: Element, around: Node): string {
  const parts = nodes.type(around) === 1 ? [around] : inside(around, ':host > *');
  const text = oneLine([...parts].map((part) => (part as HTMLElement).innerText ?? '').join(' '));
  const isOther = (one: Element) => one !== field && !(isHtml(one, 'button') && !(one as HTMLElement).innerText.trim());
  return text.length > CAPTION_CHARACTERS || [...inside(around, WORKED_WITH)].some(isOther) ? '' : text;
}

/** Return the field of a label. */
export function controlOf(element: Element): Element | null {
  return isHtml(element, 'label') ? (element as HTMLLabelElement).control : null;
}
