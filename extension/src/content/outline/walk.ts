// Looks into the parts of a page, one group at a time, as they are drawn and read; it must only ever read the page.
//
// It follows shadow roots, closed ones too, slots, and frames of the same origin. What cannot be seen, is a copy for looks
// or out of use (`aria-hidden`, `inert`) is no part. What an element is costs a look at its style: so no part is looked into
// before it is its turn, and of a page of 50,000 elements some hundreds are.

import { accessibleName } from '../dom/accessible_name.ts';
import { canBeActedOn } from '../dom/drawn_parts.ts';
import { isMasked, isSensitive } from '../dom/fields.ts';
import { isDocument, isHtml, isOurs, nodes } from '../dom/nodes.ts';
import { roleOf } from '../dom/roles.ts';
import type { Tree } from '../dom/search.ts';
import { shadowOf } from '../dom/shadow_roots.ts';
import { inStatedOrder } from '../dom/stated_order.ts';
import { clipWhole, LISTED_NAME, wordsOf } from '../dom/text.ts';
import { cuts } from '../dom/visibility.ts';
import { WORKED_WITH } from '../dom/widgets.ts';
import { FlatLine, type Holder, Parts } from './holders.ts';
import type { Around, Group, Part, Piece } from './outline_parts.ts';
import { spansOf } from './table_spans.ts';

/** How many nodes of a group are looked at together: of a longer one the first and the last. */
const TOGETHER = 60;
const LAST = 6;

/** The deepest inline element that is read with the line around it. */
const INLINE_DEPTH = 30;

/** So deep an element counts twice. */
const DEPTH_COST = 200;

/** The most characters of one text. */
const TEXT_CHARACTERS = 2_000;

/** What holds a longer text is no control because of the pointer or the focus alone. */
const CONTROL_CHARACTERS = 80;
const CONTROL_PX = 100;

const SKIPPED = new Set(
  'script style template noscript head link meta base title source track param col colgroup datalist map rp wbr hr'.split(
    ' ',
  ),
);
const INLINE = new Set(
  'abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr output q rt ruby s samp slot small span strike strong sub sup time tt u var'.split(
    ' ',
  ),
);

/** What is worked with as a whole. */
const CONTROLS = new Set(
  'button checkbox combobox link menuitem menuitemcheckbox menuitemradio option radio scrollbar searchbox slider spinbutton switch tab textbox treeitem'.split(
    ' ',
  ),
);
const PICTURES = new Set(['img', 'graphics-document', 'graphics-symbol', 'math', 'meter', 'progressbar']);
const LANDMARKS = new Set(['banner', 'complementary', 'contentinfo', 'main', 'navigation', 'search']);
const MESSAGES = new Set(['alert', 'alertdialog', 'dialog', 'log', 'status', 'timer', 'tooltip']);

/** What may be a label, and how deep in what comes next its field may be. */
const LABELS = new Set(['label', 'legend', 'span', 'div', 'p']);
const NAMED_DEPTH = 4;

/** Named in the outline if the page names them. */
const NAMED = new Set(
  'article feed figure form grid group list listbox menu menubar radiogroup region table tablist tabpanel toolbar tree treegrid'.split(
    ' ',
  ),
);

const STATES = ['selected', 'expanded', 'checked', 'pressed', 'disabled', 'current'].map((name) => `aria-${name}`);

const EDITABLE = '[contenteditable=""], [contenteditable="true"], [contenteditable="plaintext-only"]';
const CLICKABLE = '[onclick], [tabindex]:not([tabindex^="-"])';
const COMPLEX = 'table, ul, ol, dl, form, h1, h2, h3, h4, h5, h6, [role="grid"], [role="table"], [role="list"]';

/** The most windows that count. */
const MOST_AWAY = 12;

/** What was seen of a page: whether each element that was looked at is shown, and its documents and shadow roots. */
export type Seen = { shown: WeakMap<Element, boolean>; roots: Set<Node> };

