// Writes into fields as a person would, and checks later that the page has kept what was entered.

import { fail } from '../dom/faults.ts';
import { editedText, isSensitive, valueOf } from '../dom/fields.ts';
import { isHtml, nodes } from '../dom/nodes.ts';
import { clip } from '../dom/text.ts';
import { contextOf, type EditContext, isText } from './field_kinds.ts';
import { isSameDay } from './same_day.ts';

/** What Chrome calls an edit that it announces (https://www.w3.org/TR/input-events-2/). */
const INPUT_TYPES: Record<string, string> = {
  insertText: 'insertText',
  insertParagraph: 'insertParagraph',
  insertLineBreak: 'insertLineBreak',
  delete: 'deleteContentBackward',
  forwardDelete: 'deleteContentForward',
};

/**
 * Edit what is selected, unless the page does it itself on `beforeinput`: editors that keep a model of their own
 * (Slate) take what is announced, and not what is in the page. `execCommand` announces nothing, and Chrome reports a
 * selection late: so the event names the range that is meant.
 */
export function edit(target: Element, command: string, text: string) {
  if (!announce(target, command, text)) return;
  const data = command === 'insertText' ? text : undefined;
  const context = contextOf(target);
  if (context) editInContext(context, command, data ?? '');
  else target.ownerDocument.execCommand(command, false, data);
}

/** Announce an edit to the page, and return whether it has not prevented it. */
export function announce(target: Element, command: string, text: string): boolean {
  const { ownerDocument } = target;
  const data = command === 'insertText' ? text : null;
  const selection = ownerDocument.getSelection();
  const targetRanges = selection?.rangeCount && !isText(target) ? [new StaticRange(selection.getRangeAt(0))] : [];
  const init = {
    bubbles: true,
    composed: true,
    cancelable: true,
    inputType: INPUT_TYPES[command] ?? '',
    data,
    targetRanges,
  };
  return target.dispatchEvent(new InputEvent('beforeinput', init));
}

/** Edit a text that goes past the page's elements, as Chrome does (https://www.w3.org/TR/edit-context/#textupdateevent). */
function editInContext(context: EditContext, command: string, text: string) {
  if (!/^(insertText|delete|forwardDelete)$/.test(command)) return; // the page does it on `beforeinput`
  const ends = [context.selectionStart, context.selectionEnd];
  const isEmpty = ends[0] === ends[1];
  const from = Math.max(0, Math.min(...ends) - (isEmpty && command === 'delete' ? 1 : 0));
  const to = Math.max(...ends) + (isEmpty && command === 'forwardDelete' ? 1 : 0);
  const at = from + text.length;
  context.updateText(from, to, text);
  context.updateSelection(at, at);
  const init = { text, updateRangeStart: from, updateRangeEnd: to, selectionStart: at, selectionEnd: at };
  context.dispatchEvent(new TextUpdateEvent('textupdate', init));
}

declare const TextUpdateEvent: new (type: string, init: object) => Event;

const setValue = {
  input: (Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') as PropertyDescriptor).set,
  textarea: (Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value') as PropertyDescriptor).set,
};

export function write(field: HTMLInputElement | HTMLTextAreaElement, value: string, data: string) {
  const set = setValue[isHtml(field, 'textarea') ? 'textarea' : 'input'] as (value: string) => void;
  Reflect.apply(set, field, [enterable(field, value)]);
  field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true, inputType: 'insertText', data }));
}

