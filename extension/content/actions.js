// Tells what the user did in this frame; nothing that a script did, no character that was typed, no sensitive value.

'use strict';

/** What a click means when it hits something inside of it. */
var CLICKABLE =
  'a, button, input, select, textarea, label, summary, option, [role="button"], [role="link"], [role="tab"], [role="menuitem"], [role="checkbox"], [role="switch"], [role="option"], [onclick]';

/** The longest text of what was clicked. */
var LABEL_CHARACTERS = 80;

/** @type {boolean | undefined}  set once in this world, however often the files are injected */
var watchingActions;

/** @type {Element | null}  the editable element that was typed into since it has the focus */
var edited = null;

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
  const target = hit.closest(CLICKABLE) ?? hit;
  const text = clip((target.textContent ?? '').trim().replace(/\s+/g, ' '), LABEL_CHARACTERS);
  const [x, y] = [Math.round(event.clientX), Math.round(event.clientY)];
  const silent = target.matches('select, textarea, [contenteditable], [contenteditable] *'); // it says what was entered
  capture({ type: 'action', action: 'click', ...placeOfAction(target), ...(text && !silent && { text }), x, y });
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
  edited = null;
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  const { key, repeat, ctrlKey, altKey, metaKey } = event;
  if (repeat || !key || ['Control', 'Alt', 'Shift', 'Meta', 'AltGraph', 'Dead', 'Process', 'Unidentified'].includes(key)) return;
  const combined = (ctrlKey || altKey || metaKey) && !event.getModifierState('AltGraph');
  if ([...key].length === 1 && !combined) return;
  const held = [ctrlKey && 'Control', altKey && 'Alt', metaKey && 'Meta', event.shiftKey && 'Shift'].filter(Boolean);
  const element = hitBy(event);
  if (element) capture({ type: 'action', action: 'key', ...placeOfAction(element), key: [...held, key].join('+') });
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

/** @type {Record<string, (event: any) => void>} */
var userActions = {
  click: clicked,
  change: changed,
  input: typed,
  focusout: left,
  keydown: pressed,
  scrollend: scrolled,
  submit: submitted,
};

if (!watchingActions) {
  watchingActions = true;
  for (const [type, tell] of Object.entries(userActions)) {
    window.addEventListener(type, (event) => event.isTrusted && tell(event), { capture: true, passive: true });
  }
}