/** Whether a person sees dots in the place of a text. */
function isVeiledText(text: Node): boolean {
  const parent = nodes.parent(text);
  return parent !== null && nodes.type(parent) === 1 && isMasked(parent as Element);
}

export class Walk {
  /** How many elements were looked at; deep ones count more, for Chrome goes up from them at each look. */
  looked = 0;
  readonly #spans = new WeakMap<Element, Map<Element, string[]> | null>();
  readonly #nameOf: (element: Element) => string;
  readonly #seen: Seen;

  constructor(nameOf: (element: Element) => string, seen: Seen) {
    this.#nameOf = nameOf;
    this.#seen = seen;
  }

  /** Make the group that an outline of some elements begins with. */
  begin(element: Element, tree: Tree, all: Node[]): Group {
    const around: Around = {
      tree,
      hand: false,
      cut: false,
      sides: null,
      moved: false,
      mute: false,
      unseen: false,
      named: '',
      depth: 0,
      away: 0,
    };
    return { is: 'group', up: null, rank: 0, element, role: '', head: '', sign: '', nodes: all, around };
  }

  /** Look into a group: its parts in order. */
  into(group: Group): Part[] {
    if (group.parts) return group.parts;
    const around = group.nodes ? group.around : openedAround(group);
    this.#seen.roots.add(around.tree.root);
    const all = group.nodes ?? [...nodesIn(group.element)];
    const parts = new Parts(group, around);
    const isLong = all.length > TOGETHER + LAST;
    const last = isLong && !group.nodes ? LAST : 0;
    for (const node of isLong ? all.slice(0, TOGETHER) : all) this.#take(node, around, parts, 0);
    if (isLong) parts.rest(all.slice(TOGETHER, all.length - last));
    for (const node of last ? all.slice(-last) : []) this.#take(node, around, parts, 0);
    group.parts = parts.finished();
    return group.parts;
  }

