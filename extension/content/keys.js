// Reads the names of keys, and does what Chrome would do for a key that a script presses; it must press none itself.
//
// Names as https://www.w3.org/TR/uievents-key/ has them; codes as https://www.w3.org/TR/uievents-code/.

'use strict';

/** @type {Record<string, {code: string, number: number}>}  keys that write nothing, with their legacy numbers */
var NAMED_KEYS = {
  Enter: { code: 'Enter', number: 13 },
  Tab: { code: 'Tab', number: 9 },
  Escape: { code: 'Escape', number: 27 },
  Backspace: { code: 'Backspace', number: 8 },
  Delete: { code: 'Delete', number: 46 },
  ArrowUp: { code: 'ArrowUp', number: 38 },
  ArrowDown: { code: 'ArrowDown', number: 40 },
  ArrowLeft: { code: 'ArrowLeft', number: 37 },
  ArrowRight: { code: 'ArrowRight', number: 39 },
  Home: { code: 'Home', number: 36 },
  End: { code: 'End', number: 35 },
  PageUp: { code: 'PageUp', number: 33 },
  PageDown: { code: 'PageDown', number: 34 },
};
for (let number = 1; number <= 12; number++) NAMED_KEYS[`F${number}`] = { code: `F${number}`, number: 111 + number };

/** @type {Record<string, 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey'>} */
var MODIFIERS = { Control: 'ctrlKey', Ctrl: 'ctrlKey', Shift: 'shiftKey', Alt: 'altKey', Meta: 'metaKey', Command: 'metaKey' };

/** @typedef {{key: string, code: string, keyCode: number, which: number, ctrlKey: boolean, shiftKey: boolean, altKey: boolean, metaKey: boolean}} Press */

/**
 * Read `Enter`, `a`, `Control+Shift+k`.
 * @param {unknown} told
 * @returns {Press}
 */
function pressOf(told) {
  const text = typeof told === 'string' ? told : '';
  const parts = text === '+' ? ['+'] : text.split('+');
  const name = parts.pop() || '+';
  const held = { ctrlKey: false, shiftKey: false, altKey: false, metaKey: false };
  for (const part of parts) {
    if (!Object.hasOwn(MODIFIERS, part)) return unknownKey(told);
    held[/** @type {keyof typeof held} */ (MODIFIERS[part])] = true;
  }
  const key = name === 'Space' ? ' ' : name === 'Esc' ? 'Escape' : name === 'Return' ? 'Enter' : name;
  if (Object.hasOwn(NAMED_KEYS, key)) {
    const { code, number } = /** @type {{code: string, number: number}} */ (NAMED_KEYS[key]);
    return { key, code, keyCode: number, which: number, ...held };
  }
  if ([...key].length !== 1) return unknownKey(told);
  const number = key.toUpperCase().charCodeAt(0);
  return { key, code: codeOf(key), keyCode: number, which: number, ...held };
}

/** @param {string} key */
function codeOf(key) {
  if (/[a-z]/i.test(key)) return `Key${key.toUpperCase()}`;
  if (/\d/.test(key)) return `Digit${key}`;
  return key === ' ' ? 'Space' : '';
}

/**
 * @param {unknown} told
 * @returns {never}
 */
function unknownKey(told) {
  const names = Object.keys(NAMED_KEYS).slice(0, 13).join(', ');
  return fail('unknown_key', `There is no key ${JSON.stringify(clip(String(told), 80))}.`, {
    details: { parameter: 'key', value: clip(String(told), 80) },
    recovery: `A key is one character, Space, F1 to F12, or one of ${names}; with Control+, Shift+, Alt+ or Meta+ before it.`,
  });
}

/**
 * Do what a key does of itself, if the page has not prevented it: a script's event has no default action.
 * @param {Press} press
 * @param {Element} target
 */
