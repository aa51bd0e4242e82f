// Performs fill_form, and what needs further steps in the page: by one message, and what may still appear by further ones.

import { Failure, type Fault } from '../failure.ts';
import type { InPage, Steps } from './mutation.ts';

type Field = Record<string, unknown>;

/** A step in the page, as stepped.ts has it; `left` is missing once the page was left. */
type Step = { left?: number; fault?: Fault; progress?: boolean; waitMs?: number };

/** `filled`: the number of fields that were filled; `fault`: why the next one was not; `step`: in its list. */
type Filled =
  | { filled: number; fault?: Fault; step?: Step; gone?: boolean }
  | { gone: true; filled?: undefined }
  | undefined;

/**
 * How long a field is searched for that may only appear, or be enabled, after the one before it was filled; and a button
 * that is enabled once the form was checked.
 */
const APPEARS_MS = 1000;
const POLL_MS = 50;

/** How long an option is searched for: the timers of a hidden tab, by which a list may open, run once a second. */
const LIST_MS = 2_000;

const UNSTATED = 'The page was left before it stated whether more than these was filled.';

/** The errors that may pass in a moment; nothing was entered with them. */
const PASSING: Fault['code'][] = ['element_not_found', 'element_not_visible', 'element_disabled', 'element_detached'];

export const fillForm: InPage = async ({ fields, submit, id, analyze, a11y, secrets }, steps) => {
  const wanted = fields as Field[];
  const begun = await steps.begin('fill_fields', { id, analyze, a11y, fields: wanted, first: 0, secrets });
  await fillLate(wanted, secrets, begun as Filled, steps);
  if (submit === true) await submitForm(wanted.length, steps);
};

/** Do the steps that are left of an action: choose the options of a list as they come, move a slider, hold a key. */
export const actInSteps: InPage = async (query, steps) => {
  const begun = await steps.begin('perform', query);
  if (!begun?.waits) return begun;
  try {
    await doSteps(steps);
  } catch (fault) {
    await steps.cancel('do_step'); // a list that was opened covers what is under it, and no key may stay down
    throw fault;
  }
  return {};
};

async function doSteps({ next, wait }: Steps) {
  for (let until = performance.now() + LIST_MS; ; ) {
    const { left, fault, progress, waitMs = 0 }: Step = await next('do_step');
    if (!left) return;
    if (progress) until = performance.now() + LIST_MS;
    if (fault && performance.now() >= until) throw Failure.of(fault);
    if (waitMs) await wait(waitMs);
  }
}

/** Fill what the page could not take yet. */
async function fillLate(fields: Field[], secrets: unknown, begun: Filled, { next, cancel, wait }: Steps) {
  let first = 0;
  let until = 0; // the first field is there, or it is not
  for (let now = begun; ; ) {
    if (!now || (now.gone && now.filled === undefined)) throw leftAfter(first, UNSTATED);
    if (now.gone) throw leftAfter(now.filled);
    const { filled, fault, step } = now;
    if (!fault) return;
    const isListBegun = step?.progress || (step && (!until || filled > first));
    if (filled > first || isListBegun) until = performance.now() + (isListBegun ? LIST_MS : APPEARS_MS);
    first = filled;
    if (!(step || mayPass(fault)) || performance.now() >= until) {
      if (step) await cancel('do_step');
      throw withField(fault, fields[first] as Field, first);
    }
    await wait(step ? (step.waitMs ?? 0) : POLL_MS);
    now = await next('fill_fields', { fields, first, secrets });
  }
}

async function submitForm(filled: number, { next, untilIdle, wait }: Steps) {
  const { gone } = await untilIdle();
  if (gone) throw leftAfter(filled);
  for (const until = performance.now() + APPEARS_MS; ; await wait(POLL_MS)) {
    try {
      await next('submit_form'); // not sent again if the page is left meanwhile: it may have been submitted
      return;
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      const mayBeEnabled = thrown.fault.code === 'element_disabled' && performance.now() < until;
      if (!mayBeEnabled) throw withFilled(thrown, filled);
    }
  }
}

function mayPass({ code, details }: Fault) {
  return PASSING.includes(code) || details?.['parameter'] === 'value'; // an option that the page still fetches
}

function withField(fault: Fault, { selector }: Field, index: number) {
  const field = { index, selector: String(selector).slice(0, 500) };
  const named = { ...fault, message: `fields[${index}]: ${fault.message}`, details: { ...fault.details, field } };
  return withFilled(Failure.of(named), index);
}

function withFilled({ fault }: Failure, count: number) {
  return Failure.of({ ...fault, details: { ...fault.details, filled: indexesTo(count) } });
}

function leftAfter(count: number, message = 'The page was left before the form was filled.') {
  return new Failure('page_navigated', message, {
    details: { filled: indexesTo(count) },
    recovery: 'See where the tab is now with observe(what:"page").',
  });
}

function indexesTo(count: number) {
  return [...Array(count).keys()];
}