  #take(node: Node, around: Around, holder: Holder, depth: number) {
    const type = nodes.type(node);
    if (type === 3) {
      if (!around.mute && !around.unseen && !isVeiledText(node)) holder.text(textOf(node as Text));
      return;
    }
    if (type !== 1 || SKIPPED.has(nodes.tag(node as Element)) || isOurs(node)) return;
    const element = node as Element;
    if (nodes.tag(element) === 'br') return holder.text(' ');
    this.#element(element, around, holder, depth);
  }

  #element(element: Element, around: Around, holder: Holder, depth: number) {
    this.looked += 1 + around.depth / DEPTH_COST;
    if (nodes.matches(element, '[aria-hidden="true"], [inert]')) return;
    const role = roleOf(element);
    const isControl = CONTROLS.has(role) || (role === 'listbox' && isHtml(element, 'select'));
    const seen = this.#sight(element, around, isControl || isHtml(element, 'input'));
    this.#seen.shown.set(element, seen !== null);
    if (!seen) return this.#fieldIn(element, around, holder);
    const { inner, display, pointed } = seen;
    if (isControl || nodes.matches(element, EDITABLE)) return this.#control(element, role, inner, holder);
    if (isHtml(element, 'iframe')) return this.#frame(element, inner, holder);
    if (PICTURES.has(role) || nodes.namespace(element) === 'http://www.w3.org/2000/svg' || isCanvas(element)) {
      if (pointed && isSmall(element)) return holder.piece({ is: 'control', element, role });
      return holder.piece({ is: 'picture', element, role: role || (isCanvas(element) ? nodes.tag(element) : 'img') });
    }
    const clickable =
      (pointed && !around.mute && !isHtml(element, 'label')) || (!NAMED.has(role) && nodes.matches(element, CLICKABLE));
    if (clickable && !LANDMARKS.has(role) && !MESSAGES.has(role)) {
      if (this.#isWhole(element)) return this.#whole(element, role, inner, holder);
      if (saysMore(element)) return holder.group(element, role, 'control', inner);
    }
    if (role === 'heading') return this.#flat(element, `${'#'.repeat(levelOf(element))} `, inner, holder);
    if (role === 'row' && !nodes.first(element, COMPLEX)) return this.#row(element, inner, holder);
    if (LANDMARKS.has(role) || MESSAGES.has(role)) return holder.group(element, role, 'role', inner);
    if (NAMED.has(role) && isNamed(element)) {
      const named = isHtml(element, 'fieldset') ? this.#nameOf(element) : inner.named;
      return holder.group(element, role, 'role', { ...inner, named });
    }
    if (isInline(element, display) && depth < INLINE_DEPTH && !shadowOf(element))
      return this.#inline(element, display, inner, holder, depth);
    holder.group(element, role, '', isFieldLabel(element) ? { ...inner, mute: true } : inner);
  }

  /** Read the field that is drawn by others and is in what is too small to be seen (React Aria). */
  #fieldIn(element: Element, around: Around, holder: Holder) {
    if (!nodes.firstChild(element) || !nodes.isRendered(element) || nodes.box(element).width > 1) return;
    const field = nodes.first(element, 'input, select, textarea');
    if (field && canBeActedOn({ element: field, tree: around.tree }))
      this.#control(field, roleOf(field), around, holder);
  }

  /** Read an inline element with the line that it is in. */
  #inline(element: Element, display: string, around: Around, holder: Holder, depth: number) {
    const inner = [...nodesIn(element)];
    const muted = isFieldLabel(element) ? { ...around, mute: true } : around;
    if (inner.length > TOGETHER) return holder.group(element, '', '', muted);
    const space = display === 'inline' || display === 'contents' ? '' : ' ';
    holder.text(space);
    for (const node of inner) this.#take(node, muted, holder, depth + 1);
    holder.text(space);
  }

  /** What has others in it that are worked with is a group of them. */
  #control(element: Element, role: string, around: Around, holder: Holder) {
    if ((element as HTMLElement).isContentEditable && isSensitive(element))
      return holder.piece({ is: 'control', element, role });
    const inside = nodes.firstChild(element) && !isHtml(element, 'select') && nodes.first(element, WORKED_WITH);
    if (!inside || isOneOption(element, role)) return holder.piece({ is: 'control', element, role });
    const isTwice = this.#nameOf(inside) === this.#nameOf(element) && repeats(inside, element, role);
    if (
      isTwice ||
      (/^(combobox|textbox|searchbox|spinbutton)$/.test(role) && nodes.first(element, 'input, textarea, select'))
    )
      return holder.group(element, role, '', around);
    holder.group(element, role, 'control', { ...around, named: this.#nameOf(element) });
  }

  /** Whether what only the pointer or the focus shows to be worked with is one thing. */
  #isWhole(element: Element): boolean {
    if (nodes.first(element, `${WORKED_WITH}, ${COMPLEX}`)) return false;
    return (nodes.text(element) ?? '').trim().length <= CONTROL_CHARACTERS;
  }

  #whole(element: Element, role: string, around: Around, holder: Holder) {
    if (isSmall(element) || this.#nameOf(element)) return holder.piece({ is: 'control', element, role });
    holder.group(element, role, '', around);
  }

  /** Read all in an element as one line. */
  #flat(element: Element, sign: string, around: Around, holder: Holder) {
    const line = this.#flatLine();
    const inner = openedAround({ element, around });
    for (const node of nodesIn(element)) this.#take(node, inner, line, 0);
    holder.line(element, sign, line.pieces, around);
  }

  #flatLine(): FlatLine {
    const line = new FlatLine((element, around) => {
      const inner = openedAround({ element, around });
      for (const node of nodesIn(element)) this.#take(node, inner, line, 0);
    });
    return line;
  }

  /** A cell that is worked with itself is a control in the row. */
  #row(element: Element, around: Around, holder: Holder) {
    const table = nodes.closest(element, 'table');
    const marks = [...((table && this.#spansIn(table)?.get(element)) ?? [])];
    const pieces: Piece[] = [];
    const add = (piece: Piece[]) => pieces.push({ is: 'sign', text: '|' }, ...piece);
    const spanned = () => {
      while (marks[0]) add([{ is: 'sign', text: marks.shift() as string }]);
      marks.shift();
    };
    for (const cell of nodesIn(element)) {
      const type = nodes.type(cell);
      if (type !== 1 && !(type === 3 && textOf(cell as Text).trim())) continue;
      spanned();
      const line = this.#flatLine();
      this.#take(cell, around, line, 0);
      add(line.pieces);
    }
    spanned();
    if (pieces.some(({ is }) => is !== 'sign')) holder.line(element, '', pieces, around);
  }

  #spansIn(table: Element): Map<Element, string[]> | null {
    if (!this.#spans.has(table)) this.#spans.set(table, spansOf(table as HTMLTableElement));
    return this.#spans.get(table) ?? null;
  }

  #frame(element: Element, around: Around, holder: Holder) {
    const shown = nodes.frameDocument(element as HTMLIFrameElement);
    if (!shown) return holder.piece({ is: 'frame', element });
    holder.group(element, 'iframe', 'role', { ...around, sides: null, moved: false, cut: true });
  }

  /** Whether an element is drawn, and what holds in it; null for what is not. `isField`: it may be drawn by others. */
  #sight(element: Element, around: Around, isField: boolean): Sight | null {
    const isPlain = nodes.isRendered(element, { checkVisibilityCSS: true, checkOpacity: true });
    const style = getComputedStyle(element);
    const { display } = style;
    const isBoxless = display === 'contents';
    if (!isPlain && !isBoxless && !this.#isHalfShown(element, style, around, isField)) return null;
    const unseen = isBoxless ? style.visibility !== 'visible' : !isPlain;
    const hand = style.cursor === 'pointer';
    const pointed = hand && !around.hand && !nodes.matches(element, 'html, body, svg *');
    if (isBoxless) return { display, pointed: false, inner: { ...around, depth: around.depth + 1, hand, unseen } };
    const box = nodes.box(element);
    if (!isInSight(element, style, box, around, isField)) return null;
    return {
      display,
      pointed,
      inner: innerOf(element, style, box, { ...around, depth: around.depth + 1, hand, unseen }),
    };
  }

  /** Whether something of it is shown all the same: parts of what is hidden, or a field that is drawn by others. */
  #isHalfShown(element: Element, style: CSSStyleDeclaration, around: Around, isField: boolean): boolean {
    if (isField) return canBeActedOn({ element, tree: around.tree });
    return style.display !== 'none' && style.opacity !== '0' && style.visibility !== 'visible' && hasElements(element);
  }
}

