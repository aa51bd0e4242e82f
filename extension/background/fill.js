// Has a page fill a form, field after field; it must not know what a field is.

import { Failure } from './failure.js';

/** How long a field is looked for that may only come, or be enabled, after the one before it was filled. */
const APPEARS_MS = 1000;
const LOOK_MS = 50;

/** What may be otherwise in a moment; nothing was entered then. */
const PASSING = ['element_not_found', 'element_not_visible', 'element_disabled', 'element_detached'];

/**
 * What an action of several steps is done with. `next`: asks the page for a step, and is answered `gone` by any page
 * but the one that the action began in.
 * @typedef {object} Steps
 * @property {() => Promise<any>} begin
 * @property {(name: string, more?: object) => Promise<any>} next
 * @property {() => Promise<unknown>} settled
 * @property {(ms: number) => Promise<unknown>} wait
 */

/**
 * @param {Record<string, unknown>} query  `fields`, `submit`
 * @param {Steps} steps
 * @returns {Promise<void>}
 */
export async function fillForm({ fields, submit }, steps) {
  const wanted = fieldsOf(fields);
  await steps.begin();
  for (const [index, field] of wanted.entries()) await fill(field, index, steps);
  if (submit !== true) return;
  await steps.settled();
  const { gone } = await steps.next('verify');
  if (gone) throw left(wanted.length);
  try {
    await steps.next('submit_form'); // a page that is left meanwhile has sent it, or something else: it is not sent again
  } catch (thrown) {
    throw thrown instanceof Failure ? filledUntil(thrown, wanted.length) : thrown;
  }
}

/**
 * Fill one field, and look for it again while it may still come.
 * @param {Record<string, unknown>} field
 * @param {number} index
 * @param {Steps} steps
 */
async function fill(field, index, { next, wait }) {
  const until = performance.now() + (index ? APPEARS_MS : 0);
  for (;;) {
    try {
      const { gone } = await next('fill_field', { index, field });
      if (gone) throw left(index);
      return;
    } catch (thrown) {
      if (!(thrown instanceof Failure) || !mayPass(thrown.fault) || performance.now() >= until) throw named(thrown, field, index);
    }
    await wait(LOOK_MS);
  }
}

/** @param {import('./failure.js').Fault} fault */
function mayPass({ code, details }) {
  return PASSING.includes(code) || details?.['parameter'] === 'value'; // an option that is still fetched
}

/**
 * @param {unknown} thrown
 * @param {Record<string, unknown>} field
 * @param {number} index
 */
function named(thrown, { selector }, index) {
  if (!(thrown instanceof Failure) || thrown.fault.code === 'page_navigated') return thrown;
  const { code, message, details, ...more } = thrown.fault;
  const told = { ...details, field: { index, selector: String(selector).slice(0, 500) } };
  return filledUntil(new Failure(code, `fields[${index}]: ${message}`, { ...more, details: told }), index);
}

/**
 * @param {Failure} failure
 * @param {number} count
 */
function filledUntil({ fault: { code, message, details, ...more } }, count) {
  return new Failure(code, message, { ...more, details: { ...details, filled: numbersTo(count) } });
}

/** @param {number} count */
function left(count) {
  return new Failure('page_navigated', 'The page was left before the form was filled.', {
    details: { filled: numbersTo(count) },
    recovery: 'See where the tab is now with observe(what:"page").',
  });
}

/** @param {number} count */
function numbersTo(count) {
  return [...Array(count).keys()];
}

/**
 * Read all fields before the first is filled.
 * @param {unknown} fields
 * @returns {Record<string, unknown>[]}
 */
function fieldsOf(fields) {
  if (!Array.isArray(fields) || !fields.length) throw wrong('fields', 'fields must be a list that is not empty.');
  for (const [index, field] of fields.entries()) {
    const given = ['value', 'values', 'checked'].filter((name) => field?.[name] !== undefined);
    if (given.length !== 1) throw wrong(`fields[${index}]`, `fields[${index}] needs one of value, values and checked${given.length ? `, not ${given.join(' and ')}` : ''}.`);
  }
  return fields;
}

/**
 * @param {string} parameter
 * @param {string} message
 */
function wrong(parameter, message) {
  return new Failure('invalid_params', message, {
    details: { parameter },
    recovery: 'For example: [{"selector":"#name","value":"Ada"},{"selector":"#agree","checked":true}]',
  });
}
