// Decides which fields of a form hold secrets, and reads what the others hold; in doubt a field is sensitive.
//
// A field that was sensitive once stays so: "show password" makes one that looks like any other, with the secret in it.

import { frame } from '../frame.ts';
import { isDocument, isHtml, matchesIn, nodes } from './nodes.ts';
import { clip } from './text.ts';

/** The longest value that is returned. */
const VALUE_CHARACTERS = 200;

/** The longest label that is searched for words. */
const WORDS_CHARACTERS = 1_000;

/** Autofill fields with a secret value (HTML, 4.10.18.7). */
const SECRET_AUTOFILL = /\b(current-password|new-password|one-time-code|cc-[a-z-]+)\b/;

/** Words in the name, id, label or placeholder of a field that make it sensitive. */
const SECRET_WORDS = new RegExp(
  [
    'pass(word|phrase|code|wd)?|pwd|(?<![a-z])pw|pw(?![a-z])|secret|token|credential|otp|one.?time',
    '(?<![a-z])pin(?![a-z])|pin.?code|cvv|cvc|card.?(no|num)|iban|(?<![a-z])ssn(?![a-z])|social.?security',
    'api.?key|private.?key|seed|mnemonic|recovery|security.?(code|answer)',
    // "Password" as far as it is not written with "pass", by language: de, es, ca, pt, fr, nl, pl, cs, sk, hu, ro, it,
    'kennwort|geheim|contrase(ñ|n)a|contrasenya|(?<![a-z])clave|senha|(?<![a-z])mdp|wachtwoord|has(ł|l)o|heslo|jelsz(ó|o)|parol',
    // sv, da, fi, tr, sl, hr, lt, vi, id,
    'l(ö|o)senord|adgangskode|kodeord|salasana|(ş|s)ifre|geslo|lozinka|slapta|m(ậ|a)t kh(ẩ|a)u|kata sandi',
    // ru, uk and bg, sr, el, he, ar, fa, hi, bn, th, zh, ja, ko.
    'парол|лозинк|κωδικ|סיסמ|كلمة (المرور|السر)|رمز (المرور|عبور)|पासवर्ड|পাসওয়ার্ড|รหัสผ่าน|密[码碼]|口令|パスワード|暗証|비밀번호|암호',
  ]
    .join('|')
    .normalize('NFKC'),
  'i',
);

/** Whether a text asks for a secret. */
export function hasSecretWords(text: string): boolean {
  return SECRET_WORDS.test(text.normalize('NFKC'));
}

/** Whether the value of the field must not leave the page. */
export function isSensitive(field: Element): boolean {
  if (wasSensitive(field)) return true;
  const is = isVeiled(field) || SECRET_WORDS.test(wordsAbout(field));
  if (is) frame.sensitiveFields.add(field);
  return is;
}

/**
 * Whether a secret may be entered: as `isSensitive`, but in doubt not. What words alone make sensitive is a line of a form,
 * such as an API key's; a text of several lines or an editor is read by others, whatever its label asks for.
 */
export function hidesWhatItHolds(field: Element): boolean {
  return isSensitive(field) && (isHtml(field, 'input') || isVeiled(field));
}

/** Whether the field was sensitive when it was last checked, or of type `password` at any time. */
export function wasSensitive(field: Element): boolean {
  rememberPasswords(frame.typeObserver?.takeRecords() ?? []);
  return frame.sensitiveFields.has(field);
}

/** Remember a field that is sensitive just now, at the cost of a look at it alone: its labels stay what they are. */
export function watchField(field: Element) {
  if (!frame.sensitiveFields.has(field) && isVeiled(field)) frame.sensitiveFields.add(field);
}

/** Watch the fields of a document or a shadow root. */
export function watchTypes(root: Document | ShadowRoot) {
  frame.typeObserver?.observe(root, { subtree: true, attributeFilter: ['type'], attributeOldValue: true });
}

function rememberPasswords(records: MutationRecord[]) {
  for (const { target, oldValue } of records) {
    if (/^password$/i.test(oldValue ?? '')) frame.sensitiveFields.add(target as Element);
  }
}

/** Whether the browser hides what the field holds, or keeps it as a secret. */
function isVeiled(field: Element): boolean {
  const written = (name: string) => nodes.attribute(field, name) ?? '';
  return (
    /^(password|hidden)$/i.test(written('type')) || SECRET_AUTOFILL.test(written('autocomplete')) || isMasked(field)
  );
}

/** Whether its text is shown as dots. */
export function isMasked(element: Element): boolean {
  return getComputedStyle(element).getPropertyValue('-webkit-text-security') !== 'none';
}

/** Return what the page writes about it, for people and for itself. */
function wordsAbout(field: Element): string {
  const written = ['name', 'id', 'placeholder', 'aria-label', 'title', 'data-testid'].map((name) =>
    nodes.attribute(field, name),
  );
  const labels = [...((field as HTMLInputElement).labels ?? []), ...labellersOf(field)];
  const texts = [...written, ...labels.map(({ textContent }) => textContent)];
  return texts
    .map((text) => (text ?? '').slice(0, WORDS_CHARACTERS))
    .join(' ')
    .normalize('NFKC');
}

/** Return what `aria-labelledby` names. */
export function labellersOf(field: Element): Element[] {
  const root = nodes.root(field);
  const ids = (nodes.attribute(field, 'aria-labelledby') ?? '').split(/\s+/).filter(Boolean);
  if (!ids.length || !(isDocument(root) || root instanceof ShadowRoot)) return [];
  return ids.flatMap((id) => [...matchesIn(root, `#${CSS.escape(id)}`)]);
}

/** Return what a field holds, as it is reported; of a box that is ticked or not, its state. */
export function valueOf(field: Element): string {
  if (isHtml(field, 'select')) {
    const { selectedOptions } = field as HTMLSelectElement;
    return clip([...selectedOptions].map(({ text }) => text).join(', '), VALUE_CHARACTERS);
  }
  if (isHtml(field, 'input')) {
    const { type, checked, files, value } = field as HTMLInputElement;
    if (type === 'checkbox' || type === 'radio') return checked ? 'checked' : 'unchecked';
    return type === 'file' ? `${files?.length ?? 0} file(s)` : clip(value, VALUE_CHARACTERS);
  }
  if (isHtml(field, 'textarea')) return clip((field as HTMLTextAreaElement).value, VALUE_CHARACTERS);
  return clip(field.textContent ?? '', VALUE_CHARACTERS);
}

/** Whether the field is a control of a form, not a text that is edited in its place. */
export function isHeld(field: Element): boolean {
  return isHtml(field, 'input') || isHtml(field, 'select') || isHtml(field, 'textarea');
}

/**
 * Return what was written into an editor, with its lines; what the editor shows while nothing is written is no such
 * text.
 */
export function editedText(field: Element): string {
  const squeezed = (node: Node) => (node.textContent ?? '').replace(/[\s\u200B]+/g, '');
  const [stand, ...more] = [...nodes.within(field, '[contenteditable="false"]')].filter(isPlaceholder);
  if (stand && !more.length && squeezed(stand) === squeezed(field)) return '';
  return ((field as HTMLElement).innerText ?? field.textContent ?? '').replace(/[\u200B\uFEFF]/g, '');
}

function isPlaceholder(element: Element) {
  return Array.from(nodes.attributes(element)).some(
    ({ name, value }) => /placeholder/i.test(name) || (name === 'class' && /placeholder/i.test(value)),
  );
}

export function startTypeObserver() {
  frame.typeObserver = new MutationObserver(rememberPasswords);
  watchTypes(document);
}