type Sight = { display: string; pointed: boolean; inner: Around };

/** List what is drawn in an element: of its shadow root, of what fills a slot, or of a frame of the same origin. */
function nodesIn(element: Element): Iterable<Node> {
  if (isHtml(element, 'slot')) {
    const assigned = (element as HTMLSlotElement).assignedNodes();
    if (assigned.length) return assigned;
  }
  if (isHtml(element, 'iframe')) {
    const shown = nodes.frameDocument(element as HTMLIFrameElement);
    const root = shown && nodes.rootElement(shown);
    return root ? [root] : [];
  }
  if (isHtml(element, 'details') && nodes.attribute(element, 'open') === null)
    return [...nodes.childNodes(element)].filter(isSummary).slice(0, 1);
  return inStatedOrder([...nodes.childNodes(shadowOf(element) ?? element)]);
}

/** Whether what is in a control is that control once more: of an option also the box that is ticked with it. */
function repeats(inside: Element, element: Element, role: string): boolean {
  const isBox = role === 'option' && isHtml(inside, 'input') && /^(checkbox|radio)$/.test(roleOf(inside));
  if (isBox) return (nodes.attribute(element, 'aria-selected') === 'true') === (inside as HTMLInputElement).checked;
  return roleOf(inside) === role && hasStatesOf(inside, element);
}

