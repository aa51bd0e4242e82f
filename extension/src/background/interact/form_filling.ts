// Performs fill_form in the page, field after field.

import { Failure, type Fault } from '../failure.ts';
import type { InPage, Steps } from './mutation.ts';

type Field = Record<string, unknown>;

/** How long a field is searched for that may only appear, or be enabled, after the one before it was filled. */
const APPEARS_MS = 1000;
const POLL_MS = 50;

/** The errors that may pass in a moment; nothing was entered with them. */
const PASSING: Fault['code'][] = ['element_not_found', 'element_not_visible', 'element_disabled', 'element_detached'];

export const fillForm: InPage = async ({ fields, submit, id, analyze, a11y }, steps) => {
  const wanted = fields as Field[];
  await steps.begin('begin_form', { id, analyze, a11y });
  for (const [index, field] of wanted.entries()) await fill(field, index, steps);
  if (submit === true) await submitForm(wanted.length, steps);
};

async function submitForm(filled: number, { next, untilIdle }: Steps) {
  await untilIdle();
  const { gone } = await next('verify');
  if (gone) throw leftAfter(filled);
  try {
    await next('submit_form'); // not sent again if the page is left meanwhile: it may have been submitted
  } catch (thrown) {
    throw thrown instanceof Failure ? withFilled(thrown, filled) : thrown;
  }
}

/** Fill one field; search for it again while it may still appear. */
async function fill(field: Field, index: number, { next, wait }: Steps) {
  const until = performance.now() + (index ? APPEARS_MS : 0);
  for (;;) {
    try {
      const { gone } = await next('fill_field', { index, field });
      if (gone) throw leftAfter(index);
      return;
    } catch (thrown) {
      if (!(thrown instanceof Failure) || !mayPass(thrown.fault) || performance.now() >= until)
        throw withField(thrown, field, index);
    }
    await wait(POLL_MS);
  }
}

function mayPass({ code, details }: Fault) {
  return PASSING.includes(code) || details?.['parameter'] === 'value'; // an option that the page still fetches
}

function withField(thrown: unknown, { selector }: Field, index: number) {
  if (!(thrown instanceof Failure) || thrown.fault.code === 'page_navigated') return thrown;
  const { message, details } = thrown.fault;
  const field = { index, selector: String(selector).slice(0, 500) };
  const named = { ...thrown.fault, message: `fields[${index}]: ${message}`, details: { ...details, field } };
  return withFilled(Failure.of(named), index);
}

function withFilled({ fault }: Failure, count: number) {
  return Failure.of({ ...fault, details: { ...fault.details, filled: indexesTo(count) } });
}

function leftAfter(count: number) {
  return new Failure('page_navigated', 'The page was left before the form was filled.', {
    details: { filled: indexesTo(count) },
    recovery: 'See where the tab is now with observe(what:"page").',
  });
}

function indexesTo(count: number) {
  return [...Array(count).keys()];
}
