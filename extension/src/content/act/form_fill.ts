// Fills the fields of a form, each in a task of its own, and submits it; it must not choose what is entered.

import { elementToActOn } from '../dom/choose_element.ts';
import { partFor } from '../dom/components.ts';
import { fail, namingParameter } from '../dom/faults.ts';
import { nameOf } from '../dom/naming.ts';
import { isHtml, nodes } from '../dom/nodes.ts';
import { treeOf } from '../dom/search.ts';
import { clip } from '../dom/text.ts';
import { canBeSeen, type Found } from '../dom/visibility.ts';
import { type Fault, frame, type Query } from '../frame.ts';
import type { Action } from './action_types.ts';
import { refuseKind } from './actionability.ts';
import { choose, tick, typeInto } from './actions.ts';
import { click } from './click.ts';
import { beginInForm } from './component_lists.ts';
import { isTicked } from './field_kinds.ts';
import { doKeyDefault, sendsByEnter } from './key_defaults.ts';
import { pressDown } from './key_events.ts';
import { pressOf } from './keys.ts';
import { lastCheck } from './last_check.ts';
import { isDrawnAsList, isFromList, listField } from './list_fields.ts';
import { currentObservation, lastChange, type Observation, observe } from './observer.ts';
import { giveFocus } from './page_focus.ts';
import { pageTask, pageTurn } from './page_turns.ts';
import { stepOf } from './recorded_steps.ts';
import { beginMoving, isDrawnSlider } from './slider_moves.ts';
import { doStepInForm, type Step } from './stepped.ts';

type FilledField = { index: number; selector: string; check: (() => object | void) | undefined };

/** The most fields that are named where the browser refuses to send a form. */
const INVALID_NAMED = 5;

/** Of the form that is being filled. */
let filling: { fields: FilledField[]; entered: Element[]; stepped?: { index: number; found: Found } } = {
  fields: [],
  entered: [],
};

/**
 * Fill the fields from the `first` on; all that is filled is one action, which is observed from its first field on. Return
 * how many are filled by now, and why the next one is not. The query has `id`, `fields`, `first`, `analyze` and `a11y`.
 */
export async function fillFields({ id, fields, first, analyze, a11y, secrets }: Query): Promise<object> {
  if (first === 0 && currentObservation?.id !== id) begin(String(id), analyze === true, a11y === true);
  for (let index = first; index < fields.length; index++) {
    const left = index > first && (await pageTask()); // a page may enable one field after another was filled
    if (left || currentObservation?.id !== id) return { gone: true, filled: index };
    try {
      await fillField(index, { ...fields[index], secrets });
    } catch (thrown) {
      const { fault, step } = thrown as { fault?: Fault; step?: Step };
      if (!fault) throw thrown;
      return { filled: index, fault, ...(step && { step }) };
    }
  }
  return { filled: fields.length };
}

function begin(id: string, analyze: boolean, a11y: boolean) {
  observe(id, analyze, a11y);
  filling = { fields: [], entered: [] };
  Object.assign(lastCheck, { run: allHold, field: undefined });
}

async function fillField(index: number, given: Query) {
  const values = withChecked(given);
  const selector = String(values['selector']);
  const known = filling.stepped?.index === index ? filling.stepped.found : undefined; // its list may have its name
  const found =
    known ?? partFor(elementToActOn(values, isDrawnAsList), values['checked'] !== undefined ? 'check' : 'type');
  const query = { ...values, text: values['value'] };
  const list = values['checked'] === undefined ? listField(found) : undefined;
  if (list && (values['value'] === undefined || isFromList(list))) {
    const by = { selector, type: typeInto, many: values['values'] !== undefined };
    if (!known) await beginInForm(list, (values['values'] ?? [values['value']]) as string[], by);
    await doStepOf(list, index, selector);
  } else if (values['value'] !== undefined && isDrawnSlider(found.element)) {
    if (!known) beginMoving(found, values['value'], selector);
    await doStepOf(found, index, selector);
  } else {
    const enter = entering(found.element, values);
    const recorded = frame.beginStep?.(found.element);
    const step = stepOf(enter === tick ? 'check' : enter === choose ? 'select' : 'type', found.element, query);
    const { check } = await enter(found, query, selector);
    recorded?.(step);
    filling.fields.push({ index, selector, check });
  }
  filling.entered.push(found.element);
}

async function doStepOf(found: Found, index: number, selector: string) {
  filling.stepped = { index, found };
  const { check } = await doStepInForm(selector);
  filling.fields.push({ index, selector, check });
}

/** Take "true" or "false" as `checked` for a field that is ticked or not. */
function withChecked(values: Query): Query {
  const { value } = values;
  if (value !== 'true' && value !== 'false') return values;
  const { element } = partFor(elementToActOn(values, isDrawnAsList), 'type');
  const { value: _, ...others } = values;
  return isTicked(element) === null ? values : { ...others, checked: value === 'true' };
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

/**
 * Submit the form of the last field as a person would: by its button, without one by Enter in a field. The query has `id`.
 */
export async function submitForm({ id }: Record<string, unknown>): Promise<object> {
  if (currentObservation?.id !== id) return { gone: true };
  Object.assign(currentObservation as Observation, { list: false }); // what comes now comes of the sending
  const last = filling.entered.at(-1);
  const form = last ? formOf(last) : null;
  const button = form && submitterOf(form);
  if (form && !nodes.unchecked(form) && !button?.formNoValidate) seeValid(form);
  if (!button) await sendByEnter(form);
  else {
    const recorded = frame.beginStep?.(button);
    await namingParameter('submit', () => click({ element: button, tree: treeOf(button) }, {}, nameOf(button)));
    recorded?.({ act: 'click' });
  }
  return {};
}

/** Press Enter in the last field that takes it; what comes of that is the page's, unless it is what a browser does. */
async function sendByEnter(form: HTMLFormElement | null) {
  const { entered } = filling;
  const field = entered.findLast(sendsByEnter);
  if (!field || !nodes.isConnected(field)) notSent(form, 'no field of it sends it by Enter');
  giveFocus(field);
  const recorded = frame.beginStep?.(field);
  const press = pressOf('Enter');
  let done = 'nothing';
  const before = lastChange(); // what comes from here on comes of the key
  const { prevented, release } = pressDown(field, press, (_, writer) => (done = doKeyDefault(press, writer)));
  await pageTurn();
  release();
  recorded?.(stepOf('key_press', field, { key: 'Enter' }));
  if (prevented || done !== 'nothing') return;
  lastCheck.run = () => {
    if (lastChange() === before) notSent(form, 'Enter in its last field changed nothing on the page');
  };
}

function notSent(form: HTMLFormElement | null, why: string): never {
  const what = form ? 'the form has no button of its own' : 'the last field is in no form';
  return fail('invalid_params', `submit: ${what}, and ${why}.`, {
    details: { parameter: 'submit', filled: filling.fields.map(({ index }) => index) },
    recovery: 'The fields are filled. Click what sends them.',
  });
}

/** Return the form of a field, also of one in a component in it. */
function formOf(field: Element): HTMLFormElement | null {
  for (let at: Element | undefined = field; at; at = (nodes.root(at) as ShadowRoot).host) {
    const form = (at as HTMLInputElement).form ?? nodes.closest(at, 'form');
    if (form) return form as HTMLFormElement;
  }
  return null;
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