function actOnKey({ key, ctrlKey, altKey, metaKey }, target) {
  if (ctrlKey || altKey || metaKey) return;
  if (key === 'Enter') return void enter(target);
  if (key === ' ' && nodes.matches(target, 'button, summary, input[type="checkbox"], input[type="radio"], input[type="button"], input[type="submit"]')) {
    return void (/** @type {HTMLElement} */ (target).click());
  }
  if (isHtml(target, 'input') && /** @type {HTMLInputElement} */ (target).type === 'range') return slideBy(key, /** @type {HTMLInputElement} */ (target));
  if (!isEditable(target)) return;
  const command = key === 'Backspace' ? 'delete' : key === 'Delete' ? 'forwardDelete' : [...key].length === 1 ? 'insertText' : '';
  if (command) edit(target, command, key);
}

/** What Chrome calls an edit that it announces (https://www.w3.org/TR/input-events-2/). @type {Record<string, string>} */
var INPUT_TYPES = { insertText: 'insertText', insertParagraph: 'insertParagraph', insertLineBreak: 'insertLineBreak', delete: 'deleteContentBackward', forwardDelete: 'deleteContentForward' };

/**
 * Edit what is selected, unless the page does it itself when it hears of it: editors that keep a model of their own
 * (Slate) take what is announced, and not what is in the page. `execCommand` announces nothing, and Chrome
 * tells of a selection late: so it is said which range is meant.
 * @param {Element} target
 * @param {string} command
 * @param {string} text
 */
function edit(target, command, text) {
  const { ownerDocument } = target;
  const data = command === 'insertText' ? text : null;
  const selection = ownerDocument.getSelection();
  const targetRanges = selection?.rangeCount && !isText(target) ? [new StaticRange(selection.getRangeAt(0))] : [];
  const told = { bubbles: true, composed: true, cancelable: true, inputType: INPUT_TYPES[command] ?? '', data, targetRanges };
  if (target.dispatchEvent(new InputEvent('beforeinput', told))) ownerDocument.execCommand(command, false, data ?? undefined);
}

/**
 * @param {string} key
 * @param {HTMLInputElement} slider
 */
function slideBy(key, slider) {
  const { value } = slider;
  if (key === 'ArrowRight' || key === 'ArrowUp') slider.stepUp();
  else if (key === 'ArrowLeft' || key === 'ArrowDown') slider.stepDown();
  else if (key === 'Home') slider.value = slider.min || '0';
  else if (key === 'End') slider.value = slider.max || '100';
  const now = slider.value;
  if (now === value) return;
  slider.value = value;
  write(slider, now, now);
}

/** @param {Element} target */
function enter(target) {
  if (nodes.matches(target, 'a[href], button, summary')) return void (/** @type {HTMLElement} */ (target).click());
  if (isHtml(target, 'textarea') || /** @type {HTMLElement} */ (target).isContentEditable) {
    return edit(target, isHtml(target, 'textarea') ? 'insertLineBreak' : 'insertParagraph', '\n');
  }
  const { form } = /** @type {HTMLInputElement} */ (target);
  if (!isHtml(target, 'input') || !form) return;
  const button = /** @type {HTMLElement | null} */ (form.querySelector('button:not([type]), [type="submit"], [type="image"]'));
  if (button) button.click(); // as Chrome does: the page may listen to the click
  else form.requestSubmit();
}

/** @param {Element} element */
function isEditable(element) {
  return isText(element) || /** @type {HTMLElement} */ (element).isContentEditable;
}

/**
 * @param {Element} element
 * @returns {boolean}  it is a field whose value is set, not written
 */
function isSet(element) {
  return isHtml(element, 'input') && /^(range|color)$/.test(/** @type {HTMLInputElement} */ (element).type);
}

/**
 * @param {Element} element
 * @returns {boolean}  it is a field in which text is entered
 */
function isText(element) {
  if (isHtml(element, 'textarea')) return true;
  return isHtml(element, 'input') && !/^(button|submit|reset|image|checkbox|radio|file|hidden|range|color)$/.test(/** @type {HTMLInputElement} */ (element).type);
}
