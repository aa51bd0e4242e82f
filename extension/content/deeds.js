// Does to an element what a person would do to it (SPEC, interact); it must not look for one, nor measure what comes of it.
//
// Values are written by the setters of this world's own prototypes, and told by the events that a person's input makes:
// frameworks that replace the setter of an element (React) accept that. What the page made of a value is read again when
// it has come to rest, by `check`: one that was rejected is an error.

'use strict';

/**
 * What was done: how to see later that it holds, and what to tell of that; `detached`: the element went away before all
 * of it was done.
 * @typedef {{check?: () => object | void, detached?: boolean}} Deed
 */

/** @typedef {(found: Found, query: Record<string, unknown>, selector: string) => Deed} Doer */

/** @type {Record<string, Doer>} */
var doers = {
  click,
  hover,
  type: typeInto,
  select: choose,
  check: tick,
  key_press: pressKey,
  set_attribute: setAttribute,
  drag,
  upload,
  focus: focusOn,
  scroll_to: scrollTo,
};

var setValue = {
  input: /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')).set,
  textarea: /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')).set,
};

/** @type {Doer} */
function click(found, _, selector) {
  const at = reachable(found, selector);
  const { element } = found;
  const hit = () => partAt(element, at); // looked up anew: a component may draw itself again in between
  pointOnto(hit(), at);
  point(hit(), at, ['pointermove', 'mousemove']);
  const pressed = hit();
  if (point(pressed, at, ['pointerdown', 'mousedown'])) focusAround(pressed)?.focus({ preventScroll: true });
  point(hit(), at, ['pointerup', 'mouseup']);
  if (!nodes.isConnected(element)) return { detached: true }; // what acts on the press often closes then: a menu
  point(hit(), at, ['click']);
  return {};
}

/** @type {Doer} */
function hover(found, _, selector) {
  const at = reachable(found, selector);
  const hit = partAt(found.element, at);
  pointOnto(hit, at);
  point(hit, at, ['pointermove', 'mousemove']);
  return {};
}

/** @type {Doer} */
function typeInto(found, { text, clear = true }, selector) {
  if (typeof text !== 'string') refuse('text', text, 'text must be a text.');
  const wanted = /** @type {string} */ (text);
  const { element } = found;
  enabled(element, selector);
  bringIntoSight(found);
  if (!isEditable(element) && !isSet(element)) notFor(selector, 'type', `It is no field that takes text${isFileField(element) ? ': use upload' : ''}.`);
  if (nodes.matches(element, ':read-only') && !isSet(element) && !(/** @type {HTMLElement} */ (element).isContentEditable)) notFor(selector, 'type', 'It is read-only.');
  focusOrFail(element, selector);
  if (!isText(element) && !isSet(element)) return writeRich(/** @type {HTMLElement} */ (element), wanted, clear !== false, selector);
  const field = /** @type {HTMLInputElement} */ (element);
  const value = clear === false && !isSet(field) ? field.value + wanted : wanted;
  write(field, value, wanted);
  return { check: () => accepted(field, value, selector) };
}

/**
 * @param {HTMLInputElement | HTMLTextAreaElement} field
 * @param {string} value
 * @param {string} data
 */
function write(field, value, data) {
  Reflect.apply(/** @type {(value: string) => void} */ (setValue[isHtml(field, 'textarea') ? 'textarea' : 'input']), field, [value]);
  field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true, inputType: 'insertText', data }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

/**
 * @param {HTMLElement} element
 * @param {string} text
 * @param {boolean} clear
 * @param {string} selector
 * @returns {Deed}
 */
function writeRich(element, text, clear, selector) {
  const { ownerDocument } = element;
  if (clear) ownerDocument.getSelection()?.selectAllChildren(element);
  else ownerDocument.getSelection()?.setPosition(element, nodes.childNodes(element).length);
  edit(element, text ? 'insertText' : 'delete', text);
  return { check: () => holdsText(element, text, clear, selector) };
}

/** @type {Doer} */
function choose(found, { value, values }, selector) {
  const { element } = found;
  enabled(element, selector);
  bringIntoSight(found);
  if (!isHtml(element, 'select')) notFor(selector, 'select', 'It is no select field; click on it, and then on the option.');
  const field = /** @type {HTMLSelectElement} */ (element);
  const wanted = Array.isArray(values) ? values : [value];
  if (!wanted.every((one) => typeof one === 'string')) refuse('value', value, 'value must be a text, or values a list of texts.');
  if (wanted.length !== 1 && !field.multiple) refuse('values', values, 'This field takes one value.');
  const options = wanted.map((one) => optionOf(field, /** @type {string} */ (one)));
  focusOrFail(field, selector);
  for (const option of field.options) option.selected = options.includes(option);
  field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
  return {
    check() {
      if (!options.every((option) => option.selected)) rejected(field, selector, wanted.join(', '));
    },
  };
}

