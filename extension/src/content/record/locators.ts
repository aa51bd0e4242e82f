// Names an element as a test finds it again: by what a user perceives of it first, by CSS last; unique when it is captured.
//
// Playwright's locators are what is meant (https://playwright.dev/docs/locators), which see open shadow roots, and of roles
// only what a screen reader meets. It runs before the page's listeners, so every search is bounded: what would have to look
// at more is not unique.

import type { Locator, Target } from '../../shared/events.ts';
import { accessibleName } from '../dom/accessible_name.ts';
import { isMasked, labellersOf, wasSensitive } from '../dom/fields.ts';
import { isGenerated } from '../dom/generated_ids.ts';
import { ENTRIES } from '../dom/labels.ts';
import { nameOf } from '../dom/naming.ts';
import { isDocument, matchesIn, nodes } from '../dom/nodes.ts';
import { roleOf } from '../dom/roles.ts';
import { quoted } from '../dom/selectors.ts';
import { oneLine } from '../dom/text.ts';
import { isForReaders } from '../dom/visibility.ts';

/** The most elements of one kind, and texts of a page, that are compared. */
const COMPARED = 200;
const TEXTS = 5_000;

/** The longest name or text that a locator has: a longer one is content, which changes. */
const NAME = 80;

/** The most frames around an element that are named. */
const FRAMES = 10;

/** Where a role comes from without being written; every other role is looked for among elements of the same tag. */
const TAGS: Record<string, string> = {
  button: 'button, input, summary',
  checkbox: 'input',
  combobox: 'input, select',
  heading: 'h1, h2, h3, h4, h5, h6',
  link: 'a, area',
  radio: 'input',
  searchbox: 'input',
  slider: 'input',
  spinbutton: 'input',
  textbox: 'input, textarea',
};

/** Times, dates, random ids and long numbers: another one at the next run. */
const VOLATILE =
  /\d{1,2}:\d{2}|\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|[0-9a-f]{8}-[0-9a-f]{4}|\b(?=[0-9a-f]*\d)[0-9a-f]{10,}\b|\d{6,}|\b(ago|just now|yesterday|today)\b/i;

/** What an icon font draws: Playwright's names have these signs, ours have not. */
const PRIVATE_USE = /[\u{E000}-\u{F8FF}\u{F0000}-\u{10FFFD}]/u;

/** What Chrome itself builds with a closed root. */
const BUILT_IN = 'input, textarea, select, details, video, audio, meter, progress, img, object';

/** The most texts that a name is made of: what has more is content, and readers differ on how it is joined. */
const PARTS_NAMED = 3;

/** The most parts of an element whose pictures of an icon font are looked for. */
const PARTS = 20;

/** What a reader of the page does not see as its text. */
const UNREAD = /^(script|style|noscript|template|textarea|option|title)$/;

const ways: ((element: Element, root: Document | ShadowRoot) => Locator | undefined)[] = [
  byRole,
  byLabel,
  byTestId,
  byText,
];

/** Describe where an action went: the best locator that is unique, and the frames around it. */
export function targetOf(element: Element): Target {
  const root = nodes.root(element) as Document | ShadowRoot;
  return { locator: locatorOf(element, root), ...framesAround(element) };
}

/** Whether a test may expect to read this again. */
export function isLasting(text: string): boolean {
  return text.length > 0 && text.length <= NAME && !VOLATILE.test(text) && !isGenerated(text);
}

function locatorOf(element: Element, root: Document | ShadowRoot): Locator {
  for (const way of ways) {
    const found = way(element, root);
    if (found) return found;
  }
  return { by: 'css', css: nameOf(element) };
}

function byRole(element: Element, root: Document | ShadowRoot): Locator | undefined {
  const role = roleOf(element);
  if (!role || !isMet(element)) return undefined;
  const name = accessibleName(element);
  if (!isLasting(name) || hasIcons(element) || textsIn(element, PARTS_NAMED + 1).length > PARTS_NAMED) return undefined;
  const others = matchesIn(root, `${TAGS[role] ?? CSS.escape(nodes.tag(element))}, [role~="${quoted(role)}"]`);
  if (others.length > COMPARED) return undefined;
  for (const other of others)
    if (other !== element && roleOf(other) === role && isMet(other) && accessibleName(other) === name) return undefined;
  return { by: 'role', role, name };
}

