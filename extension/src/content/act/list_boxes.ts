// Chooses the options of a list that is open (`multiple`, or a `size`) as a press does; it must touch no other list.

import { isHtml, nodes } from '../dom/nodes.ts';

/** Choose what is pressed, and return what is to be done when the button goes up; undefined where nothing was chosen. */
export function pressOption(
  pressed: Element,
  { ctrlKey, metaKey, shiftKey }: MouseEventInit,
): (() => void) | undefined {
  const list = listOf(pressed);
  const option = nodes.closest(pressed, 'option') as HTMLOptionElement | null;
  if (!list || !option || nodes.matches(option, ':disabled') || nodes.matches(list, ':disabled')) return undefined;
  const before = chosenIn(list);
  const toggles = list.multiple && (ctrlKey === true || metaKey === true);
  if (toggles) option.selected = !option.selected;
  else chooseUpTo(list, option, list.multiple && shiftKey === true);
  return () => {
    if (chosenIn(list) === before) return;
    list.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    list.dispatchEvent(new Event('change', { bubbles: true }));
  };
}

/** Return the open list that an option is of. */
export function listOf(option: Element): HTMLSelectElement | undefined {
  const list = nodes.closest(option, 'select') as HTMLSelectElement | null;
  return list && isHtml(list, 'select') && list !== option && (list.multiple || list.size > 1) ? list : undefined;
}

/** Choose one option alone, or all from the one that was chosen first. */
function chooseUpTo(list: HTMLSelectElement, option: HTMLOptionElement, isRange: boolean) {
  const options = [...list.options];
  const at = options.indexOf(option);
  const first = isRange ? options.findIndex(({ selected }) => selected) : at;
  const [from, to] = first < 0 ? [at, at] : [Math.min(first, at), Math.max(first, at)];
  options.forEach((one, index) => {
    one.selected = index >= from && index <= to && !one.disabled;
  });
}

function chosenIn({ options }: HTMLSelectElement): string {
  return [...options].map(({ selected }) => Number(selected)).join('');
}
