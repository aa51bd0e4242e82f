// Computes the accessible name of an element as Chrome does; it must never return what a sensitive field holds.
//
// https://www.w3.org/TR/accname-1.2/ and https://www.w3.org/TR/html-aam-1.0/#accessible-name-and-description-computation;
// tests/bench/names.py holds it against Chrome's own. Two differences are meant: where labels are empty, what comes after
// them names the field; and signs of icon fonts, which mean nothing outside of their font, are no part of a name.

import { isSensitive, labellersOf } from './fields.ts';
import { isHtml, isOurs, matchesIn, nodes } from './nodes.ts';
import { roleOf } from './roles.ts';
import { clip, oneLine } from './text.ts';

/** The longest name that is compared or returned. */
const NAME_CHARACTERS = 200;

/** The most nodes that are read for one name: what holds more is no control. */
const NAME_NODES = 500;

/** The most characters of one node that are read. */
const NODE_CHARACTERS = 1_000;

/** The roles that are named by their content (https://www.w3.org/TR/wai-aria-1.2/#namefromcontent). */
const NAMED_BY_CONTENT = new Set(
  'button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row rowheader switch tab tooltip treeitem'.split(
    ' ',
  ),
);

/** The roles whose value, not whose content, is part of the name of what is around them (accname, 2C). */
const ENTERED = new Set(['textbox', 'searchbox']);
const CHOSEN = new Set(['combobox', 'listbox']);
const MEASURED = new Set(['slider', 'spinbutton', 'progressbar', 'meter', 'scrollbar']);

/** What a label can belong to, by tag; the last: a component's own. */
const LABELABLE = /^(button|input|meter|output|progress|select|textarea|.+-.*)$/;

/** What an icon font draws: code points for private use. */
const PRIVATE_USE = /[\u{E000}-\u{F8FF}\u{F0000}-\u{10FFFD}]/gu;

/** Characters without a width: where a word may be broken, a soft hyphen. */
const INVISIBLE = /[\u{AD}\u{200B}\u{2060}\u{FEFF}]/gu;

/** Returns the accessible name, in one line. */
export type NameReader = (element: Element) => string;

/** By document or shadow root: the labels of each field. */
type Labels = Map<Node, Map<Element, Element[]>>;

/** One name that is being put together. */
interface Walk {
  labels: Labels;
  seen: Set<Node>;
  nodesLeft: number;
  /** What is named is a tree's item: those below it are not part of its name. */
  isTreeItem: boolean;
  /** An `aria-labelledby` was followed; no second one is. */
  referenced: boolean;
  /** A hidden element was referenced: all in it counts. */
  hidden: boolean;
}

const SVG = 'http://www.w3.org/2000/svg';

/** Return the accessible name of one element. */
export function accessibleName(element: Element): string {
  return nameReader()(element);
}

/** Read many names of a page that does not change meanwhile: its labels are looked up once. */
export function nameReader(): NameReader {
  const labels: Labels = new Map();
  return (element) => {
    const walk = {
      labels,
      seen: new Set<Node>(),
      nodesLeft: NAME_NODES,
      isTreeItem: roleOf(element) === 'treeitem',
      referenced: false,
      hidden: false,
    };
    return clip(plain(nameOfRoot(element, walk)), NAME_CHARACTERS);
  };
}

function plain(text: string): string {
  return oneLine(text.replace(PRIVATE_USE, ' ').replace(INVISIBLE, ''));
}

function nameOfRoot(element: Element, walk: Walk): string {
  const given = referencedName(element, walk) || attribute(element, 'aria-label') || labelled(element, walk);
  if (plain(given)) return given;
  const native = nativeName(element, walk);
  if (plain(native)) return native;
  const role = roleOf(element);
  const content = NAMED_BY_CONTENT.has(role) || !role ? contentOf(element, walk) : '';
  if (plain(content)) return content;
  return attribute(element, 'title') || placeholderOf(element) || standardName(element);
}

/** Return an attribute, '' if it is blank. */
function attribute(element: Element, name: string): string {
  const value = nodes.attribute(element, name) ?? '';
  return value.trim() && value;
}

