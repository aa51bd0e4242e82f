// Chooses the one element that a command means; it must change nothing, and not decide whether the action can be done.

import type { Query } from '../frame.ts';
import { accessibleName } from './accessible_name.ts';
import { coverOver, dialogsInFront, isInView } from './covers.ts';
import { canBeActedOn, drawnPart, isDrawnOtherwise } from './drawn_parts.ts';
import { fail } from './faults.ts';
import { translated, written } from './foreign_selectors.ts';
import { locate, refOf, suggestions } from './locate.ts';
import { isHtml, nodes } from './nodes.ts';
import { rowAround } from './rows.ts';
import { type Tree, treesOf } from './search.ts';
import { selectorWriter } from './selectors.ts';
import { clip, excerpt, oneLine } from './text.ts';
import { canBeSeen, contains, type Found, isForReaders } from './visibility.ts';
import { ROWS, WORKED_WITH } from './widgets.ts';

/** How many candidates an ambiguous selector is answered with (SPEC, Selectors). */
const CANDIDATES = 5;

/** What a combobox may open (WAI-ARIA 1.2, combobox). */
const POPUPS = '[role=listbox], [role=tree], [role=grid], [role=dialog]';

/** Choose the element for something that only reads: the match number `nth`, else the first that is seen, or is there. */
export function elementToRead({ selector, nth = null }: Query): Found {
  const found = locate(treesOf(document), selector);
  const seen = nth === null && found.length > 1 ? found.find(canBeSeen) : undefined;
  return seen ?? found[nth ?? 0] ?? notFound(selector, found.length, nth);
}

/** Choose the element to act on: the one visible match, or the match number `nth`. `more`: what else the action takes. */
export function elementToActOn({ selector, nth = null }: Query, more?: (found: Found) => boolean): Found {
  const trees = treesOf(document);
  const found = locate(trees, selector);
  const plain = found.filter((one) => canBeActedOn(one) || more?.(one));
  const seen = plain.length ? plain : found.filter(isDrawnOtherwise); // may be a trap for robots: not if another is seen
  const read = seen.length > 1 ? seen.filter(({ element }) => isForReaders(element)) : [];
  const visible = withoutListsOf(read.length ? read : seen); // a copy that is only drawn is not meant
  if (nth !== null)
    return (
      visible[nth] ??
      (found.length && !visible.length ? notVisible(selector, found) : notFound(selector, visible.length, nth))
    );
  const free = visible.length > 1 ? inFrontOf(visible, trees) : visible;
  if (free.length > 1) ambiguous(selector, free, trees);
  return free[0] ?? (found.length ? notVisible(selector, found) : notFound(selector, 0, null));
}

/** Leave out what an open dialog keeps from being reached, if anything else is meant: a person sees the dialog's only. */
function inFrontOf(visible: Found[], trees: Tree[]): Found[] {
  const dialogs = dialogsInFront(trees);
  const isModal = dialogs.some((dialog) => nodes.matches(dialog, ':modal, [aria-modal="true"]'));
  const isInDialog = ({ element }: Found) => dialogs.some((dialog) => contains(dialog, element));
  const isFree = (one: Found) => (isInView(one) ? coverOver(drawnPart(one)) === null : !isModal || isInDialog(one));
  const free = dialogs.length ? visible.filter(isFree) : visible;
  return free.length ? free : visible;
}

/** Leave out the list that another match has opened, and which has its name: https://www.w3.org/TR/wai-aria-1.2/#combobox. */
function withoutListsOf(found: Found[]): Found[] {
  const opened = new Set(
    found.flatMap(({ element }) => nodes.attribute(element, 'aria-controls')?.match(/\S+/g) ?? []),
  );
  const isOpened = (element: Element) => opened.has(nodes.attribute(element, 'id') ?? '');
  return found.filter(({ element }) => !(isOpened(element) && nodes.matches(element, POPUPS)));
}

export function notFound(selector: string, count: number, nth: number | null): never {
  const shown = JSON.stringify(clip(selector, 500));
  const text =
    nth !== null && count
      ? `${shown} has ${count} matches that can be seen, so no number ${nth}.`
      : `Nothing on the page matches ${shown}.`;
  const offered = count ? [] : suggestions(treesOf(document), selector);
  if (offered.length)
    return fail('element_not_found', text, {
      details: { selector: clip(selector, 500), match_count: count, candidates: offered },
      recovery: `Use ${offered[0]}, if that is meant; else look with interact(action:"list_interactive").`,
    });
  const ref = count ? undefined : translated(selector);
  return fail('element_not_found', text, {
    details: { selector: clip(selector, 500), match_count: count },
    recovery: ref
      ? `Use ${written(ref)}.`
      : 'Look with query_dom or interact(action:"list_interactive"), or wait with interact(action:"wait_for").',
  });
}

export function notVisible(selector: string, found: Found[]): never {
  return fail('element_not_visible', `What matches ${JSON.stringify(clip(selector, 500))} cannot be seen.`, {
    details: { selector: clip(selector, 500), match_count: found.length },
    recovery: found.every(({ element }) => isHtml(element, 'option'))
      ? 'Choose an option with interact(action:"select") on its list.'
      : 'Bring it to light first (open its menu or dialog), or choose another element.',
  });
}

function textOf(element: Element): string {
  const isRow = nodes.matches(element, ROWS);
  const name = isRow ? '' : accessibleName(nodes.closest(element, WORKED_WITH) ?? element);
  return excerpt(oneLine(name || (isRow && (element as HTMLElement).innerText) || (nodes.text(element) ?? '')), 60);
}

export function ambiguous(selector: string, visible: Found[], trees: Tree[]): never {
  const write = selectorWriter(trees);
  const shown = visible.slice(0, CANDIDATES);
  const texts = shown.map(({ element }) => textOf(element));
  const rows = shown.map(({ element }) => textOf(rowAround(element) ?? element));
  const candidates = shown.map(({ element, tree }, index) => {
    const [text = '', row = ''] = [texts[index], rows[index]];
    const isAlike = texts.indexOf(text) !== texts.lastIndexOf(text) && row !== text;
    return { ref: refOf(element), selector: write(element, tree), text, ...(isAlike && { row }) };
  });
  return fail(
    'ambiguous_selector',
    `${visible.length} visible elements match ${JSON.stringify(clip(selector, 500))}.`,
    {
      details: { match_count: visible.length, candidates },
      recovery: 'Use ref=… or the selector of the one that is meant, or nth (0 is the first).',
    },
  );
}
