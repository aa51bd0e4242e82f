// Distinguishes the kinds of fields and controls by how an action enters something there; it must change nothing.

import { isHtml, nodes } from '../dom/nodes.ts';
import { around } from '../dom/visibility.ts';

export function isEditable(element: Element) {
  return isText(element) || (element as HTMLElement).isContentEditable || contextOf(element) !== undefined;
}

/** Whether the value of the field is set, not written. */
export function isSet(element: Element): boolean {
  return isHtml(element, 'input') && /^(range|color)$/.test((element as HTMLInputElement).type);
}

/** Whether text is entered in the field. */
export function isText(element: Element): boolean {
  if (isHtml(element, 'textarea')) return true;
  return (
    isHtml(element, 'input') &&
    !/^(button|submit|reset|image|checkbox|radio|file|hidden|range|color)$/.test((element as HTMLInputElement).type)
  );
}

/** Whether the text field has a caret that a script can place. */
export function hasPlaces(field: HTMLInputElement): boolean {
  return isText(field) && field.selectionStart !== null;
}

export function isFileField(element: Element): boolean {
  return isHtml(element, 'input') && (element as HTMLInputElement).type === 'file';
}

/** Return null for what can be neither on nor off. */
export function isTicked(element: Element): boolean | null {
  const { type, checked } = element as HTMLInputElement;
  if (isHtml(element, 'input') && (type === 'checkbox' || type === 'radio')) return checked;
  const state = nodes.attribute(element, 'aria-checked');
  return state === null ? null : state === 'true';
}

/** What takes a text past the page's elements (https://www.w3.org/TR/edit-context/#editcontext-interface). */
export interface EditContext extends EventTarget {
  selectionStart: number;
  selectionEnd: number;
  updateText: (from: number, to: number, text: string) => void;
  updateSelection: (from: number, to: number) => void;
}

/** Return what takes the text that is written at an element, if that goes past it. */
export function contextOf(element: Element): EditContext | undefined {
  return (element as Element & { editContext?: EditContext | null }).editContext ?? undefined;
}

const FOCUSABLE = 'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable], iframe';

/** What a script alone gives the focus, or nothing. */
const PASSED_OVER = '[tabindex^="-"], :disabled, [type="hidden"]';

/** Return the element, or what around it takes the focus. */
export function focusable(element: Element): HTMLElement | null {
  return nodes.closest(element, FOCUSABLE) as HTMLElement | null;
}

/** Return the one element in another that takes the focus: many a slider or tree is drawn so, with its role outside. */
export function onlyFocusableIn(element: Element): HTMLElement | undefined {
  const [only, ...others] = [...nodes.within(element, FOCUSABLE)].filter((one) => !nodes.matches(one, PASSED_OVER));
  return others.length ? undefined : (only as HTMLElement | undefined);
}

/** Return the first from it outwards that takes the focus, out of the components around it too. */
export function focusAround(element: Element): HTMLElement | null {
  for (let at = element as Element | null; at; at = around(at)) {
    const near = focusable(at);
    if (near) return near;
  }
  return null;
}
