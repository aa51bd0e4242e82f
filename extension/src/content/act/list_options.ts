// Looks for the options of a list, in one look at the page; it must change nothing.

import { accessibleName } from '../dom/accessible_name.ts';
import { locate } from '../dom/locate.ts';
import { matchesIn, nodes } from '../dom/nodes.ts';
import { treeOf, treesOf } from '../dom/search.ts';
import { oneLine } from '../dom/text.ts';
import { canBeSeen, contains, type Found, isOutOfSight } from '../dom/visibility.ts';

const DISABLED = ':disabled, [aria-disabled="true"]';
const OPTIONS =
  '[role="option"], [role="menuitemcheckbox"], [role="menuitem"], [role="menuitemradio"], [role="treeitem"]';

/** How an option is told, in this order: by its text, its value, its name. */
export const MATCHES: ((option: Element, wanted: string) => boolean)[] = [
  (option, wanted) => textOf(option) === oneLine(wanted),
  (option, wanted) => ['data-value', 'value'].some((name) => nodes.attribute(option, name) === wanted),
  (option, wanted) => oneLine(accessibleName(option)) === oneLine(wanted),
];

export function isOption(option: Element, wanted: string): boolean {
  return MATCHES.some((isIt) => isIt(option, wanted));
}

/** The page at one moment: to look for its trees takes longer than all else. */
export class View {
  readonly #trees = treesOf(document);

  found(element: Element): Found {
    const root = nodes.root(element);
    return { element, tree: this.#trees.find((tree) => tree.root === root) ?? treeOf(element) };
  }

  isShown(element: Element): boolean {
    return !isHidden(this.found(element));
  }

  /** List the options that are rendered and can be chosen. */
  offered(): Element[] {
    const options = this.#trees.flatMap(({ root }) => [...matchesIn(root, OPTIONS)]);
    return options.filter((one) => nodes.box(one).width > 1 && !nodes.matches(one, DISABLED) && nodes.isRendered(one));
  }

  /** List the elements with that very text that can be seen, beside the field. */
  textsLike(wanted: string, field: Element): Element[] {
    const text = oneLine(wanted);
    const found = locate(this.#trees, `text=${JSON.stringify(text)}`).filter((one) => !isHidden(one));
    return found
      .map(({ element }) => element)
      .filter((one) => textOf(one) === text && !contains(field, one) && !nodes.closest(one, DISABLED));
  }
}

export function isHidden(found: Found): boolean {
  return !canBeSeen(found) || isOutOfSight(found.element);
}

export function textOf(element: Element): string {
  return oneLine((element as HTMLElement).innerText ?? '');
}