/** Whether one control states all of itself that the other does. */
function hasStatesOf(one: Element, other: Element): boolean {
  return STATES.every((name) => [null, nodes.attribute(one, name)].includes(nodes.attribute(other, name)));
}

/** Whether an option holds only itself once more: a link around an item of a list. */
function isOneOption(element: Element, role: string): boolean {
  return role === 'option' && [...nodes.within(element, WORKED_WITH)].every((one) => roleOf(one) === role);
}

function isSummary(node: Node): boolean {
  return nodes.type(node) === 1 && isHtml(node as Element, 'summary');
}

/** What holds in the tree that an element opens. */
function openedAround({ element, around }: Pick<Group, 'element' | 'around'>): Around {
  const root = isHtml(element, 'iframe') ? nodes.frameDocument(element as HTMLIFrameElement) : shadowOf(element);
  if (!root || root === around.tree.root) return around;
  const tree: Tree = { root, opener: element, outer: around.tree, elements: [], inner: new Map() };
  return { ...around, tree };
}

function textOf(node: Text): string {
  if (node.length <= TEXT_CHARACTERS) return (node.nodeValue ?? '').replace(/\s+/g, ' ');
  return clipWhole(node.substringData(0, 2 * TEXT_CHARACTERS), TEXT_CHARACTERS).replace(/\s+/g, ' ');
}

function isInSight(element: Element, style: CSSStyleDeclaration, box: DOMRect, around: Around, isField: boolean) {
  const { width, height, left, right, bottom } = box;
  const isCut = cuts(element, style);
  const isGone =
    ((width <= 1 || height <= 1) && isCut) || isClippedAway(style) || isBeside(element, style, box, around);
  if (isGone) return isField && canBeActedOn({ element, tree: around.tree });
  if (around.moved && around.sides && width && (right <= around.sides.left || left >= around.sides.right)) return false;
  const isWindow = !around.cut && element.ownerDocument === document;
  return !(isWindow && width > 0 && height > 0 && (right + scrollX <= 0 || bottom + scrollY <= 0));
}

/** Whether it stays beside the window, however the page is scrolled. */
function isBeside(element: Element, style: CSSStyleDeclaration, box: DOMRect, { tree }: Around): boolean {
  if (style.position !== 'fixed' || !isDocument(tree.root) || element.ownerDocument !== document) return false;
  const { left, top, right, bottom, width, height } = box;
  return width > 0 && height > 0 && (right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight);
}

function isClippedAway({ clip, clipPath }: CSSStyleDeclaration): boolean {
  if (clip === 'auto' && clipPath === 'none') return false;
  return /^rect\((0px|1px),? (0px|1px),? (0px|1px),? (0px|1px)\)$/.test(clip) || /^inset\((50|100)%\)$/.test(clipPath);
}

function innerOf(element: Element, style: CSSStyleDeclaration, box: DOMRect, around: Around): Around {
  const isCut = cuts(element, style);
  const isSide = isCut && /^(hidden|clip)$/.test(style.overflowX);
  const moved = around.moved || (around.sides !== null && (style.transform !== 'none' || style.translate !== 'none'));
  const { left, right } = box;
  const sides = around.sides;
  return {
    ...around,
    cut: around.cut || isCut,
    moved: isSide ? false : moved,
    sides: isSide
      ? { left: Math.max(left, sides?.left ?? left), right: Math.min(right, sides?.right ?? right) }
      : sides,
    away: Math.max(around.away, element.ownerDocument === document ? windowsAway(box) : 0),
  };
}

