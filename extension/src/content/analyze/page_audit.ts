// Audits this frame by axe, and condenses what it found; it must leave no trace in the page.

import { windowPlace } from '../../shared/window_place.ts';
import { alone } from '../dom/axe_run.ts';
import { fail, refuse } from '../dom/faults.ts';
import { isHtml, nodes } from '../dom/nodes.ts';
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

/** A frame below this one: how the worker finds it, and what axe looks at in it. */
type FrameBelow = { key: string; place: number[]; src: string; context: object };

/** What axe gave in frames below, as JSON, by key: Chrome drops what is null in anything else. */
type Parts = Record<string, string>;

type Ask = { topic: string; message: unknown; keepalive: boolean };

type AxeHandler = (ask: Ask, respond: (answer: unknown) => void) => void;

/** Seed 002, Feature 4, Limits. */
const NODES_REPORTED = 10;
const HTML_CHARACTERS = 200;

const SELECTOR_CHARACTERS = 300;
const SUMMARY_CHARACTERS = 400;
const MESSAGE_CHARACTERS = 200;

/** What a check measured, as JSON, is a few colours and sizes; a longer one is left out. */
const DATA_CHARACTERS = 600;

const OUTCOMES: Outcome[] = ['violations', 'passes', 'incomplete', 'inapplicable'];

const FRAMES = 'iframe, frame, object, embed';

const axe = () => (globalThis as any).axe;

/** List the frames that have to be audited before this one; of the page's own frame, and of one with a context. */
export function framesBelow(query: Query): { frames: FrameBelow[] } {
  const context = contextOf(query);
  if (!treesOf(document).some(({ root }) => root.querySelector(FRAMES))) return { frames: [] };
  const below: FrameContext[] = axe().utils.getFrameContexts(context, optionsOf(query));
  return { frames: below.flatMap(frameBelow) };
}

/** Audit this frame, which is the page's own. `parts`: of the frames below. */
export async function auditPage(query: Query): Promise<object> {
  const options = optionsOf(query);
  const context = contextOf(query);
  const results = await alone<AxeResults>(() => {
    connect(query['parts']);
    return axe().run(context, options);
  });
  return condensed(results, query['include_passes'] === true);
}

/** Audit this frame, which is below another: give its part as JSON. */
export async function auditFrame(query: Query): Promise<{ part: string }> {
  const message = { options: optionsOf(query), command: 'rules', context: query['context'] };
  const answer = await alone(() => {
    const start = connect(query['parts']);
    return new Promise<unknown>((done) => start({ topic: 'axe.start', message, keepalive: false }, done));
  });
  if (answer instanceof Error) throw answer;
  return { part: JSON.stringify(answer) };
}

/**
 * Have axe take the parts of frames from here: it would send messages that their pages could read, and would not reach
 * frames of other origins. Give what asks axe in this frame.
 */
function connect(parts: Parts): AxeHandler {
  let handler: AxeHandler | undefined;
  const open = (asked: AxeHandler) => {
    handler = asked;
    return () => {};
  };
  const post = (window: object, _ask: Ask, reply: (answer: unknown) => void) => {
    const part = parts[keyOf(window)];
    Promise.resolve(part ? JSON.parse(part) : null).then(reply);
    return true;
  };
  axe().frameMessenger({ open, post });
  return handler as unknown as AxeHandler;
}

function frameBelow({ frameSelector, frameContext }: FrameContext): FrameBelow[] {
  const element = axe().utils.shadowSelect(frameSelector) as HTMLIFrameElement | null;
  const shown = element && windowIn(element);
  if (!shown) return [];
  return [{ key: keyOf(shown), place: windowPlace(shown).place, src: element.src, context: frameContext }];
}

/** Name a frame: by its place, and in a shadow root, where it has none, by its address. */
function keyOf(window: object): string {
  const place = windowPlace(window).place.join();
  return place.includes('-1') ? `${place} ${elementOf(window)?.src}` : place;
}

function elementOf(window: object): HTMLIFrameElement | undefined {
  const frames = treesOf(document).flatMap(({ root }) => [...root.querySelectorAll(FRAMES)]);
  return frames.find((element) => windowIn(element) === window) as HTMLIFrameElement | undefined;
}

/** The window of a frame; what has the tag alone, in another namespace, has none. */
function windowIn(element: Element): Window | null {
  if (isHtml(element, 'frame')) return (element as HTMLFrameElement).contentWindow;
  return isHtml(element, 'iframe') ? nodes.frameWindow(element as HTMLIFrameElement) : null;
}

/**
 * The options of axe's own default run, but for three: it need not remember the elements that pass, it loads no style
 * sheet again (only a rule that is off by default reads those), and it need not ask whether a frame answers.
 */
function optionsOf({ tags, include_passes }: Query): object {
  const outcomes = include_passes === true ? ['violations', 'incomplete', 'passes'] : ['violations', 'incomplete'];
  return {
    resultTypes: outcomes,
    preload: { assets: ['media'] },
    pingWaitTime: 0,
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

/** What axe looks at: as the frame above has it, the elements that a selector names, or the whole page without our own. */
function contextOf({ context, selector }: Query): object {
  if (context) return context;
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