/**
 * @param {HTMLSelectElement} field
 * @param {string} wanted
 * @returns {HTMLOptionElement}
 */
function optionOf(field, wanted) {
  const options = [...field.options];
  const option = options.find(({ value }) => value === wanted) ?? options.find(({ text }) => oneLine(text) === oneLine(wanted));
  if (option && !option.disabled) return option;
  const names = options.filter(({ disabled }) => !disabled).slice(0, 20).map(({ text }) => clip(oneLine(text), 60));
  return refuse('value', wanted, `The field has no such option${option ? ' that is enabled' : ''}; it has ${names.join(', ') || 'none'}.`);
}

/** @type {Doer} */
function tick(found, { checked = true }, selector) {
  if (typeof checked !== 'boolean') refuse('checked', checked, 'checked must be true or false.');
  const { element } = found;
  enabled(element, selector);
  const isOn = () => isTicked(element);
  if (isOn() === null) notFor(selector, 'check', 'It is neither a checkbox, a radio button nor a switch.');
  if (isOn() !== checked) {
    bringIntoSight(found);
    /** @type {HTMLElement} */ (element).click();
  }
  return {
    check() {
      if (isOn() !== checked) rejected(element, selector, checked ? 'checked' : 'unchecked');
    },
  };
}

/**
 * @param {Element} element
 * @returns {boolean | null}  null for what can be neither
 */
function isTicked(element) {
  const { type, checked } = /** @type {HTMLInputElement} */ (element);
  if (isHtml(element, 'input') && (type === 'checkbox' || type === 'radio')) return checked;
  const told = nodes.attribute(element, 'aria-checked');
  return told === null ? null : told === 'true';
}

/** @type {Doer} */
function pressKey({ element }, { key }) {
  const press = pressOf(key);
  if ([...press.key].length === 1 && isUnwritten(element)) {
    notFor(nameOf(element), 'press keys on by a script', 'Its editor takes text from real keys alone: use trusted:true.');
  }
  if (nodes.matches(element, 'body, html')) element.ownerDocument.body?.focus();
  else focusable(element)?.focus({ preventScroll: true });
  const told = { bubbles: true, cancelable: true, composed: true, ...press };
  const went = element.dispatchEvent(new KeyboardEvent('keydown', told));
  const writes = [...press.key].length === 1 || press.key === 'Enter';
  const typed = went && (!writes || element.dispatchEvent(new KeyboardEvent('keypress', told)));
  if (typed) actOnKey(press, element);
  element.dispatchEvent(new KeyboardEvent('keyup', told));
  return {};
}

/**
 * @param {Element} element
 * @returns {boolean}  what is written there goes past the page's elements (EditContext), where no script can write
 */
function isUnwritten(element) {
  return Boolean(/** @type {Element & {editContext?: object | null}} */ (element).editContext);
}

