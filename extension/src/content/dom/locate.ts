// Finds the elements that an action means (SPEC, Selectors); it must not decide whether the action can be done.
//
// CSS by default, as `search.ts` reads it. Besides: `text=`, `role=` (with a name), `label=`, `placeholder=`, `testid=`,
// and `ref=`, a number that `list_interactive` gave in this very page.

import { accessibleName } from './accessible_name.ts';
import { fail, refuse } from './faults.ts';
import { isHtml, nodes } from './nodes.ts';
import { roleOf } from './roles.ts';
import { inOrder, search, searchOrRefuse, type Tree } from './search.ts';
import { quoted } from './selectors.ts';
import { clip, oneLine } from './text.ts';
import type { Found } from './visibility.ts';

/** The most elements that are compared by their text: a page of more is searched with CSS. */
const COMPARED = 50_000;

/** The longest text of an element that is found by its text. */
const TEXT_CHARACTERS = 2_000;

/** What `list_interactive` has numbered. */
const refs: Map<number, WeakRef<Element>> = new Map();
const refNumbers: WeakMap<Element, number> = new WeakMap();

/** Distinguishes this page from every other: a ref of another page means nothing here. */
const refPage = Array.from(crypto.getRandomValues(new Uint8Array(2)), (byte) =>
  byte.toString(16).padStart(2, '0'),
).join('');

type Engine = (trees: Tree[], wanted: string) => Found[];

const engines: Record<string, Engine> = {
  text: (trees, wanted) => innermost(withText(trees, wanted, (element) => shownText(element))),
  role: (trees, wanted) => byRole(trees, wanted),
  label: (trees, wanted) => withText(trees, wanted, (element) => (takesLabel(element) ? accessibleName(element) : '')),
  placeholder: (trees, wanted) => withText(trees, wanted, (element) => nodes.attribute(element, 'placeholder') ?? ''),
  testid: (trees, wanted) => byCss(trees, `[data-testid="${quoted(wanted)}"]`),
  ref: (trees, wanted) => byRef(trees, wanted),
};

/** Find what a selector means, in the order of the composed page. */
export function locate(trees: Tree[], selector: string): Found[] {
  const [, engine = '', wanted = ''] = /^\s*([a-z]+)=(.*)$/s.exec(selector) ?? [];
  if (Object.hasOwn(engines, engine)) return (engines[engine] as Engine)(trees, wanted.trim());
  return byCss(trees, selector);
}

function byCss(trees: Tree[], css: string): Found[] {
  return [...inOrder(searchOrRefuse(trees, css), trees[0] as Tree)];
}

/** Iterate over every element, in composed order. */
function* everything(trees: Tree[]): Generator<Found> {
  let left = COMPARED;
  for (const found of inOrder(search(trees, '*'), trees[0] as Tree)) {
    if (left-- === 0) return;
    yield found;
  }
}

/** Find elements by a text of theirs: in quotation marks exactly that, else any that contains it, in any case. */
function withText(trees: Tree[], wanted: string, textOf: (element: Element) => string): Found[] {
  const holds = matcher(wanted);
  const found = [];
  for (const one of everything(trees)) if (holds(oneLine(textOf(one.element)))) found.push(one);
  return found;
}

function matcher(wanted: string): (text: string) => boolean {
  const exact = /^(["'])(.*)\1$/s.exec(wanted)?.[2];
  if (exact !== undefined) return (text) => text === oneLine(exact);
  const part = oneLine(wanted).toLowerCase();
  return (text) => part !== '' && text.toLowerCase().includes(part);
}

/** Return what a reader sees of it as text, never the text of a script or a style. */
function shownText(element: Element): string {
  if (isHtml(element, 'input')) {
    const { type, value } = element as HTMLInputElement;
    return /^(submit|reset|button)$/.test(type) ? value : '';
  }
  if (/^(script|style|noscript|template|head|html|body|title|option)$/.test(nodes.tag(element))) return '';
  const text = element.textContent ?? '';
  return text.length > TEXT_CHARACTERS || element.querySelector('script, style') ? '' : text;
}

/** Drop what only holds another of those that were found. */
function innermost(found: Found[]): Found[] {
  const above = new Set();
  for (const { element, tree } of found) {
    for (let at = nodes.parent(element); at; at = nodes.parent(at)) above.add(at);
    for (let at = tree as Tree | null; at?.opener; at = at.outer) {
      for (let up = at.opener as Node | null; up; up = nodes.parent(up)) above.add(up);
    }
  }
  return found.filter(({ element }) => !above.has(element));
}

/** `wanted` is `button`, `button[name="Save"]` or `button[name=save]`. */
function byRole(trees: Tree[], wanted: string): Found[] {
  const [, role = '', name] = /^([a-z]+)\s*(?:\[\s*name\s*=\s*(.*?)\s*\])?$/s.exec(wanted) ?? [];
  if (!role) refuse('selector', `role=${wanted}`, 'A role is written role=button or role=button[name="Save"].');
  const holds = name === undefined ? () => true : matcher(name);
  const found = [];
  for (const one of everything(trees)) {
    if (roleOf(one.element) === role && holds(accessibleName(one.element))) found.push(one);
  }
  return found;
}

function byRef(trees: Tree[], wanted: string): Found[] {
  const [, page, number] = /^([0-9a-f]{4})-(\d+)$/.exec(wanted) ?? [];
  const element = page === refPage ? refs.get(Number(number))?.deref() : undefined;
  const tree = element && trees.find(({ root }) => root === nodes.root(element));
  if (element && tree) return [{ element, tree }];
  return fail('element_not_found', `ref=${clip(wanted, 50)} is not of this page, or its element is gone.`, {
    details: { selector: `ref=${clip(wanted, 50)}`, stale: true },
    recovery: 'List the elements again with interact(action:"list_interactive").',
  });
}

/** Number an element, so that it can be named by `ref=`; it keeps its number as long as the page is there. */
export function refOf(element: Element): string {
  const known = refNumbers.get(element);
  const number = known ?? refs.size + 1;
  if (known === undefined) {
    refs.set(number, new WeakRef(element));
    refNumbers.set(element, number);
  }
  return `${refPage}-${number}`;
}

/** Whether the element is a field that a label can belong to. */
function takesLabel(element: Element): boolean {
  return nodes.matches(
    element,
    'input, select, textarea, button, meter, output, progress, [contenteditable], [role="textbox"], [role="combobox"], [role="checkbox"], [role="switch"], [role="slider"]',
  );
}