/** Tell the page that the field holds what it will: Chrome does so when the field is left, after the last key. */
export function endEntry(field: Element) {
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

/** The types of inputs with a text that is no number, and no point in time. */
const IN_WORDS = /^(text|search|url|tel|email|password)$/;

/** Cut a text to the characters that Chrome lets a person enter, which it does not do for a script. */
function enterable(field: HTMLInputElement | HTMLTextAreaElement, value: string): string {
  const { type, maxLength } = field;
  const isLimited = maxLength >= 0 && (type === 'textarea' || IN_WORDS.test(type));
  return isLimited ? value.slice(0, maxLength) : value;
}

/** Return what the field holds, if that is written otherwise. */
export function accepted(
  field: HTMLInputElement | HTMLTextAreaElement,
  value: string,
  selector: string,
): { value: string } | undefined {
  const plain = (text: string) => (field.type === 'color' ? text.toLowerCase() : text.replaceAll('\r\n', '\n'));
  if (plain(field.value) === plain(value)) return undefined;
  const [now, wanted] = [plain(field.value), plain(value)];
  const languages = [field.ownerDocument.documentElement.lang, navigator.language, 'en'];
  if (!isFormatted(now, wanted) && !isSameDay(now, wanted, languages) && field.value !== asChromeWrites(field, value))
    rejected(field, selector, value);
  return { value: isSensitive(field) ? '[REDACTED]' : valueOf(field) };
}

/** What pages set before and after a number: the code of a country, a currency, a unit. */
const AROUND_NUMBERS = /^(\+\d{1,3}|\p{L}{1,3})(?![\p{L}\p{N}])|\p{L}{1,3}$/gu;

/** Whether the page has kept all that was entered: with signs between, other capitals, without spaces at the ends. */
function isFormatted(now: string, wanted: string): boolean {
  if (isInOrder(now, wanted)) return true;
  if (!isNumeric(wanted)) return false;
  const number = now.trim().replace(AROUND_NUMBERS, '');
  return (
    isInOrder(number, wanted) ||
    (DECIMAL_COMMA.test(number) && [wanted, swapped(wanted)].some((one) => isInOrder(swapped(number), one)))
  );
}

/** A number as most of Europe writes it: 1.234,50 €. */
const DECIMAL_COMMA = /^[^,]*,\d{1,2}[^\d.,]*$/;

/** A whole number in groups of three digits: 1.500. */
const IN_THOUSANDS = /^\D*\d{1,3}([.,]\d{3})+\D*$/;

/** Write points as commas and commas as points. */
function swapped(number: string): string {
  return number.replace(/[.,]/g, (sign) => (sign === ',' ? '.' : ','));
}

function isNumeric(text: string): boolean {
  return /^[-+\d.,\s]+$/.test(text);
}

function isInOrder(now: string, wanted: string): boolean {
  const [shown, entered] = [now, wanted].map((text) => text.trim().toLowerCase()) as [string, string];
  const isRaw = !isNumeric(wanted) || IN_THOUSANDS.test(shown); // 1.50 is not 150
  return (
    (isRaw && hasInOrder(shown, entered)) ||
    (isNumeric(wanted) && hasInOrder(withoutZeros(shown), withoutZeros(entered)))
  );
}

function hasInOrder(shown: string, entered: string): boolean {
  let at = 0;
  for (const sign of shown) {
    if (sign === entered[at]) at++;
    else if (/[\p{L}\p{N}]/u.test(sign)) return false;
  }
  return entered !== '' && at === entered.length;
}

/** Cut the zeros at the end of a decimal: 1,234.50 is 1234.5. */
function withoutZeros(text: string): string {
  return text.replace(/(\.\d*?)0+(\D*)$/, '$1$2').replace(/\.(\D*)$/, '$1');
}

/** Return how Chrome writes a value in a field of that type: a text in one line, an address without spaces around. */
function asChromeWrites(
  { type, value, ownerDocument }: HTMLInputElement | HTMLTextAreaElement,
  wanted: string,
): string {
  if (value === '' || !(IN_WORDS.test(type) || type === 'datetime-local')) return wanted;
  const other = Object.assign(nodes.create(ownerDocument, 'http://www.w3.org/1999/xhtml', 'input'), { type });
  Reflect.apply(setValue.input as (value: string) => void, other, [wanted]);
  return (other as HTMLInputElement).value;
}

export function rejected(field: Element, selector: string, wanted: string): never {
  const secret = isSensitive(field);
  const now = secret ? 'something else' : JSON.stringify(valueOf(field));
  const what = secret ? 'the text' : JSON.stringify(clip(wanted, 200));
  return fail('input_rejected', `${JSON.stringify(clip(selector, 200))} did not keep ${what}: it holds ${now}.`, {
    details: { selector: clip(selector, 500), ...(!secret && { value: valueOf(field) }) },
    recovery: hintOf(field),
  });
}

function hintOf(field: Element) {
  const { type = '', maxLength = -1, min, max, step } = field as HTMLInputElement;
  const forms = {
    date: '2026-01-31',
    time: '13:45',
    'datetime-local': '2026-01-31T13:45',
    month: '2026-01',
    week: '2026-W05',
    color: '#aabbcc',
    number: '1.5',
  };
  if (Object.hasOwn(forms, type))
    return `A field of type ${type} takes values like ${forms[type as keyof typeof forms]}.`;
  if (type === 'range') return `The slider takes numbers from ${min || 0} to ${max || 100}, in steps of ${step || 1}.`;
  return maxLength >= 0
    ? `The field takes ${maxLength} characters.`
    : 'The page has changed or refused it; look at what it says.';
}

export function holdsText(element: Element, wanted: string, alone: boolean, selector: string) {
  const squeezed = (text: string) => text.replace(/[\s\u200B]+/g, '');
  const now = squeezed(editedText(element));
  if (!(alone ? now === squeezed(wanted) : now.includes(squeezed(wanted)))) rejected(element, selector, wanted);
}

export function caretAtEnd(field: HTMLInputElement) {
  try {
    field.setSelectionRange(field.value.length, field.value.length);
  } catch {
    // a field of numbers has no places in it: the caret stays where the click has put it
  }
}
