// Describes what an assistant does to an element, as a test does it again; it must record no secret.

import type { Recorded } from '../../shared/events.ts';
import { elementToActOn } from '../dom/choose_element.ts';
import { isSensitive } from '../dom/fields.ts';
import { clip, oneLine } from '../dom/text.ts';
import type { Found } from '../dom/visibility.ts';
import { frame, type Query } from '../frame.ts';
import { valueOf } from '../record/entries.ts';
import { targetOf } from '../record/locators.ts';
import { editorInput } from './editors.ts';
import { isSet, isText, isTicked } from './field_kinds.ts';

type Describe = (element: Element, query: Query) => Omit<Recorded, 'act'>;

const described: Record<string, Describe> = {
  click: gestureOf,
  hover: gestureOf,
  type: typed,
  select: (element, { value, values }) =>
    isSensitive(element)
      ? { field: 'select', secret: true }
      : { field: 'select', values: (values ?? [value]).map(oneLine) },
  check: (element, { checked = true }) => ({ checked, ...(isTicked(element) !== null && { field: 'check' }) }),
  key_press: (_, { key }) => ({ pressed: String(key) }),
  set_attribute: (element, { attribute, value }) => ({
    attribute,
    ...(value !== undefined && valueOf(element, value)),
  }),
  drag: (_, { to, dx = 0, dy = 0 }) => (to === undefined ? { by_px: { x: dx, y: dy } } : { to: goalOf(to) }),
  upload: (_, { files }) => ({ files: (files as { name: string }[]).map(({ name }) => clip(name, 200)) }),
  wheel: (_, { dx = 0, dy = 0 }) => ({ by_px: { x: dx, y: dy } }),
};

/** Describe an action, before it is done; what is wrong with its arguments is left to the action itself. */
export function stepOf(action: string, element: Element, query: Query): Recorded {
  try {
    return { act: action, ...described[action]?.(element, query) };
  } catch {
    return { act: action };
  }
}

/** Do a part of an action, and record it as the user's own would be. */
export function recorded<Result>(found: Found, act: () => Result, action = 'click', query: Query = {}): Result {
  const record = frame.beginStep?.(found.element);
  const step = stepOf(action, found.element, query);
  const done = act();
  if (!(done instanceof Promise)) record?.(step);
  else return done.then((result) => (record?.(step), result)) as Result;
  return done;
}

function gestureOf(_: Element, { button = 'left', count = 1, modifiers, x, y }: Query): Omit<Recorded, 'act'> {
  return {
    ...(button !== 'left' && { button }),
    ...(count > 1 && { count }),
    ...(modifiers && { modifiers: String(modifiers) }),
    ...(x !== undefined && y !== undefined && { place: { x, y } }),
  };
}

function typed(element: Element, { text, clear = true }: Query): Omit<Recorded, 'act'> {
  const before = clear === false && isText(element) && !isSet(element) ? (element as HTMLInputElement).value : '';
  const field = editorInput(element) ? 'editor' : isSet(element) ? 'set' : isText(element) ? 'text' : 'rich';
  const kept = clear === false && (field === 'rich' || field === 'editor') ? { state: 'kept' } : {};
  return { field, ...kept, ...valueOf(element, before + text) };
}

/** Describe where something is dragged to; nothing is known of it if it cannot be found. */
function goalOf(to: string): object {
  try {
    return targetOf(elementToActOn({ selector: to }).element);
  } catch {
    return {};
  }
}
