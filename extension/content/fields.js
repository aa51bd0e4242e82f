// Says which fields of a form hold what nobody else may see, and what the others hold; it must err towards saying nothing.
//
// A field that was sensitive once stays so: "show password" makes one that looks like any other, with the secret in it.

'use strict';

/** The longest value that is told. */
var VALUE_CHARACTERS = 200;

/** The longest label that is searched for words. */
var WORDS_CHARACTERS = 1_000;

/** Autofill fields whose value is a secret (HTML, 4.10.18.7). */
var SECRET_AUTOFILL = /\b(current-password|new-password|one-time-code|cc-[a-z-]+)\b/;

/** Words in the name, id, label or placeholder of a field that make it sensitive. */
var SECRET_WORDS = new RegExp(
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

/** @type {WeakSet<Element>}  the fields that were sensitive once */
var sensitiveFields;

/** @type {MutationObserver | undefined}  made once in this world, however often the files are injected */
var typeChanges;

/**
 * @param {Element} field
 * @returns {boolean}  what it holds must not be told
 */
function isSensitive(field) {
  if (wasSensitive(field)) return true;
  const is = isVeiled(field) || SECRET_WORDS.test(wordsAbout(field));
  if (is) sensitiveFields.add(field);
  return is;
}

/**
 * @param {Element} field
 * @returns {boolean}  it was sensitive when it was last looked at, or of type `password` at any time
 */
function wasSensitive(field) {
  rememberPasswords(typeChanges?.takeRecords() ?? []);
  return sensitiveFields.has(field);
}

/**
 * Remember a field that is sensitive just now, at the cost of a look at it alone: its labels stay what they are.
 * @param {Element} field
 */
function watchField(field) {
  if (!sensitiveFields.has(field) && isVeiled(field)) sensitiveFields.add(field);
}

/**
 * Watch the fields of a document or a shadow root.
 * @param {Document | ShadowRoot} root
 */
function watchTypes(root) {
  typeChanges?.observe(root, { subtree: true, attributeFilter: ['type'], attributeOldValue: true });
}

/** @param {MutationRecord[]} records */
function rememberPasswords(records) {
  for (const { target, oldValue } of records) {
    if (/^password$/i.test(oldValue ?? '')) sensitiveFields.add(/** @type {Element} */ (target));
  }
}

/**
 * @param {Element} field
 * @returns {boolean}  the browser hides what it holds, or keeps it as a secret
 */
function isVeiled(field) {
  const said = (/** @type {string} */ name) => nodes.attribute(field, name) ?? '';
  return /^(password|hidden)$/i.test(said('type')) || SECRET_AUTOFILL.test(said('autocomplete')) || isMasked(field);
}

/**
 * @param {Element} element
 * @returns {boolean}  its text is shown as dots
 */
function isMasked(element) {
  return getComputedStyle(element).getPropertyValue('-webkit-text-security') !== 'none';
}

/**
 * @param {Element} field
 * @returns {string}  what the page says about it, to people and to itself
 */
function wordsAbout(field) {
  const said = ['name', 'id', 'placeholder', 'aria-label', 'title', 'data-testid'].map((name) => nodes.attribute(field, name));
  const labels = [.../** @type {HTMLInputElement} */ (field).labels ?? [], ...labellersOf(field)];
  const texts = [...said, ...labels.map(({ textContent }) => textContent)];
  return texts.map((text) => (text ?? '').slice(0, WORDS_CHARACTERS)).join(' ').normalize('NFKC');
}

/**
 * @param {Element} field
 * @returns {Element[]}  what `aria-labelledby` names
 */
function labellersOf(field) {
  const root = nodes.root(field);
  const ids = (nodes.attribute(field, 'aria-labelledby') ?? '').split(/\s+/).filter(Boolean);
  if (!ids.length || !(isDocument(root) || root instanceof ShadowRoot)) return [];
  return ids.flatMap((id) => [...matchesIn(root, `#${CSS.escape(id)}`)]);
}

/**
 * Give what a field holds, as it is told; a box that is ticked or not by its state.
 * @param {Element} field
 * @returns {string}
 */
function valueOf(field) {
  if (isHtml(field, 'select')) {
    const { selectedOptions } = /** @type {HTMLSelectElement} */ (field);
    return clip([...selectedOptions].map(({ text }) => text).join(', '), VALUE_CHARACTERS);
  }
  if (isHtml(field, 'input')) {
    const { type, checked, files, value } = /** @type {HTMLInputElement} */ (field);
    if (type === 'checkbox' || type === 'radio') return checked ? 'checked' : 'unchecked';
    return type === 'file' ? `${files?.length ?? 0} file(s)` : clip(value, VALUE_CHARACTERS);
  }
  if (isHtml(field, 'textarea')) return clip(/** @type {HTMLTextAreaElement} */ (field).value, VALUE_CHARACTERS);
  return clip(field.textContent ?? '', VALUE_CHARACTERS);
}

/**
 * @param {Element} field
 * @returns {boolean}  it is a control of a form, not a text that is edited in its place
 */
function isHeld(field) {
  return isHtml(field, 'input') || isHtml(field, 'select') || isHtml(field, 'textarea');
}

/**
 * Give what somebody wrote into an editor, with its lines; what the editor shows while nothing is written is no such text.
 * @param {Element} field
 * @returns {string}
 */
function editedText(field) {
  const squeezed = (/** @type {Node} */ node) => (node.textContent ?? '').replace(/[\s\u200B]+/g, '');
  const [stand, ...more] = [...nodes.within(field, '[contenteditable="false"]')].filter(isPlaceholder);
  if (stand && !more.length && squeezed(stand) === squeezed(field)) return '';
  return (/** @type {HTMLElement} */ (field).innerText ?? field.textContent ?? '').replace(/[\u200B\uFEFF]/g, '');
}

/** @param {Element} element */
function isPlaceholder(element) {
  return Array.from(nodes.attributes(element)).some(({ name, value }) => /placeholder/i.test(name) || (name === 'class' && /placeholder/i.test(value)));
}

if (!typeChanges) {
  sensitiveFields = new WeakSet();
  typeChanges = new MutationObserver(rememberPasswords);
  watchTypes(document);
}
