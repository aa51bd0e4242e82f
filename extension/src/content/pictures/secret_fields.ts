// Finds the fields whose values no picture may show, and hides those in shadow roots, which the worker's sheet does not reach.
//
// The sheet that a shadow root is given is the one thing that a page could see of it, for the time of one picture.

import { isHeld, isSensitive } from '../dom/fields.ts';
import { matchesIn, nodes } from '../dom/nodes.ts';
import { quoted } from '../dom/selectors.ts';

const HTML = 'http://www.w3.org/1999/xhtml';
const HELD = 'input, textarea, select';

/** More fields than a page has: a page must not keep us busy. */
const FIELDS = 500;

/** How long fields stay hidden at most: the worker may die before it shows them again. */
const HIDDEN_MS = 10_000;

/** Takes the sheets away again. */
let unhide: (() => void) | undefined;

/** Return a selector for each secret field of this frame that holds something; it may match more fields, never fewer. */
export function secretSelectors(): string[] {
  return [...new Set(secretFields().map(selectorOf))];
}

/** Hide the fields that these rules are about, in each shadow root; or show them again. */
export function hideInShadows(css: string | null) {
  unhide?.();
  if (css === null) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  const [, ...roots] = rootsOf(document);
  for (const root of roots) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  const timer = setTimeout(() => unhide?.(), HIDDEN_MS);
  unhide = () => {
    clearTimeout(timer);
    unhide = undefined;
    for (const root of roots) root.adoptedStyleSheets = [...root.adoptedStyleSheets].filter((one) => one !== sheet);
  };
}

/** Whether a secret field shows what it holds. */
export function isAnyShown(): boolean {
  return secretFields().some((field) => {
    const { webkitTextFillColor, color } = getComputedStyle(field);
    return ![webkitTextFillColor, color].includes('rgba(0, 0, 0, 0)');
  });
}

function secretFields(): Element[] {
  const held = rootsOf(document).flatMap((root) => [...matchesIn(root, HELD)]);
  const filled = held.filter((field) => isHeld(field) && (field as HTMLInputElement).value && nodes.isRendered(field));
  return filled.filter(isSensitive).slice(0, FIELDS);
}

/** List the document and its shadow roots, closed ones too: a picture shows what is in them. */
function rootsOf(root: Document | ShadowRoot): (Document | ShadowRoot)[] {
  const roots = [root];
  for (const element of matchesIn(root, '*')) {
    if (nodes.namespace(element) !== HTML) continue; // Chrome throws for any other
    const inner = chrome.dom.openOrClosedShadowRoot(element as HTMLElement) as ShadowRoot | null;
    if (inner) roots.push(...rootsOf(inner));
  }
  return roots;
}

/** Write a selector within the field's own tree. */
function selectorOf(field: Element): string {
  const tag = nodes.tag(field);
  for (const name of ['id', 'name']) {
    const value = nodes.attribute(field, name);
    if (value?.isWellFormed() && !/[\0-\x1F\x7F]/.test(value)) return `${tag}[${name}="${quoted(value)}"]`;
  }
  const steps = [];
  for (let at: Element | null = field; at; at = at.parentElement) steps.unshift(stepTo(at));
  return steps.join(' > ');
}

function stepTo(element: Element): string {
  const family = Array.from(nodes.parent(element)?.childNodes ?? []).filter((node) => nodes.type(node) === 1);
  return `${CSS.escape(nodes.tag(element))}:nth-child(${family.indexOf(element) + 1 || 1})`;
}
