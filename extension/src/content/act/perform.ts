// Performs one action of interact, checks later whether what it did still holds, and reads elements; it must set no timer.

import { type ActionName, groupOf } from '../../shared/action_groups.ts';
import { type Elapsed, judgeIdle } from '../../shared/idle_rule.ts';
import { accessibleName } from '../dom/accessible_name.ts';
import { elementToActOn, elementToRead } from '../dom/choose_element.ts';
import { drawnText } from '../dom/code_editors.ts';
import { partFor } from '../dom/components.ts';
import { editedText, isHeld, isSensitive, valueOf } from '../dom/fields.ts';
import { locate, locateText } from '../dom/locate.ts';
import { isHtml, nodes } from '../dom/nodes.ts';
import { roleOf } from '../dom/roles.ts';
import { inOrder, search, type Tree, treesOf } from '../dom/search.ts';
import { clip, oneLine } from '../dom/text.ts';
import { canBeSeen, type Found } from '../dom/visibility.ts';
import { frame, type Query } from '../frame.ts';
import { shownValue, showsValue } from '../read/control_state.ts';
import { hintOfText } from '../read/empty_answers.ts';
import { listInteractive } from '../read/list_interactive.ts';
import { shownText } from '../read/shown_text.ts';
import type { Action } from './action_types.ts';
import { canTakeFiles, elementInFocus, refuseKind } from './actionability.ts';
import { actions } from './actions.ts';
import { isTicked } from './field_kinds.ts';
import { lastCheck } from './last_check.ts';
import { listOf } from './list_boxes.ts';
import { isDrawnAsList } from './list_fields.ts';
import { activity, collect, dueTimers, expectLate, observe, outcomeNow, threadIdle } from './observer.ts';
import { reportFocus } from './page_focus.ts';
import { pageTurn } from './page_turns.ts';
import { stepOf } from './recorded_steps.ts';

/** The most characters of a text that is read. */
const READ_CHARACTERS = 20_000;

const readers: Record<ActionName<'reading'>, (query: Query) => object> = {
  get_text: getText,
  get_value: getValue,
  get_attribute: getAttribute,
  list_interactive: listInteractive,
};

/** What an action takes that cannot be seen itself. */
const TAKEN_UNSEEN: Record<string, (found: Found) => boolean> = { upload: canTakeFiles, select: isDrawnAsList };

/** What is done without a pointer, so also to what cannot be seen. */
const BLIND = ['set_attribute', 'scroll_to'];

/**
 * Do an action, and observe from just before it on. The query has `id`, `action`, `analyze`, and the action's own
 * arguments.
 */
export function perform({ id, action, analyze, ...query }: Query): object | Promise<object> {
  const name = String(action);
  if (Object.hasOwn(readers, name)) return readers[name as ActionName<'reading'>](query);
  const act = actions[name] as Action;
  const target = targetOf(name, query);
  const { found, selector } = target;
  const recorded = frame.beginStep?.(found.element);
  const step = stepOf(name, found.element, query);
  if (groupOf(name) === 'moving') {
    // only the view or the focus moves: there is no effect to observe
    act(found, query, selector);
    recorded?.(step);
    reportFocus();
    return {};
  }
  const observation = observe(String(id), analyze === true, query['a11y'] === true);
  expectLate(observation, name, found.element);
  const acted = async () => {
    try {
      const { found } = nodes.isConnected(target.found.element) ? target : targetOf(name, query);
      const { check, detached, waits, parts } = await act(found, query, selector);
      if (!parts) recorded?.(step);
      reportFocus();
      const field = parts ? undefined : fieldOf(name, found.element);
      Object.assign(lastCheck, { run: check, field, focus: name === 'key_press' });
      return { ...(detached && { detached }), ...(waits && { waits }) };
    } catch (fault) {
      observation.end();
      throw fault;
    }
  };
  return reportFocus() ? pageTurn().then(acted) : acted();
}

function targetOf(action: string, query: Query): { found: Found; selector: string } {
  if (action === 'key_press' && query['selector'] === undefined)
    return { found: elementInFocus(), selector: 'the focused element' };
  const selector = String(query['selector']);
  const found = BLIND.includes(action) ? elementToRead(query) : elementToActOn(query, TAKEN_UNSEEN[action]);
  return { found: partFor(found, action), selector };
}

/** Return the field whose state a reply has: of a click, only one that is ticked by it, or a list that it chose in. */
function fieldOf(action: string, element: Element): Element | undefined {
  if (action === 'click' && isHtml(element, 'option')) return listOf(element);
  const isEntering = ['type', 'select', 'check', 'upload', 'key_press'].includes(action);
  return isEntering || (action === 'click' && isTicked(element) !== null) ? element : undefined;
}

