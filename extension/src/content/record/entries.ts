// Gives what a field holds as a step that enters it; it must give no secret.

import type { Recorded, StepEvent } from '../../shared/events.ts';
import { editedText, isSensitive } from '../dom/fields.ts';
import { isHtml } from '../dom/nodes.ts';
import { clip, oneLine } from '../dom/text.ts';

/** The longest value, and name of a file, that is recorded. */
const VALUE = 2_000;
const FILE_NAME = 200;

/** The types of fields with a value that is picked, not written. */
const SET = /^(date|datetime-local|month|week|time|color|range)$/;

/** Give what a field of a form or an editable text holds as a step that enters it. */
export function entryOf(field: Element): Recorded | undefined {
  if (isHtml(field, 'select')) {
    const values = [...(field as HTMLSelectElement).selectedOptions].map(({ text }) => oneLine(text));
    return { act: 'select', field: 'select', ...(isSensitive(field) ? { secret: true as const } : { values }) };
  }
  if (isHtml(field, 'input')) {
    const { type, checked, files } = field as HTMLInputElement;
    if (type === 'checkbox' || type === 'radio') return { act: 'check', field: 'check', checked };
    if (type === 'file')
      return { act: 'upload', field: 'file', files: [...(files ?? [])].map(({ name }) => clip(name, FILE_NAME)) };
    if (/^(submit|button|reset|image|hidden)$/.test(type)) return undefined;
    if (SET.test(type)) return { act: 'type', field: 'set', ...valueOf(field, (field as HTMLInputElement).value) };
  }
  const isHeld = isHtml(field, 'input') || isHtml(field, 'textarea');
  const text = isHeld ? (field as HTMLInputElement).value : editedText(field);
  return { act: 'type', field: isHeld ? 'text' : 'rich', ...valueOf(field, text) };
}

/** Give a value as it may be recorded. */
export function valueOf(field: Element, text: string): Pick<StepEvent, 'value' | 'secret' | 'cut'> {
  if (isSensitive(field)) return { secret: true };
  return text.length > VALUE ? { cut: true } : { value: text };
}
