// Finds what lies over an element: an open dialog, a popover, or what a style puts there; it must change nothing.

import { accessibleName } from './accessible_name.ts';
import { hitAt } from './components.ts';
import { briefNameOf } from './naming.ts';
import { isDocument, matchesIn, nodes } from './nodes.ts';
import { roleOf } from './roles.ts';
import { type Tree, treesOf } from './search.ts';
import { aimedBox, around, contains, type Found } from './visibility.ts';

const DIALOGS = 'dialog[open], [role="dialog"], [role="alertdialog"], [aria-modal="true"]';

/** List the dialogs that are open and take what is around them out of reach, as far as scripts can see. */
export function dialogsInFront(trees: Tree[]): Element[] {
  const open = trees.flatMap(({ root }) => [...matchesIn(root, DIALOGS)]).filter(isShown);
  return open.filter((dialog) => nodes.matches(dialog, ':modal, [aria-modal="true"]') || isOverMiddle(dialog));
}

/** Return the dialog that all else of a document is out of reach behind, the one in front. */
export function openDialog(root: Document): Element | null {
  return [...matchesIn(root, ':modal, [aria-modal="true"]')].findLast(isShown) ?? null;
}

function isShown(element: Element): boolean {
  const { width, height } = nodes.box(element);
  return nodes.isRendered(element, { checkOpacity: true, checkVisibilityCSS: true }) && (width > 0 || height > 0);
}

/** Whether a dialog is drawn over all else in the middle of the window. */
function isOverMiddle(dialog: Element): boolean {
  const hit = hitAt(nodes.root(dialog) as Document | ShadowRoot, { x: innerWidth / 2, y: innerHeight / 2 });
  return hit !== null && contains(dialog, hit);
}

/** Whether the middle of an element is in the window of its frame: only there it is known what is over it. */
export function isInView({ element }: Found): boolean {
  const { left, top, right, bottom } = aimedBox(element);
  const { innerWidth, innerHeight } = element.ownerDocument.defaultView ?? window;
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
}

/** Return what is over the middle of an element, null if nothing is or the middle is not in view. */
export function coverOver({ element, tree }: Found): Element | null {
  const { left, top, right, bottom } = aimedBox(element);
  const root = tree.root as Document | ShadowRoot;
  const hit = hitAt(root, { x: (left + right) / 2, y: (top + bottom) / 2 });
  const labels = [...((element as HTMLInputElement).labels ?? [])];
  const own = hit === null || contains(element, hit) || labels.some((label) => contains(label, hit));
  if (own)
    return isDocument(root) && tree.outer && tree.opener ? coverOver({ element: tree.opener, tree: tree.outer }) : null;
  return hit;
}

/**
 * Describe what was hit in an element's place: the dialog or popover that it is part of, the layer that lies there, or
 * the style by which no pointer reaches the element.
 */
export function describeCover(element: Element, hit: Element): { cover: Element; text: string } {
  const over = ancestor(hit, (at) => nodes.matches(at, `${DIALOGS}, :popover-open`));
  if (over && !contains(over, element)) return { cover: over, text: coveredBy(over) };
  const modal = dialogOutside(element);
  if (modal) return { cover: modal, text: coveredBy(modal) }; // the page is inert: the root is hit in its place
  const off = ancestor(element, (at) => getComputedStyle(at).pointerEvents === 'none');
  if (off && contains(hit, element)) {
    const style = ancestor(off, (at) => nodes.matches(at, '[style*="pointer-events"]')) ?? off;
    return { cover: style, text: `gets no pointer, by the style of ${briefNameOf(style)} (pointer-events: none)` };
  }
  const layer = ancestor(
    hit,
    (at) => /^(fixed|sticky|absolute)$/.test(getComputedStyle(at).position) && !contains(at, element),
  );
  return { cover: layer ?? hit, text: coveredBy(layer ?? hit) };
}

/** Return the modal dialog of its document that the element is not part of. */
function dialogOutside(element: Element): Element | undefined {
  const { ownerDocument } = element;
  return [...matchesIn(ownerDocument, 'dialog:modal')].findLast((dialog) => !contains(dialog, element));
}

/** Return the modal dialog that keeps the element, or the frame that it is in, from being reached. */
export function modalOver({ element, tree }: Found): Element | undefined {
  const modals = treesOf(document).flatMap(({ root }) => [...matchesIn(root, 'dialog:modal')]);
  for (let at: Element | null = element, place: Tree | null = tree; at && place && modals.length; place = place.outer) {
    const { ownerDocument } = at;
    const own = modals.filter((dialog) => dialog.ownerDocument === ownerDocument);
    if (own.length && !own.some((dialog) => contains(dialog, at as Element))) return own.at(-1);
    if (isDocument(place.root)) at = place.opener;
  }
  return undefined;
}

function ancestor(element: Element, fits: (at: Element) => boolean): Element | null {
  for (let at: Element | null = element; at; at = around(at)) if (fits(at)) return at;
  return null;
}

/** State that an element lies over another, by its kind and name. */
export function coveredBy(element: Element): string {
  const role = roleOf(element);
  const heading = nodes.within(element, 'h1, h2, h3, h4, h5, h6, [role="heading"]')[0];
  const name = /dialog$/.test(role) ? accessibleName(element) || (heading ? accessibleName(heading) : '') : '';
  const kind = nodes.matches(element, ':popover-open') ? 'the popover ' : '';
  return `is covered by ${name ? `the ${role} ${JSON.stringify(name)} (${briefNameOf(element)})` : kind + briefNameOf(element)}`;
}