/** Report on an action if its page is idle, by what the worker knows beside; else return the activity. The query has `id`. */
export async function rest(query: Query): Promise<object> {
  const { ended, ...seen } = await look(query);
  return ended ? { ...seen, ...report(query) } : seen;
}

/** As `rest`, for an action that goes on: only see whether what was done until now holds. */
export async function pause(query: Query): Promise<object> {
  const { ended, ...seen } = await look(query);
  if (ended) verify();
  return seen;
}

async function look(query: Query): Promise<{ ended: boolean }> {
  const seen = lookNow(query);
  if (!seen.ended) return seen;
  await dueTimers();
  const isIdle = await threadIdle();
  return lookNow(query, !isIdle);
}

/** `isBusy`: the page's thread has more to do. */
function lookNow(query: Query, isBusy: boolean = false): { ended: boolean } {
  const seen = { ...activity(query), ...(isBusy && { awaits: true, owed: true }) };
  return { ...seen, ended: !('gone' in seen) && judgeIdle(seen, query as Query & Elapsed).ended };
}

/** Return what is shown after an action, and its record; no record if another page has come. The query has `id`. */
export function report(query: Query): object {
  const kept = verify();
  const record = collect(query);
  return 'gone' in record ? {} : { kept, record };
}

/** Check whether what was done still holds, now that the page has come to rest, and return what there is to report. */
function verify(): object {
  reportFocus(); // the page may have moved it meanwhile: into a dialog
  const { run, field, focus } = lastCheck;
  Object.assign(lastCheck, { run: undefined, field: undefined, focus: false });
  const kept = run?.();
  return { ...outcomeNow({ field, ...(focus && { focus }) }), ...kept };
}

/** Return whether what is waited for is so, and whether anything was found. The query has `selector` or `text`, which a field may hold, and `state`. */
export function probe({ action, selector, text, state = 'visible' }: Query) {
  const trees = treesOf(document);
  const found =
    selector === undefined ? [...locateText(trees, text), ...holding(trees, text)] : locate(trees, selector);
  const isSeen = found.some(canBeSeen);
  const there = { visible: isSeen, hidden: !isSeen, attached: found.length > 0, detached: !found.length }[
    state as string
  ];
  if (there && action === 'wait_for')
    recordWait(found, text === undefined ? String(selector) : `text=${asPart(text)}`, String(state));
  return { there, found: found.length > 0 };
}

/** Quote a text that would else be taken for two parts of a selector. */
function asPart(text: string): string {
  return text.includes('>>') ? JSON.stringify(text) : text;
}

/** Record what was waited for: one element, or how many there were of what. */
function recordWait(found: Found[], wanted: string, state: string) {
  const [only] = found.filter(canBeSeen);
  const element = found.length === 1 || state === 'visible' ? (only?.element ?? null) : null;
  frame.beginStep?.(element)({ act: 'wait_for', wanted: clip(wanted, 200), state });
}

/** Find the fields with a text in what they show. */
function holding(trees: Tree[], text: string): Found[] {
  const wanted = oneLine(text).toLowerCase();
  const holds = ({ element }: Found) =>
    !isSensitive(element) && oneLine(valueOf(element)).toLowerCase().includes(wanted);
  return [...inOrder(search(trees, 'input, select, textarea'), trees[0] as Tree)].filter(holds);
}

function getText(query: Query) {
  const { element } = elementToRead(query);
  const shown = shownText(element);
  const { text } = shown;
  return {
    text: clip(text, READ_CHARACTERS),
    ...(text.length > READ_CHARACTERS && { truncated: true }),
    ...hintOfText(element, shown),
  };
}

function getValue(query: Query) {
  const { element } = partFor(elementToRead(query), 'get_value');
  if (isSensitive(element)) return { value: '[REDACTED]' };
  const drawn = drawnText(element);
  if (drawn) return { value: clip(drawn.text, READ_CHARACTERS), ...(!drawn.all && { truncated: true }) };
  const role = roleOf(element);
  const shown = () => clip(shownValue({ element, role, name: accessibleName(element) }), READ_CHARACTERS);
  if (nodes.matches(element, 'input, select, textarea, [contenteditable]')) {
    const held = isHeld(element) ? valueOf(element) : clip(editedText(element), READ_CHARACTERS);
    return { value: held || (role === 'combobox' ? shown() : '') };
  }
  const ticked = isTicked(element);
  if (ticked !== null) return { value: ticked ? 'checked' : 'unchecked' };
  if (!showsValue(element, role)) refuseKind(String(query['selector']), 'get_value', 'It is no field.');
  return { value: shown() };
}

function getAttribute({ attribute, ...query }: Query) {
  const { element } = elementToRead(query);
  const value = nodes.attribute(element, attribute);
  const secret = attribute === 'value' && isSensitive(element);
  return { value: secret ? '[REDACTED]' : value === null ? null : clip(value, READ_CHARACTERS) };
}
