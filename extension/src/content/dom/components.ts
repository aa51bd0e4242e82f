// Finds the field of a label, and the part of a web component, that a pointer, a text or a key goes to; it must do nothing to it.
//
// A component listens to the pointer in its shadow root: a press that a script sends to the host never gets there.

import { isHeld } from './fields.ts';
import { inside, matchesIn, nodes } from './nodes.ts';
import { treeOf } from './search.ts';
import { around, contains, type Found } from './visibility.ts';
import { ROWS } from './widgets.ts';

type Point = { x: number; y: number };

/** What takes the keys in a component that does not take them itself. */
const FOCUSED =
  'a[href], button, input:not([type="hidden"]), select, textarea, summary, [contenteditable], [tabindex="0"]';

/** How far around its text what is ticked may be. */
const BOX_LEVELS = 4;

/** What is worked with otherwise than by ticking it. */
const OTHERS = 'a[href], button, input, select, textarea, summary';

/** What each action works with inside of a component. */
const PARTS: Record<string, string> = {
  type: 'textarea, input:not([type="button"], [type="submit"], [type="reset"], [type="image"], [type="checkbox"], [type="radio"], [type="file"], [type="hidden"])',
  get_value: 'input:not([type="hidden"]), textarea, select',
  check: 'input[type="checkbox"], input[type="radio"], [aria-checked]',
  select: 'select',
  key_press: FOCUSED,
  focus: FOCUSED,
};

/**
 * Return the field that a label is of, where an action names the label or a part of it, or the one field in the open shadow
 * root of a component, or in itself if it has none, where it names the component. Else return the element itself.
 */
export function partFor(found: Found, action: string): Found {
  const { element } = found;
  const root = nodes.shadowRoot(element);
  const css = Object.hasOwn(PARTS, action) ? PARTS[action] : undefined;
  if (!css || (css !== FOCUSED && nodes.attribute(element, 'aria-checked') !== null)) return found;
  const field = css === FOCUSED ? undefined : (fieldOfLabel(element) ?? (action === 'check' && boxOf(element, css)));
  if (field) return { element: field, tree: treeOf(field) };
  if (css === FOCUSED && nodes.attribute(element, 'tabindex') !== null) return found;
  if (!root && (css === FOCUSED || !nodes.tag(element).includes('-'))) return found; // keys for a whole page are no field's
  const parts = [...(root ? matchesIn(root, css) : nodes.within(element, css))].filter(
    (part) => nodes.attribute(part, 'aria-hidden') !== 'true' && !(css === FOCUSED && isSkipped(part)),
  );
  const [part] = parts;
  return part && parts.length === 1 ? { element: part, tree: treeOf(part) } : found;
}

function fieldOfLabel(element: Element): Element | undefined {
  if (isHeld(element) || (element as HTMLElement).isContentEditable) return undefined;
  return (nodes.closest(element, 'label') as HTMLLabelElement | null)?.control ?? undefined;
}

/** What is ticked where a text is named: what the text is in or around, or stands beside, or what alone is in its row. */
function boxOf(element: Element, css: string): Element | undefined {
  if (nodes.matches(element, `${css}, ${OTHERS}`)) return undefined;
  let at = around(element);
  for (let up = 0; at && up < BOX_LEVELS; up++, at = around(at))
    if (nodes.attribute(at, 'aria-checked') !== null) return at;
  const [parent, row] = [nodes.parent(element), nodes.closest(element, ROWS)];
  const within = onlyOne(element, css) ?? (row ? onlyOne(row, css) : undefined);
  if (within || !parent) return within;
  const beside = onlyOne(parent, css);
  const drawn = beside && ((nodes.root(beside) as ShadowRoot).host ?? beside);
  return beside && [beside, drawn].some((one) => nodes.parent(one as Element) === parent) ? beside : undefined;
}

/** Return what matches if it is alone: in the node, else in the components in it. */
function onlyOne(node: Node, css: string): Element | undefined {
  const own = [...inside(node, css)];
  const [one, ...others] = own.length ? own : [...inside(node, '*')].flatMap((part) => [...openedIn(part, css)]);
  return others.length ? undefined : one;
}

function openedIn(component: Element, css: string): Iterable<Element> {
  const root = nodes.shadowRoot(component);
  return root ? matchesIn(root, css) : [];
}

/** Whether the Tab key does not come there, as to a button that empties its field. */
function isSkipped(part: Element): boolean {
  return nodes.attribute(part, 'tabindex') === '-1' || nodes.matches(part, ':disabled');
}

/** Return what a pointer at a place hits first: the element, or the part of the component that is hit. */
export function partAt(element: Element, at: Point): Element {
  const root = nodes.shadowRoot(element);
  if (!root) return element;
  const outer = hitAt(nodes.root(element) as Document | ShadowRoot, at);
  if (outer && outer !== element) return contains(element, outer) ? partAt(outer, at) : element;
  const inner = hitAt(root, at);
  return inner && inner !== element && contains(element, inner) ? partAt(inner, at) : element;
}

/**
 * Return what a pointer at a place hits, as far as the document or shadow root has a part in it: for a text that a
 * component shows, which is in no element of its root, the slot that gets its events.
 */
export function hitAt(root: Document | ShadowRoot, at: Point): Element | null {
  const hit = root.elementFromPoint(at.x, at.y);
  if (!hit || nodes.root(hit) === root) return hit;
  const shown = hit === (root as ShadowRoot).host ? (root as ShadowRoot) : nodes.shadowRoot(hit);
  let slot: Element | null = (shown && slotOfText(shown, at)) ?? null;
  while (slot && nodes.root(slot) !== root) slot = nodes.slot(slot);
  return slot ?? hit;
}

/**
 * Find the slot that shows a text of the component's own: text is in no element of the root, and the slot gets its
 * events.
 */
function slotOfText(root: ShadowRoot, { x, y }: Point): Element | undefined {
  // a pixel or two beside it is taken for it, as Chrome does
  const hit = (node: Node) => {
    const range = new Range();
    range.selectNodeContents(node);
    return [...range.getClientRects()].some(
      ({ left, top, right, bottom }) => left - 2 <= x && x <= right + 2 && top - 2 <= y && y <= bottom + 2,
    );
  };
  const slots = [...matchesIn(root, 'slot')] as HTMLSlotElement[];
  return slots.find((slot) => slot.assignedNodes().some((node) => node.nodeType === 3 && hit(node)));
}
