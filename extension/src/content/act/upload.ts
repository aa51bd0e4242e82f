// Gives files to a file field, or drops them where the page takes them; it must reveal nothing of what they hold.

import { refuse } from '../dom/faults.ts';
import { isHtml, nodes } from '../dom/nodes.ts';
import { clip } from '../dom/text.ts';
import type { Found } from '../dom/visibility.ts';
import type { ActionDone } from './action_types.ts';
import { bringIntoReach, refuseKind, requireEnabled } from './actionability.ts';
import { isFileField } from './field_kinds.ts';
import { rejected } from './field_values.ts';
import { sendDrag } from './pointer.ts';

/** `data` in Base64. */
type SentFile = { name: string; type: string; modified_ms: number; data: string };

const setFiles = (Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'files') as PropertyDescriptor).set;

export function upload(found: Found, { files }: Record<string, unknown>, selector: string): ActionDone {
  const sent = files as SentFile[];
  const field = fileFieldOf(found.element, selector);
  if (!field) return dropFiles(found, transferOf(sent), selector);
  requireEnabled(field, selector);
  seeFits(field, sent);
  Reflect.apply(setFiles as (files: FileList) => void, field, [transferOf(sent).files]);
  field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
  return { check: () => filesIn(field, sent.length, selector) };
}

/**
 * Return how many files the field holds: none where the page has taken them out, as some do at once with what they
 * send.
 */
function filesIn(field: HTMLInputElement, wanted: number, selector: string) {
  const count = field.files?.length ?? 0;
  if (count && count !== wanted) rejected(field, selector, `${wanted} file(s)`);
  return { files: count };
}

/** Return the element, what it labels, or the file field inside of it. */
function fileFieldOf(element: Element, selector: string): HTMLInputElement | null {
  const labelled = isHtml(element, 'label') ? (element as HTMLLabelElement).control : null;
  const near = [element, labelled].find((one) => one && isFileField(one));
  if (near) return near as HTMLInputElement;
  const inside = [...nodes.within(element, 'input')].filter(isFileField) as HTMLInputElement[];
  if (inside.length > 1)
    refuseKind(selector, 'upload to', `It holds ${inside.length} file fields: name the one that is meant.`);
  return inside[0] ?? null;
}

function seeFits(field: HTMLInputElement, sent: SentFile[]) {
  if (sent.length > 1 && !field.multiple)
    refuse(
      'files',
      sent.map(({ name }) => name),
      'files: this field takes one file.',
    );
  const wrong = sent.find((file) => !isAccepted(field.accept, file));
  if (wrong)
    refuse(
      'files',
      wrong.name,
      `files: ${JSON.stringify(wrong.name)} is none of what the field takes: ${clip(field.accept, 200)}.`,
    );
}

/** `accept` has endings, types, and kinds of types (HTML, 4.10.5.1.17). */
function isAccepted(accept: string, { name, type }: SentFile): boolean {
  const tokens = accept
    .toLowerCase()
    .split(',')
    .map((token) => token.trim())
    .filter(Boolean);
  const fits = (token: string) => {
    if (token.startsWith('.')) return name.toLowerCase().endsWith(token);
    return token.endsWith('/*') ? type.startsWith(token.slice(0, -1)) : token === type;
  };
  return !tokens.length || tokens.some(fits);
}

function transferOf(sent: SentFile[]): DataTransfer {
  const transfer = new DataTransfer();
  for (const { name, type, modified_ms, data } of sent) {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    transfer.items.add(new File([bytes], name, { type, lastModified: modified_ms }));
  }
  return transfer;
}

/** Drop files where the page takes them. */
function dropFiles(found: Found, transfer: DataTransfer, selector: string): ActionDone {
  const { element } = found;
  const at = bringIntoReach(found, selector);
  sendDrag(element, 'dragenter', at, transfer);
  const taken = !sendDrag(element, 'dragover', at, transfer);
  sendDrag(element, taken ? 'drop' : 'dragleave', at, transfer);
  if (!taken)
    refuseKind(selector, 'upload to', 'It is no file field, holds and labels none, and files cannot be dropped there.');
  return {};
}