/** Return the name that `aria-labelledby` gives. */
function referencedName(element: Element, walk: Walk): string {
  if (walk.referenced) return '';
  const names = labellersOf(element).map((labeller) => {
    const inner = { ...walk, seen: new Set<Node>(), referenced: true, hidden: !isDrawn(labeller) };
    return labeller === element ? nameOfRoot(element, inner) : nameOfPart(labeller, inner);
  });
  return plain(names.join(' '));
}

function isDrawn(element: Element): boolean {
  return nodes.isRendered(element, { checkVisibilityCSS: true }) && attribute(element, 'aria-hidden') !== 'true';
}

/** Return the texts of its `label` elements, without its own. */
function labelled(element: Element, walk: Walk): string {
  walk.seen.add(element);
  if (!LABELABLE.test(nodes.tag(element))) return '';
  const names = labelsOf(element, walk.labels).map((label) => nameOfPart(label, walk));
  return plain(names.join(' '));
}

/** `labels` of a field goes through its whole document in Chrome: with thousands of fields that is seconds. */
function labelsOf(element: Element, known: Labels): Element[] {
  const root = nodes.root(element);
  let labels = known.get(root);
  if (!labels) {
    labels = new Map();
    known.set(root, labels);
    const all = nodes.isConnected(element) ? matchesIn(root as Document | ShadowRoot, 'label') : [];
    for (const label of all) {
      const { control } = label as HTMLLabelElement;
      if (control) labels.set(control, [...(labels.get(control) ?? []), label]);
    }
  }
  return labels.get(element) ?? [];
}

/** Return the name that attributes and parts of its own give, other than its content. */
function nativeName(element: Element, walk: Walk): string {
  const tag = nodes.tag(element);
  if (nodes.namespace(element) === SVG) return tag === 'svg' ? partOf(element, 'title', walk) : '';
  if (isHtml(element, 'input')) return buttonText(element as HTMLInputElement);
  if (tag === 'img' || tag === 'area') return attribute(element, 'alt');
  if (tag === 'option' || tag === 'optgroup') return attribute(element, 'label');
  const parts: Record<string, string> = { fieldset: 'legend', table: 'caption', figure: 'figcaption' };
  return Object.hasOwn(parts, tag) ? partOf(element, parts[tag] as string, walk) : '';
}

function buttonText(element: HTMLInputElement): string {
  if (element.type === 'image') return attribute(element, 'alt') || attribute(element, 'value');
  return /^(button|submit|reset)$/.test(element.type) ? attribute(element, 'value') || standardButton(element) : '';
}

function standardButton({ type }: HTMLInputElement): string {
  return { submit: 'Submit', reset: 'Reset' }[type] ?? '';
}

/** Return what Chrome itself writes on it. */
function standardName(element: Element): string {
  if (!isHtml(element, 'input')) return '';
  const { type, multiple } = element as HTMLInputElement;
  if (type === 'file') return multiple ? 'Choose Files' : 'Choose File';
  return type === 'image' ? 'Submit' : '';
}

function partOf(element: Element, tag: string, walk: Walk): string {
  for (let child = nodes.firstChild(element); child; child = nodes.next(child)) {
    if (nodes.tag(child) !== tag) continue;
    return tag === 'title' ? (nodes.text(child) ?? '') : nameOfPart(child, walk);
  }
  return '';
}

function placeholderOf(element: Element): string {
  const own = isHtml(element, 'input') || isHtml(element, 'textarea') ? attribute(element, 'placeholder') : '';
  return own || attribute(element, 'aria-placeholder');
}

/** Return what an element adds to the name of something around it, or something that it labels. */
function nameOfPart(element: Element, walk: Walk): string {
  if (walk.seen.has(element) || isOurs(element) || walk.nodesLeft-- <= 0) return '';
  walk.seen.add(element);
  const { display, visibility } = getComputedStyle(element);
  if (!walk.hidden && (display === 'none' || attribute(element, 'aria-hidden') === 'true')) return '';
  if (!walk.hidden && visibility !== 'visible') return contentOf(element, walk); // parts of it may be visible
  const role = roleOf(element);
  if (role === 'menu' || role === 'menubar' || isUndrawn(element)) return '';
  if (walk.isTreeItem && (role === 'group' || role === 'treeitem')) return '';
  const reference = referencedName(element, walk);
  if (reference) return reference;
  if (ENTERED.has(role) || CHOSEN.has(role) || MEASURED.has(role)) return valueOfPart(element, role);
  const given = attribute(element, 'aria-label') || nativeName(element, walk);
  if (given) return ` ${given} `;
  const content = contentOf(element, walk);
  return plain(content) ? content : attribute(element, 'title') || content;
}

