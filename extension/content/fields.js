// Says which fields of a form hold what nobody else may see, and what the others hold; it must err towards saying nothing.

'use strict';

/** The longest value that is told. */
var VALUE_CHARACTERS = 200;

/** Autofill fields whose value is a secret (HTML, 4.10.18.7). */
var SECRET_AUTOFILL = /\b(current-password|new-password|one-time-code|cc-[a-z-]+)\b/;

/** Words in the name, id, label or placeholder of a field that make it sensitive. */
var SECRET_WORDS =
  /pass(word|phrase|code|wd)?|pwd|secret|token|credential|otp|one.?time|\bpin\b|cvv|cvc|card.?(no|num)|iban|\bssn\b|social.?security|api.?key|private.?key|seed|mnemonic|recovery|security.?(code|answer)/i;

/**
 * @param {Element} field
 * @returns {boolean}  what it holds must not be told
 */
function isSensitive(field) {
  const said = (/** @type {string} */ name) => nodes.attribute(field, name) ?? '';
  if (/^(password|hidden)$/i.test(said('type')) || SECRET_AUTOFILL.test(said('autocomplete'))) return true;
  const words = ['name', 'id', 'placeholder', 'aria-label', 'title', 'data-testid'].map(said);
  const labels = [.../** @type {HTMLInputElement} */ (field).labels ?? []].map(({ textContent }) => textContent ?? '');
  if (SECRET_WORDS.test([...words, ...labels].join(' '))) return true;
  return getComputedStyle(field).getPropertyValue('-webkit-text-security') !== 'none';
}

/**
 * Give what a field holds, as it is told; a box that is ticked or not by its state.
 * @param {Element} field
 * @returns {string}
 */
function valueOf(field) {
  if (field instanceof HTMLSelectElement) {
    return clip([...field.selectedOptions].map(({ text }) => text).join(', '), VALUE_CHARACTERS);
  }
  if (field instanceof HTMLInputElement) {
    if (field.type === 'checkbox' || field.type === 'radio') return field.checked ? 'checked' : 'unchecked';
    if (field.type === 'file') return `${field.files?.length ?? 0} file(s)`;
    return clip(field.value, VALUE_CHARACTERS);
  }
  if (field instanceof HTMLTextAreaElement) return clip(field.value, VALUE_CHARACTERS);
  return clip(field.textContent ?? '', VALUE_CHARACTERS);
}