/** @type {Doer} */
function setAttribute({ element }, { attribute, value }) {
  if (typeof attribute !== 'string' || !/^[^\s"'<>/=\0]+$/.test(attribute)) refuse('attribute', attribute, 'attribute must be the name of one.');
  const name = /** @type {string} */ (attribute);
  if (value === null || value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, String(value));
  return {};
}

/** @type {Doer} */
function focusOn(found, _, selector) {
  bringIntoSight(found);
  const element = focusable(found.element) ?? notFor(selector, 'focus', 'Nothing there takes the focus.');
  element.focus({ preventScroll: true });
  return {};
}

/** @type {Doer} */
function scrollTo(found) {
  nodes.scrollIntoView(found.element, { block: 'center', inline: 'nearest', behavior: 'instant' });
  return {};
}

/**
 * @param {Element} element
 * @returns {HTMLElement | null}  it, or what around it takes the focus
 */
function focusable(element) {
  return /** @type {HTMLElement | null} */ (
    nodes.closest(element, 'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable], iframe')
  );
}

/**
 * @param {Element} element
 * @returns {HTMLElement | null}  the first from it outwards that takes the focus, out of the components around it too
 */
function focusAround(element) {
  for (let at = /** @type {Element | null} */ (element); at; at = around(at)) {
    const near = focusable(at);
    if (near) return near;
  }
  return null;
}

/**
 * Give a field the focus; some pages put another element into its place then.
 * @param {Element} element
 * @param {string} selector
 */
function focusOrFail(element, selector) {
  /** @type {HTMLElement} */ (element).focus({ preventScroll: true });
  if (nodes.isConnected(element)) return;
  fail('element_detached', `${JSON.stringify(clip(selector, 200))} went away when it got the focus; nothing was entered.`, {
    details: { selector: clip(selector, 500) },
    recovery: 'Look what the page has put in its place, with query_dom or interact(action:"list_interactive").',
  });
}

/**
 * Have a pointer do something at a place.
 * @param {Element} element
 * @param {{x: number, y: number}} at
 * @param {string[]} types
 * @returns {boolean}  the page has prevented none of it
 */
function point(element, { x, y }, types) {
  const pressed = /down$/.test(types[0] ?? '');
  const told = { bubbles: true, cancelable: true, composed: true, clientX: x, clientY: y, button: 0, buttons: pressed ? 1 : 0, detail: 1 };
  let went = true;
  for (const type of types) {
    const entering = /enter$/.test(type);
    const more = entering ? { bubbles: false, cancelable: false } : {};
    const view = element.ownerDocument.defaultView;
    const pointer = { pointerId: 1, pointerType: 'mouse', isPrimary: true };
    const event = type.startsWith('pointer') || type === 'click'
      ? new PointerEvent(type, { ...told, ...more, ...pointer, view })
      : new MouseEvent(type, { ...told, ...more, view });
    if (!element.dispatchEvent(event)) went = false;
  }
  return went;
}

/**
 * @param {HTMLInputElement | HTMLTextAreaElement} field
 * @param {string} value
 * @param {string} selector
 * @returns {{value: string} | undefined}  what it holds, if that is written otherwise
 */
function accepted(field, value, selector) {
  const plain = (/** @type {string} */ text) => (field.type === 'color' ? text.toLowerCase() : text.replaceAll('\r\n', '\n'));
  if (plain(field.value) === plain(value)) return undefined;
  if (!isFormatted(plain(field.value), plain(value))) rejected(field, selector, value);
  return { value: isSensitive(field) ? '[REDACTED]' : valueOf(field) };
}

/**
 * @param {string} now
 * @param {string} wanted
 * @returns {boolean}  a mask has put signs and spaces between what was entered, and kept all of it
 */
function isFormatted(now, wanted) {
  let at = 0;
  for (const sign of now) {
    if (sign === wanted[at]) at++;
    else if (/[\p{L}\p{N}]/u.test(sign)) return false;
  }
  return wanted !== '' && at === wanted.length;
}

/**
 * @param {Element} field
 * @param {string} selector
 * @param {string} wanted
 * @returns {never}
 */
function rejected(field, selector, wanted) {
  const secret = isSensitive(field);
  const now = secret ? 'something else' : JSON.stringify(valueOf(field));
  const what = secret ? 'the text' : JSON.stringify(clip(wanted, 200));
  return fail('input_rejected', `${JSON.stringify(clip(selector, 200))} did not keep ${what}: it holds ${now}.`, {
    details: { selector: clip(selector, 500), ...(!secret && { value: valueOf(field) }) },
    recovery: hintOf(field),
  });
}

/** @param {Element} field */
function hintOf(field) {
  const { type = '', maxLength = -1, min, max, step } = /** @type {HTMLInputElement} */ (field);
  const forms = { date: '2026-01-31', time: '13:45', 'datetime-local': '2026-01-31T13:45', month: '2026-01', week: '2026-W05', color: '#aabbcc', number: '1.5' };
  if (Object.hasOwn(forms, type)) return `A field of type ${type} takes values like ${forms[/** @type {keyof typeof forms} */ (type)]}.`;
  if (type === 'range') return `The slider takes numbers from ${min || 0} to ${max || 100}, in steps of ${step || 1}.`;
  return maxLength >= 0 ? `The field takes ${maxLength} characters.` : 'The page has changed or refused it; look at what it says.';
}

/**
 * @param {string} selector
 * @param {string} action
 * @param {string} why
 * @returns {never}
 */
function notFor(selector, action, why) {
  return fail('invalid_params', `${JSON.stringify(clip(selector, 200))} is nothing to ${action}. ${why}`, {
    details: { parameter: 'selector', value: clip(selector, 500) },
  });
}
