// Tells what the user did in this frame; nothing that a script or an assistant did, no character that was typed, no sensitive value.

'use strict';

/** Keys that only change what others mean, or are part of a character. */
var SILENT_KEYS = ['Control', 'Alt', 'Shift', 'Meta', 'AltGraph', 'Dead', 'Process', 'Unidentified'];

/** What does not leave a shadow root at all, or not if the focus moves within it. */
var INNER_ACTIONS = ['change', 'submit', 'scrollend', 'focusin', 'focusout'];

/** @type {((event: Event) => void) | undefined}  made once in this world, however often the files are injected */
var hearAction;

/** @type {Element | null}  the editable element that was typed into since it has the focus */
var edited = null;

/** @type {{element: Element, place: {selector: string, tag: string}} | null}  where the last key was pressed */
var keyed = null;

/**
 * @param {Event} event
 * @returns {Element | null}  what it hit; the host of a closed root
 */
function hitBy(event) {
  const [first] = event.composedPath();
  return first instanceof Element ? first : null;
}

/** @param {Element} element */
function placeOfAction(element) {
  return { selector: nameOf(element), tag: nodes.tag(element) };
}

/** @param {MouseEvent} event */
function clicked(event) {
  const hit = hitBy(event);
  if (!hit) return;
  const target = nodes.closest(hit, CLICKABLE) ?? hit;
  const text = labelOf(target);
  const [x, y] = [Math.round(event.clientX), Math.round(event.clientY)];
  capture({ type: 'action', action: 'click', ...placeOfAction(target), ...(text && { text }), x, y });
}

/** @param {Event} event */
function changed(event) {
  const field = hitBy(event);
  if (field) entered(field);
}

/** @param {Element} field */
function entered(field) {
  const value = isSensitive(field) ? {} : { value: valueOf(field) };
  capture({ type: 'action', action: 'input', ...placeOfAction(field), ...value });
}

/** @param {Event} event */
function typed(event) {
  const field = hitBy(event);
  if (field instanceof HTMLElement && field.isContentEditable) edited = field;
}

/** Tell what was typed into an editable element when it is left: it has no change event of its own. */
function left() {
  if (edited) entered(edited);
  edited = keyed = null;
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  const { key, repeat, ctrlKey, altKey, metaKey, shiftKey } = event;
  const element = hitBy(event);
  if (!element || repeat || !key || SILENT_KEYS.includes(key)) return;
  if ([...key].length === 1 && (isTyping(event, element) || isSensitive(element))) return;
  const held = [ctrlKey && 'Control', altKey && 'Alt', metaKey && 'Meta', shiftKey && 'Shift'].filter(Boolean);
  capture({ type: 'action', action: 'key', ...placeOfKey(element), key: [...held, key].join('+') });
}

/**
 * Say whether a key of one character writes it. Alt does on a Mac, and Control with Alt is AltGr on Windows.
 * @param {KeyboardEvent} event
 * @param {Element} element
 * @returns {boolean}
 */
function isTyping(event, element) {
  const { key, ctrlKey, altKey, metaKey } = event;
  if (!(ctrlKey || altKey || metaKey) || event.getModifierState('AltGraph')) return true;
  if (metaKey || !altKey) return false;
  return ctrlKey ? !/[a-z0-9]/i.test(key) : nodes.matches(element, ENTRIES) || /** @type {HTMLElement} */ (element).isContentEditable;
}

/**
 * Name where a key was pressed, once for all keys that follow each other there.
 * @param {Element} element
 */
function placeOfKey(element) {
  if (keyed?.element !== element) keyed = { element, place: placeOfAction(element) };
  return keyed.place;
}

/** @param {Event} event */
function scrolled(event) {
  const page = event.target === document;
  const scroller = page ? document.scrollingElement : hitBy(event);
  if (!scroller) return;
  const [x, y] = [Math.round(scroller.scrollLeft), Math.round(scroller.scrollTop)];
  capture({ type: 'action', action: 'scroll', selector: page ? 'html' : nameOf(scroller), x, y });
}

/** @param {Event} event */
function submitted(event) {
  const form = hitBy(event);
  if (form) capture({ type: 'action', action: 'submit', ...placeOfAction(form) });
}

/** @param {Event} event */
function noticed(event) {
  const field = hitBy(event);
  if (field) watchField(field);
}

/** @param {Event} event */
function focused(event) {
  const field = hitBy(event);
  if (field) isSensitive(field); // it is looked at with its labels once, before anybody types
}

/**
 * Listen in every open shadow root that an event came through, for what does not come out.
 * @param {Event} event
 */
function met(event) {
  for (const root of event.composedPath()) {
    if (!(root instanceof ShadowRoot)) continue;
    watchTypes(root);
    for (const type of INNER_ACTIONS) root.addEventListener(type, /** @type {(event: Event) => void} */ (hearAction), { capture: true, passive: true });
  }
}

/** @type {Record<string, ((event: any) => void)[]>} */
var userActions = {
  pointerdown: [met],
  wheel: [met],
  focusin: [met, focused],
  beforeinput: [noticed],
  click: [clicked],
  change: [changed],
  input: [noticed, typed],
  focusout: [left],
  keydown: [met, noticed, pressed],
  scrollend: [scrolled],
  submit: [submitted],
};

/**
 * Say whether it is this listener's to tell: what a slot shows goes through the slot's root and its own.
 * @param {Event} event
 * @returns {boolean}
 */
function isOwn({ currentTarget, composed, isTrusted, target }) {
  if (currentTarget === window) return isTrusted;
  return isTrusted && (composed || nodes.root(/** @type {Node} */ (target)) === currentTarget);
}

if (!hearAction) {
  hearAction = (event) => isOwn(event) && !isOwnInput() && userActions[event.type]?.forEach((tell) => tell(event));
  for (const type of Object.keys(userActions)) hearAlways(type, hearAction, { capture: true, passive: true });
}