/** Whether it is a part of a picture that is drawn nowhere, though it is displayed. */
function isUndrawn(element: Element): boolean {
  return /^(style|defs|script|metadata|desc)$/.test(nodes.tag(element)) && nodes.namespace(element) === SVG;
}

/** Return what a field within a name holds. */
function valueOfPart(element: Element, role: string): string {
  if (isSensitive(element)) return '';
  const field = element as HTMLInputElement;
  if (MEASURED.has(role))
    return attribute(element, 'aria-valuetext') || attribute(element, 'aria-valuenow') || String(field.value ?? '');
  if (isHtml(element, 'select'))
    return ` ${[...(element as HTMLSelectElement).selectedOptions].map(({ text }) => text).join(' ')} `;
  if (isHtml(element, 'input') || isHtml(element, 'textarea')) return ` ${field.value} `;
  if (ENTERED.has(role)) return nodes.text(element) ?? '';
  return [...nodes.within(element, '[aria-selected="true"]')].map(nodes.text).join(' ');
}

/** Return its texts and those of its parts, as they are drawn. */
function contentOf(element: Element, walk: Walk): string {
  const style = getComputedStyle(element);
  let text = drawnBy(element, '::before');
  for (const node of childrenOf(element)) {
    if (text.length > NODE_CHARACTERS || walk.nodesLeft <= 0) break;
    const type = nodes.type(node);
    if (type === 1) text += spaced(node as Element, nameOfPart(node as Element, walk));
    else if (type === 3 && (walk.hidden || style.visibility === 'visible'))
      text += transformed(node.nodeValue ?? '', style.textTransform);
  }
  return text + drawnBy(element, '::after');
}

/** List the nodes that are drawn in it: of its shadow root, or of what a slot is filled with. */
function childrenOf(element: Element): Iterable<Node> {
  if (isHtml(element, 'slot')) {
    const assigned = (element as HTMLSlotElement).assignedNodes();
    if (assigned.length) return assigned;
  }
  const shadow = nodes.shadowRoot(element);
  return nodes.childNodes(shadow ?? element);
}

/** Set a part apart by spaces, unless it is drawn in one line with what is around it. */
function spaced(element: Element, name: string): string {
  if (nodes.tag(element) === 'br') return ' ';
  const { display } = getComputedStyle(element);
  return display === 'inline' || display === 'contents' ? name : ` ${name} `;
}

function transformed(text: string, transform: string): string {
  const piece = text.slice(0, NODE_CHARACTERS);
  if (transform === 'uppercase') return piece.toUpperCase();
  if (transform === 'lowercase') return piece.toLowerCase();
  return transform === 'capitalize'
    ? piece.replace(/(?<!\p{L}|\p{N})\p{L}/gu, (letter) => letter.toUpperCase())
    : piece;
}

/** Return the text that a style draws before or after its content; after a slash, what replaces it for readers. */
function drawnBy(element: Element, place: '::before' | '::after'): string {
  const { content, display, visibility } = getComputedStyle(element, place);
  if (content === 'none' || content === 'normal' || display === 'none' || visibility !== 'visible') return '';
  const [, drawn = '', instead] = /^((?:"(?:\\.|[^"\\])*"|[^"/])*)(?:\/(.*))?$/s.exec(content) ?? [];
  const pieces = (instead ?? drawn).match(/"(?:\\.|[^"\\])*"|attr\([^)]*\)/gs) ?? [];
  const text = pieces.map((piece) => literal(element, piece)).join('');
  return display === 'inline' && !instead ? text : ` ${text} `;
}

function literal(element: Element, piece: string): string {
  if (piece.startsWith('"')) return piece.slice(1, -1).replace(/\\(.)/gs, '$1');
  return attribute(element, piece.slice(5, -1).trim());
}
