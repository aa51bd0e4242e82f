// Gives files to a file field, or drops them where the page takes them; it must tell nobody what they hold.

'use strict';

/** @typedef {{name: string, type: string, modified_ms: number, data: string}} SentFile  `data` in Base64 */

var setFiles = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'files')).set;

/** @type {Doer} */
function upload(found, { files }, selector) {
  const sent = /** @type {SentFile[]} */ (files);
  const field = fileFieldOf(found.element, selector);
  if (!field) return dropFiles(found, transferOf(sent), selector);
  enabled(field, selector);
  seeFits(field, sent);
  Reflect.apply(/** @type {(files: FileList) => void} */ (setFiles), field, [transferOf(sent).files]);
  field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
  return { check: () => filesIn(field, sent.length, selector) };
}

/**
 * Tell how many files the field holds: none where the page has taken them out, as some do at once with what they send.
 * @param {HTMLInputElement} field
 * @param {number} wanted
 * @param {string} selector
 */
function filesIn(field, wanted, selector) {
  const count = field.files?.length ?? 0;
  if (count && count !== wanted) rejected(field, selector, `${wanted} file(s)`);
  return { files: count };
}

/** @param {Found} found */
function canTakeFiles(found) {
  return isFileField(found.element) || canBeActedOn(found); // file fields are hidden more often than not
}

/**
 * @param {Element} element
 * @returns {boolean}
 */
function isFileField(element) {
  return isHtml(element, 'input') && /** @type {HTMLInputElement} */ (element).type === 'file';
}

/**
 * @param {Element} element
 * @param {string} selector
 * @returns {HTMLInputElement | null}  it, what it labels, or the one inside of it
 */
function fileFieldOf(element, selector) {
  const labelled = isHtml(element, 'label') ? /** @type {HTMLLabelElement} */ (element).control : null;
  const near = [element, labelled].find((one) => one && isFileField(one));
  if (near) return /** @type {HTMLInputElement} */ (near);
  const inside = /** @type {HTMLInputElement[]} */ ([...nodes.within(element, 'input')].filter(isFileField));
  if (inside.length > 1) notFor(selector, 'upload to', `It holds ${inside.length} file fields: name the one that is meant.`);
  return inside[0] ?? null;
}

/**
 * @param {HTMLInputElement} field
 * @param {SentFile[]} sent
 */
function seeFits(field, sent) {
  if (sent.length > 1 && !field.multiple) refuse('files', sent.map(({ name }) => name), 'files: this field takes one file.');
  const wrong = sent.find((file) => !isAccepted(field.accept, file));
  if (wrong) refuse('files', wrong.name, `files: ${JSON.stringify(wrong.name)} is none of what the field takes: ${clip(field.accept, 200)}.`);
}

/**
 * @param {string} accept  HTML, 4.10.5.1.17: endings, types, and kinds of types
 * @param {SentFile} file
 * @returns {boolean}
 */
function isAccepted(accept, { name, type }) {
  const tokens = accept.toLowerCase().split(',').map((token) => token.trim()).filter(Boolean);
  const fits = (/** @type {string} */ token) => {
    if (token.startsWith('.')) return name.toLowerCase().endsWith(token);
    return token.endsWith('/*') ? type.startsWith(token.slice(0, -1)) : token === type;
  };
  return !tokens.length || tokens.some(fits);
}

/**
 * @param {SentFile[]} sent
 * @returns {DataTransfer}
 */
function transferOf(sent) {
  const transfer = new DataTransfer();
  for (const { name, type, modified_ms, data } of sent) {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    transfer.items.add(new File([bytes], name, { type, lastModified: modified_ms }));
  }
  return transfer;
}

/**
 * Drop files where the page takes them.
 * @param {Found} found
 * @param {DataTransfer} transfer
 * @param {string} selector
 * @returns {Deed}
 */
function dropFiles(found, transfer, selector) {
  const { element } = found;
  const at = reachable(found, selector);
  tellDrag(element, 'dragenter', at, transfer);
  const taken = !tellDrag(element, 'dragover', at, transfer);
  tellDrag(element, taken ? 'drop' : 'dragleave', at, transfer);
  if (!taken) notFor(selector, 'upload to', 'It is no file field, holds and labels none, and files cannot be dropped there.');
  return {};
}
