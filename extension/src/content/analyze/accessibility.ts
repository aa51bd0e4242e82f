// Audits this frame by axe, and condenses what it found; it must leave no trace in the page.

import { windowPlace } from '../../shared/window_place.ts';
import { alone } from '../dom/axe_run.ts';
import { fail, refuse } from '../dom/faults.ts';
import { nodes } from '../dom/nodes.ts';
import { searchOrRefuse, treesOf } from '../dom/search.ts';
import { clip } from '../dom/text.ts';
import { frame, type Query } from '../frame.ts';

type AxeCheck = { id: string; message: string; data: unknown };

type AxeNode = {
  target: (string | string[])[];
  html: string;
  failureSummary?: string;
  any: AxeCheck[];
  all: AxeCheck[];
  none: AxeCheck[];
};

type AxeRule = {
  id: string;
  impact: string | null;
  description: string;
  help: string;
  helpUrl: string;
  tags: string[];
  nodes: AxeNode[];
};

type Outcome = 'violations' | 'passes' | 'incomplete' | 'inapplicable';

type AxeResults = Record<Outcome, AxeRule[]> & { timestamp: string };

type FrameContext = { frameSelector: string | string[]; frameContext: object };

type FrameBelow = { place: number[]; src: string; context: object };

/** Seed 002, Feature 4, Limits. */
const NODES_REPORTED = 10;
const HTML_CHARACTERS = 200;

const SELECTOR_CHARACTERS = 300;
const SUMMARY_CHARACTERS = 400;
const MESSAGE_CHARACTERS = 200;

/** What a check measured, as JSON, is a few colours and sizes; a longer one is left out. */
const DATA_CHARACTERS = 600;

const OUTCOMES: Outcome[] = ['violations', 'passes', 'incomplete', 'inapplicable'];

/** The runs of the page's own frame that wait for the parts of other frames. */
const runs: Map<string, { part: object; options: object; passes: boolean }> = new Map();

let lastRun = 0;

const axe = () => (globalThis as any).axe;

/** Audit this frame, which is the page's own: give its evidence, or the frames that have to be audited first. */
export async function beginAudit(query: Query): Promise<object> {
  const options = optionsOf(query);
  const context = contextOf(query['selector']);
  const { part, frames } = await partial(context, options);
  const passes = query['include_passes'] === true;
  if (!frames.length) return { evidence: condensed(await finished([part], options), passes) };
  const run = String(++lastRun);
  runs.clear(); // an earlier one was given up
  runs.set(run, { part, options, passes });
  return { run, frames };
}

/** Audit this frame, which is below another. The part is a text: Chrome drops what is null in it otherwise. */
export async function auditFrame(query: Query): Promise<object> {
  const { part, frames } = await partial(query['context'], optionsOf(query));
  return { part: JSON.stringify(part), frames };
}

/** Put the parts of all frames together, in axe's order, and give the evidence. */
export async function finishAudit({ run, parts }: Query): Promise<object> {
  const begun = runs.get(run) ?? fail('page_navigated', 'The page was left before the analysis had ended.');
  runs.delete(run);
  const others = (parts as string[]).map((part) => (part ? JSON.parse(part) : null));
  return condensed(await finished([begun.part, ...others], begun.options), begun.passes);
}

async function partial(context: object | undefined, options: object): Promise<{ part: object; frames: FrameBelow[] }> {
  const below: FrameContext[] = axe().utils.getFrameContexts(context, options);
  const part = await alone<object>(() => axe().runPartial(context, options));
  return { part, frames: below.map(frameBelow) };
}

function frameBelow({ frameSelector, frameContext }: FrameContext): FrameBelow {
  const element = axe().utils.shadowSelect(frameSelector) as HTMLIFrameElement | null;
  const shown = element && nodes.frameWindow(element as any);
  return { place: shown ? windowPlace(shown).place : [-2], src: element?.src ?? '', context: frameContext };
}

const finished = (parts: (object | null)[], options: object): Promise<AxeResults> =>
  alone(() => axe().finishRun(parts, options));

/**
 * The options of axe's own default run, but for two: it need not remember the elements that pass, and it loads no style
 * sheet again (only a rule that is off by default reads those).
 */
function optionsOf({ tags, include_passes }: Query): object {
  const outcomes = include_passes === true ? ['violations', 'incomplete', 'passes'] : ['violations', 'incomplete'];
  return {
    resultTypes: outcomes,
    preload: { assets: ['media'] },
    ...(tags && { runOnly: { type: 'tag', values: checkedTags(tags) } }),
  };
}

function checkedTags(tags: string[]): string[] {
  const known = new Set((axe().getRules() as { tags: string[] }[]).flatMap((rule) => rule.tags));
  const unknown = tags.find((tag) => !known.has(tag));
  if (unknown === undefined) return tags;
  return refuse(
    'tags',
    unknown,
    `axe has no tag ${JSON.stringify(clip(unknown, 50))}, such as wcag2a, wcag2aa or best-practice.`,
  );
}

/** What axe looks at: the elements that a selector names, or the whole page, without what is Gasoline's. */
function contextOf(selector: string | undefined): object {
  const own = [...frame.ownNodes].filter((node) => nodes.isConnected(node));
  const include = selector === undefined ? [document] : elementsOf(selector);
  return { include, ...(own.length && { exclude: own }) };
}

function elementsOf(selector: string): Element[] {
  const elements = found(selector);
  if (!elements.length) invalid(selector, `Nothing in the page matches ${JSON.stringify(clip(selector, 200))}.`);
  return elements;
}

/** In the page's own document and its open shadow roots: axe finds the way into frames by itself. */
function found(selector: string): Element[] {
  const trees = treesOf(document);
  try {
    return [...searchOrRefuse(trees, selector).values()].flatMap((elements) => [...elements]).filter(isOfDocument);
  } catch (thrown) {
    const { fault } = thrown as { fault?: { message: string } };
    if (!fault) throw thrown;
    return invalid(selector, fault.message);
  }
}

function isOfDocument(element: Element) {
  return element.ownerDocument === document;
}

function invalid(selector: string, message: string): never {
  return fail('invalid_selector', message, { details: { parameter: 'selector', value: clip(selector, 500) } });
}

function condensed(results: AxeResults, passes: boolean) {
  const counts = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, results[outcome].length]));
  return {
    timestamp: results.timestamp,
    counts,
    violations: results.violations.map(ruleOf),
    incomplete: results.incomplete.map(ruleOf),
    passes: results.passes.map(({ id, help, nodes: places }) => ({ id, help, count: passes ? places.length : 0 })),
  };
}

function ruleOf({ id, impact, description, help, helpUrl, tags, nodes: places }: AxeRule) {
  const worst = places.slice(0, NODES_REPORTED).map(nodeOf);
  return { id, impact, description, help, help_url: helpUrl, tags, count: places.length, nodes: worst };
}

function nodeOf({ target, html, failureSummary = '', any, all, none }: AxeNode) {
  return {
    selector: clip(target.flat().join(' >>> '), SELECTOR_CHARACTERS),
    html: clip(html, HTML_CHARACTERS),
    summary: clip(failureSummary, SUMMARY_CHARACTERS),
    checks: [...any, ...all, ...none].map(({ id, message, data }) => ({
      id,
      message: clip(message, MESSAGE_CHARACTERS),
      data: small(data),
    })),
  };
}

function small(data: unknown) {
  const text = JSON.stringify(data) ?? 'null';
  return text.length <= DATA_CHARACTERS ? JSON.parse(text) : null;
}