/** Whether a screen reader meets it. */
function isMet(element: Element): boolean {
  return nodes.isRendered(element, { checkVisibilityCSS: true }) && isForReaders(element);
}

function hasIcons(element: Element): boolean {
  if (PRIVATE_USE.test(nodes.text(element) ?? '')) return true;
  const parts = [element, ...nodes.within(element, '*')].slice(0, PARTS);
  return parts.some((part) =>
    ['::before', '::after'].some((place) => PRIVATE_USE.test(getComputedStyle(part, place).content)),
  );
}

function byLabel(element: Element, root: Document | ShadowRoot): Locator | undefined {
  const labels = [...((element as HTMLInputElement).labels ?? []), ...labellersOf(element)];
  const written = nodes.attribute(element, 'aria-label');
  const text = oneLine(written ?? (labels.length === 1 ? (nodes.text(labels[0] as Element) ?? '') : ''));
  if (!isLasting(text)) return undefined;
  const others = matchesIn(root, 'label, [aria-label]');
  if (others.length > COMPARED) return undefined;
  const same = [...others].filter(
    (other) => oneLine(nodes.attribute(other, 'aria-label') ?? nodes.text(other) ?? '') === text,
  );
  return same.length === 1 ? { by: 'label', text } : undefined;
}

function byTestId(element: Element, root: Document | ShadowRoot): Locator | undefined {
  const id = nodes.attribute(element, 'data-testid');
  if (!id || !isLasting(id)) return undefined;
  return matchesIn(root, `[data-testid="${quoted(id)}"]`).length === 1 ? { by: 'testid', text: id } : undefined;
}

function byText(element: Element, root: Document | ShadowRoot): Locator | undefined {
  if (!isDocument(root) || nodes.matches(element, ENTRIES)) return undefined;
  const text = lastingText(element);
  return text !== undefined && isOnlyText(root, text) ? { by: 'text', text } : undefined;
}

/** Return the one text that the element consists of, if a test may expect it. */
export function lastingText(element: Element): string | undefined {
  if (nodes.matches(element, ENTRIES) || nodes.within(element, ENTRIES).length || wasSensitive(element))
    return undefined;
  const texts = textsIn(element, 2);
  const [text] = texts;
  if (texts.length !== 1 || !text || PRIVATE_USE.test(text.data) || isMasked(nodes.parent(text) as Element))
    return undefined;
  const line = oneLine(text.data);
  return isLasting(line) ? line : undefined;
}

/** Whether one text of the document is this one, and the document is not too long to know. */
export function isOnlyText(root: Document, wanted: string): boolean {
  const texts = textsIn(root.body, TEXTS);
  return texts.length < TEXTS && texts.filter(({ data }) => oneLine(data) === wanted).length === 1;
}

/** List the first texts that are not blank and no program's. */
export function textsIn(node: Node, most: number): Text[] {
  const walker = nodes.walker(node.ownerDocument as Document, node, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  for (let text = walker.nextNode() as Text | null; text && found.length < most; text = walker.nextNode() as Text)
    if (/\S/.test(text.data) && !UNREAD.test(nodes.tag(nodes.parent(text) as Element))) found.push(text);
  return found;
}

/**
 * Name the frames around an element, the outermost first. Those above a frame of another origin cannot be seen from here:
 * that frame is known by its address alone.
 */
function framesAround(element: Element): Pick<Target, 'frames' | 'frame_url' | 'closed'> {
  const frames: string[] = [];
  let view = (element.ownerDocument.defaultView ?? window) as Window;
  for (let up = 0; up < FRAMES && view !== view.top; up++) {
    const opener = view.frameElement; // null for a page of another origin
    if (!opener) return { ...(frames.length && { frames }), frame_url: view.location.href };
    frames.unshift(nameOf(opener));
    view = view.parent as Window;
  }
  return { ...(frames.length && { frames }), ...(isClosedHost(element) && { closed: true as const }) };
}

/** Whether the element hides what was acted on in a closed root. */
function isClosedHost(element: Element): boolean {
  if (nodes.shadowRoot(element) || nodes.namespace(element) !== 'http://www.w3.org/1999/xhtml') return false;
  return chrome.dom.openOrClosedShadowRoot(element as HTMLElement) !== null && !nodes.matches(element, BUILT_IN);
}
