// Fills the fields of a form, one a call, and submits it; it must not choose what is entered, nor wait.

import { elementToActOn } from '../dom/choose_element.ts';
import { partFor } from '../dom/components.ts';
import { fail, namingParameter } from '../dom/faults.ts';
import { nameOf } from '../dom/naming.ts';
import { isHtml, nodes } from '../dom/nodes.ts';
import { treeOf } from '../dom/search.ts';
import { clip } from '../dom/text.ts';
import { canBeSeen } from '../dom/visibility.ts';
import type { Fault } from '../frame.ts';
import type { Action } from './action_types.ts';
import { refuseKind } from './actionability.ts';
import { choose, tick, typeInto } from './actions.ts';
import { click } from './click.ts';
import { isTicked } from './field_kinds.ts';
import { lastCheck } from './last_check.ts';
import { currentObservation, observe } from './observer.ts';

type FilledField = { index: number; selector: string; check: (() => object | void) | undefined };

/** The most fields that are named where the browser refuses to send a form. */
const INVALID_NAMED = 5;

/** Of the form that is being filled. */
let filling: { fields: FilledField[]; last: Element | null } = { fields: [], last: null };

/** Observe from here on: all that is filled is one action. The query has `id` and `analyze`. */
export function beginForm({ id, analyze, a11y }: Record<string, unknown>) {
  observe(String(id), analyze === true, a11y === true);
  filling = { fields: [], last: null };
  Object.assign(lastCheck, { run: allHold, field: undefined });
  return {};
}

/** The query has `id`, `index` and `field`. */
export function fillField({ id, index, field }: Record<string, unknown>): object {
  if (currentObservation?.id !== id) return { gone: true };
  const values = field as Record<string, unknown>;
  const found = partFor(elementToActOn(values), values['checked'] !== undefined ? 'check' : 'type');
  const selector = String(values['selector']);
  const { check } = entering(found.element, values)(found, { ...values, text: values['value'] }, selector);
  filling.fields.push({ index: Number(index), selector, check });
  filling.last = found.element;
  return {};
}

function entering(element: Element, { selector, value, checked }: Record<string, unknown>): Action {
  if (checked !== undefined) return tick;
  if (value === undefined || isHtml(element, 'select')) return choose;
  if (isTicked(element) !== null) refuseKind(String(selector), 'type', 'It is ticked or not: use checked.');
  return typeInto;
}

/** See whether every field keeps what was entered. */
function allHold() {
  const { fields } = filling;
  for (const { index, selector, check } of fields) {
    try {
      check?.();
    } catch (thrown) {
      const { fault } = thrown as { fault?: Fault };
      if (!fault) throw thrown;
      const { code, message, details, ...more } = fault;
      const values = {
        ...details,
        field: { index, selector: clip(selector, 500) },
        filled: fields.filter(holds).map((field) => field.index),
      };
      fail(code, `fields[${index}]: ${message}`, { ...more, details: values });
    }
  }
}

function holds({ check }: FilledField) {
  try {
    check?.();
    return true;
  } catch {
    return false;
  }
}

/** Submit the form of the last field as a person would: by its button, if it has one. The query has `id`. */
export function submitForm({ id }: Record<string, unknown>): object {
  if (currentObservation?.id !== id) return { gone: true };
  const { last } = filling;
  const form = last && ((last as HTMLInputElement).form ?? (nodes.closest(last, 'form') as HTMLFormElement | null));
  if (!form) {
    return fail('invalid_params', 'submit: the last field is in no form.', {
      details: { parameter: 'submit' },
      recovery: 'The fields are filled. Click what sends them.',
    });
  }
  const button = submitterOf(form);
  if (!nodes.unchecked(form) && !button?.formNoValidate) seeValid(form);
  if (!button) nodes.submit(form);
  else namingParameter('submit', () => click({ element: button, tree: treeOf(button) }, {}, nameOf(button)));
  return {};
}

/** Return its first button that can be seen and sends it. */
function submitterOf(form: HTMLFormElement): HTMLButtonElement | null {
  const own = Array.from(nodes.controls(form)).filter((control) =>
    nodes.matches(control, 'button:not([type]), [type="submit"]'),
  );
  const every = [...own, ...nodes.within(form, 'input[type="image"]')];
  return (every.find((control) => canBeSeen({ element: control, tree: treeOf(control) })) ??
    null) as HTMLButtonElement | null;
}

/** See that the browser will send a form, without the page hearing of it. */
function seeValid(form: HTMLFormElement) {
  const wrong = Array.from(nodes.controls(form)).filter(
    (control) => nodes.matches(control, ':invalid') && !isHtml(control, 'fieldset'),
  );
  if (!wrong.length) return;
  const invalid = wrong.slice(0, INVALID_NAMED).map((control) => ({
    selector: nameOf(control),
    message: clip((control as HTMLInputElement).validationMessage, 200),
  }));
  fail(
    'form_invalid',
    `submit: the form was not sent: ${wrong.length} of its fields would be refused, first ${invalid[0]?.selector}.`,
    {
      details: { invalid, count: wrong.length },
      recovery: 'Fill these fields too.',
    },
  );
}
