// Fills the fields of a form, one at a time as it is told, and sends it; it must not choose what is entered, nor wait.

'use strict';

/** @typedef {{index: number, selector: string, check: (() => object | void) | undefined}} FilledField */

/** The most fields that are named where the browser refuses to send a form. */
var INVALID_NAMED = 5;

/** @type {{fields: FilledField[], last: Element | null}}  of the form that is being filled */
var filling = { fields: [], last: null };

/**
 * Watch from here on: what is filled is one action.
 * @param {Record<string, unknown>} query  `id`, `analyze`
 */
function beginForm({ id, analyze, a11y }) {
  watch(String(id), analyze === true, a11y === true);
  filling = { fields: [], last: null };
  lastCheck = allHold;
  return {};
}

/**
 * @param {Record<string, unknown>} query  `id`, `index`, `field`
 * @returns {object}
 */
function fillField({ id, index, field }) {
  if (witness?.id !== id) return { gone: true };
  const told = /** @type {Record<string, unknown>} */ (field);
  const found = partFor(actable(told), told['checked'] !== undefined ? 'check' : 'type');
  const selector = String(told['selector']);
  const { check } = entering(found.element, told)(found, { ...told, text: told['value'] }, selector);
  filling.fields.push({ index: Number(index), selector, check });
  filling.last = found.element;
  return {};
}

/**
 * @param {Element} element
 * @param {Record<string, unknown>} told
 * @returns {Doer}
 */
function entering(element, { selector, value, checked }) {
  if (checked !== undefined) return tick;
  if (value === undefined || isHtml(element, 'select')) return choose;
  if (isTicked(element) !== null) notFor(String(selector), 'type', 'It is ticked or not: use checked.');
  return typeInto;
}

/** See whether every field keeps what was entered. */
function allHold() {
  const { fields } = filling;
  for (const { index, selector, check } of fields) {
    try {
      check?.();
    } catch (thrown) {
      const { fault } = /** @type {{fault?: Fault}} */ (thrown);
      if (!fault) throw thrown;
      const { code, message, details, ...more } = fault;
      const told = { ...details, field: { index, selector: clip(selector, 500) }, filled: fields.filter(holds).map((field) => field.index) };
      fail(code, `fields[${index}]: ${message}`, { ...more, details: told });
    }
  }
}

/** @param {FilledField} field */
function holds({ check }) {
  try {
    check?.();
    return true;
  } catch {
    return false;
  }
}

/**
 * Send the form of the last field as a person would: by its button, if it has one.
 * @param {Record<string, unknown>} query  `id`
 * @returns {object}
 */
function submitForm({ id }) {
  if (witness?.id !== id) return { gone: true };
  const { last } = filling;
  const form = last && (/** @type {HTMLInputElement} */ (last).form ?? /** @type {HTMLFormElement | null} */ (nodes.closest(last, 'form')));
  if (!form) {
    return fail('invalid_params', 'submit: the last field is in no form.', {
      details: { parameter: 'submit' },
      recovery: 'The fields are filled. Click what sends them.',
    });
  }
  const button = submitterOf(form);
  if (!nodes.unchecked(form) && !button?.formNoValidate) seeValid(form);
  if (!button) nodes.submit(form);
  else blaming('submit', () => click({ element: button, tree: treeOf(button) }, {}, nameOf(button)));
  return {};
}

/**
 * @param {HTMLFormElement} form
 * @returns {HTMLButtonElement | null}  its first button that can be seen and sends it
 */
function submitterOf(form) {
  const own = Array.from(nodes.controls(form)).filter((control) => nodes.matches(control, 'button:not([type]), [type="submit"]'));
  const every = [...own, ...nodes.within(form, 'input[type="image"]')];
  return /** @type {HTMLButtonElement | null} */ (every.find((control) => canBeSeen({ element: control, tree: treeOf(control) })) ?? null);
}

/**
 * @param {Element} element
 * @returns {Tree}
 */
function treeOf(element) {
  const root = nodes.root(element);
  return /** @type {Tree} */ (treesOf(document).find((tree) => tree.root === root));
}

/**
 * See that the browser will send a form, without the page hearing of it.
 * @param {HTMLFormElement} form
 */
function seeValid(form) {
  const wrong = Array.from(nodes.controls(form)).filter((control) => nodes.matches(control, ':invalid') && !isHtml(control, 'fieldset'));
  if (!wrong.length) return;
  const invalid = wrong.slice(0, INVALID_NAMED).map((control) => ({
    selector: nameOf(control),
    message: clip(/** @type {HTMLInputElement} */ (control).validationMessage, 200),
  }));
  fail('form_invalid', `submit: the form was not sent: ${wrong.length} of its fields would be refused, first ${invalid[0]?.selector}.`, {
    details: { invalid, count: wrong.length },
    recovery: 'Fill these fields too.',
  });
}