/** How many windows away it lies: what is below is read before what was scrolled past. */
function windowsAway({ top, bottom, height }: DOMRect): number {
  if (!height) return 0;
  if (top >= innerHeight) return Math.min(MOST_AWAY, top / innerHeight);
  return bottom <= 0 ? Math.min(MOST_AWAY, 1 - (2 * bottom) / innerHeight) : 0;
}

function isInline(element: Element, display: string): boolean {
  return INLINE.has(nodes.tag(element)) || /^(inline|contents)/.test(display);
}

function hasElements(element: Element): boolean {
  return nodes.firstChild(element) !== null || shadowOf(element) !== null || isHtml(element, 'slot');
}

/** Whether its text is the name of a field or a group that is shown, which has it written. */
function isFieldLabel(element: Element): boolean {
  const control = isHtml(element, 'label') ? (element as HTMLLabelElement).control : null;
  const isName = control !== null ? nodes.isRendered(control) : namesNext(element);
  return isName && isKeptWhole(element); // in this order: a page's outer elements hold long texts
}

/** Whether a label is not cut where it is a name; the texts of what it holds are no part of it. */
function isKeptWhole(label: Element): boolean {
  return (
    (nodes.text(label) ?? '').trim().length <= LISTED_NAME || nodes.first(label, 'select, textarea, style') !== null
  );
}

/** Whether what comes next, or what that holds first, is named by it. */
function namesNext(element: Element): boolean {
  const id = nodes.attribute(element, 'id');
  if (!id || !LABELS.has(nodes.tag(element))) return false;
  let at = nodes.next(element);
  for (let depth = 0; at && depth < NAMED_DEPTH; depth++, at = nodes.firstChild(at)) {
    const by = nodes.attribute(at, 'aria-labelledby');
    if (by !== null) return by.trim().split(/\s+/).includes(id) && isWrittenNamed(at) && nodes.isRendered(at);
  }
  return false;
}

/** Whether it is written with its name even if nothing is left of what it holds. */
function isWrittenNamed(element: Element): boolean {
  const role = roleOf(element);
  return CONTROLS.has(role) || role === 'radiogroup';
}

function isNamed(element: Element): boolean {
  const label = (nodes.attribute(element, 'aria-label') ?? '').trim();
  const by = (nodes.attribute(element, 'aria-labelledby') ?? '').trim();
  if (by) return !by.split(/\s+/).every((id) => nodes.first(element, `#${CSS.escape(id)}`));
  return label !== '' || (isHtml(element, 'fieldset') && nodes.first(element, 'legend') !== null);
}

/** Whether an element that is worked with shows more than what in it is worked with. */
function saysMore(element: Element): boolean {
  if (nodes.matches(element, '[onclick]')) return true;
  const inner = [...nodes.within(element, WORKED_WITH)].slice(0, TOGETHER);
  const [only, other] = inner;
  if (only && !other && isNameOf(element, only)) return false;
  return lengthOf(element) > inner.reduce((sum, one) => sum + lengthOf(one), 0);
}

/** Whether an element shows the name of what is worked with in it, beside its text, and nothing else. */
function isNameOf(element: Element, inner: Element): boolean {
  const known = wordsOf(`${accessibleName(inner)} ${nodes.text(inner)}`);
  return wordsOf((nodes.text(element) ?? '').slice(0, TEXT_CHARACTERS)).every((word) => known.includes(word));
}

function lengthOf(element: Element): number {
  return (nodes.text(element) ?? '').slice(0, TEXT_CHARACTERS).replace(/\s+/g, '').length;
}

function levelOf(element: Element): number {
  const written = Number(nodes.attribute(element, 'aria-level') ?? nodes.tag(element).replace(/^h/, ''));
  return written >= 1 && written <= 6 ? written : 2;
}

function isCanvas(element: Element): boolean {
  return /^(canvas|video|audio|object|embed)$/.test(nodes.tag(element));
}

function isSmall(element: Element): boolean {
  const { width, height } = nodes.box(element);
  return width <= CONTROL_PX && height <= CONTROL_PX;
}
