// Distinguishes the kinds of fields and controls by how an action enters something there; it must change nothing.

import { isHtml, nodes } from '../dom/nodes.ts';
import { around } from '../dom/visibility.ts';

export function isEditable(element: Element) {
  return isText(element) || (element as HTMLElement).isContentEditable;
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

/** Whether what is written there goes past the page's elements (EditContext), where no script can write. */
export function isUnwritten(element: Element): boolean {
  return Boolean((element as Element & { editContext?: object | null }).editContext);
}

/** Return the element, or what around it takes the focus. */
export function focusable(element: Element): HTMLElement | null {
  return nodes.closest(
    element,
    'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable], iframe',
  ) as HTMLElement | null;
}

/** Return the first from it outwards that takes the focus, out of the components around it too. */
export function focusAround(element: Element): HTMLElement | null {
  for (let at = element as Element | null; at; at = around(at)) {
    const near = focusable(at);
    if (near) return near;
  }
  return null;
}
