// Has a page fill a form, field after field; it must not know what a field is.

import { Failure, type Fault } from '../failure.ts';

/** How long a field is looked for that may only come, or be enabled, after the one before it was filled. */
const APPEARS_MS = 1000;
const LOOK_MS = 50;

/** What may be otherwise in a moment; nothing was entered then. */
const PASSING = ['element_not_found', 'element_not_visible', 'element_disabled', 'element_detached'];

/**
 * What an action of several steps is done with. `next`: asks the page for a step, and is answered `gone` by any page
 * but the one that the action began in.
 */
export interface Steps {
  begin: () => Promise<any>;
  next: (name: string, more?: object) => Promise<any>;
  settled: () => Promise<unknown>;
  wait: (ms: number) => Promise<unknown>;
}

/** @param query `fields`, `submit` */
export async function fillForm({ fields, submit }: Record<string, unknown>, steps: Steps): Promise<void> {
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

/** Fill one field, and look for it again while it may still come. */
async function fill(field: Record<string, unknown>, index: number, { next, wait }: Steps) {
  const until = performance.now() + (index ? APPEARS_MS : 0);
  for (;;) {
    try {
      const { gone } = await next('fill_field', { index, field });
      if (gone) throw left(index);
      return;
    } catch (thrown) {
      if (!(thrown instanceof Failure) || !mayPass(thrown.fault) || performance.now() >= until)
        throw named(thrown, field, index);
    }
    await wait(LOOK_MS);
  }
}

function mayPass({ code, details }: Fault) {
  return PASSING.includes(code) || details?.['parameter'] === 'value'; // an option that is still fetched
}

function named(thrown: unknown, { selector }: Record<string, unknown>, index: number) {
  if (!(thrown instanceof Failure) || thrown.fault.code === 'page_navigated') return thrown;
  const { code, message, details, ...more } = thrown.fault;
  const told = { ...details, field: { index, selector: String(selector).slice(0, 500) } };
  return filledUntil(new Failure(code, `fields[${index}]: ${message}`, { ...more, details: told }), index);
}

function filledUntil({ fault: { code, message, details, ...more } }: Failure, count: number) {
  return new Failure(code, message, { ...more, details: { ...details, filled: numbersTo(count) } });
}

function left(count: number) {
  return new Failure('page_navigated', 'The page was left before the form was filled.', {
    details: { filled: numbersTo(count) },
    recovery: 'See where the tab is now with observe(what:"page").',
  });
}

function numbersTo(count: number) {
  return [...Array(count).keys()];
}

/** Read all fields before the first is filled. */
function fieldsOf(fields: unknown): Record<string, unknown>[] {
  if (!Array.isArray(fields) || !fields.length) throw wrong('fields', 'fields must be a list that is not empty.');
  for (const [index, field] of fields.entries()) {
    const given = ['value', 'values', 'checked'].filter((name) => field?.[name] !== undefined);
    if (given.length !== 1)
      throw wrong(
        `fields[${index}]`,
        `fields[${index}] needs one of value, values and checked${given.length ? `, not ${given.join(' and ')}` : ''}.`,
      );
  }
  return fields;
}

function wrong(parameter: string, message: string) {
  return new Failure('invalid_params', message, {
    details: { parameter },
    recovery: 'For example: [{"selector":"#name","value":"Ada"},{"selector":"#agree","checked":true}]',
  });
}
