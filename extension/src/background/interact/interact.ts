// Performs the actions of interact: the handler of each, by its group or of its own, and the dialogs that may be open.

import { type ActionGroup, type ActionName, groupOf, type InputAction } from '../../shared/action_groups.ts';
import { UPDATE } from '../../shared/update.ts';
import { Failure } from '../failure.ts';
import { placeIn } from '../navigate/frames.ts';
import { performNavigation } from '../navigate/navigation_actions.ts';
import { closeTab, newTab, switchTab } from '../navigate/tab_actions.ts';
import { arrived, typingOver } from '../tabs/arrival.ts';
import { askWithEvents } from '../tabs/captured_answers.ts';
import { dialogIn, expectDialogs, refuseAtDialog, untilDialog } from '../tabs/open_dialogs.ts';
import type { Tab } from '../tabs/tabs.ts';
import { answerOpenDialog } from './answer_dialog.ts';
import { click, drag, hover, pressKey, type, wheel } from './cdp_actions.ts';
import { dragInSteps, pressAndHold } from './drag_pacing.ts';
import { endingEffect } from './effects.ts';
import { actInSteps, fillForm } from './form_filling.ts';
import { noteReply, withLateElements } from './late_elements.ts';
import { mutating } from './mutation.ts';
import { askPageOnce } from './page_steps.ts';
import { waitFor } from './wait_for.ts';

type Query = Record<string, unknown>;

type Perform = (tab: Tab, query: Query, signal: AbortSignal) => Promise<object>;

const BY_GROUP: Record<Exclude<ActionGroup, 'drawing' | 'tabs'>, Perform> = {
  dialog: answerOpenDialog,
  moving: inFrame(move),
  mutating: inFrame(mutating()),
  navigation: endingEffect(performNavigation),
  reading: inFrame(read),
  waiting: inFrame(waitFor),
};

/** The actions that are not performed as their group is: `input` is for `trusted`, `inPage` has more than one step. */
const OWN: Record<ActionName<'tabs'> | InputAction, Perform> & Partial<Record<ActionName, Perform>> = {
  click: inFrame(mutating({ input: click, inPage: pressAndHold })),
  close_tab: closeTab,
  drag: inFrame(mutating({ input: drag, inPage: dragInSteps })),
  fill_form: inFrame(mutating({ inPage: fillForm })),
  hover: inFrame(mutating({ input: hover })),
  key_press: inFrame(mutating({ input: pressKey, inPage: actInSteps })),
  new_tab: newTab,
  select: inFrame(mutating({ inPage: actInSteps })),
  switch_tab: switchTab,
  type: inFrame(mutating({ input: type, inPage: actInSteps })),
  wheel: inFrame(mutating({ input: wheel })),
};

export async function interact(tab: Tab, query: Query, signal: AbortSignal): Promise<object> {
  const perform = handlerOf(query['action']);
  if (!needsTab(query)) return perform(tab, query, signal);
  const acts = !onlyReads(query);
  if (query['action'] !== 'dialog' && acts) expectDialogs(tab.id);
  return untilDialog(tab.id, signal, (ended) => perform(tab, query, ended), { acts });
}

/** Whether an action changes nothing in the page. */
export const onlyReads = ({ action }: Query): boolean => groupOf(action) === 'reading';

export const needsTab = ({ action }: Query): boolean => action !== 'new_tab';

/** Whether an action waits until the user is idle. */
export const yieldsToUser = ({ action }: Query): boolean => !onlyReads({ action });

/** Throw `dialog_open` if an open dialog keeps an action from beginning. */
export async function admitAction({ id }: Tab, { action }: Query) {
  if (!mayBegin(id, action)) await refuseAtDialog(id);
}

/**
 * A tab may be closed at a dialog: some pages open one after another. A dialog that only the user can answer ends with
 * its page. A dialog that asks whether to leave does not: Chrome takes closing for a no, and closes nothing (measured).
 */
function mayBegin(tab: number, action: unknown): boolean {
  const dialog = dialogIn(tab);
  if (action === 'dialog' || action === 'switch_tab') return true;
  if (action === 'close_tab') return dialog?.type !== 'beforeunload';
  return groupOf(action) === 'navigation' && dialog?.kept === false;
}

function handlerOf(action: unknown): Perform {
  const group = groupOf(action);
  if (!group) throw unknownAction(action);
  return OWN[action as ActionName] ?? BY_GROUP[group as keyof typeof BY_GROUP];
}

async function read(tab: Tab, query: Query, signal: AbortSignal) {
  await typingOver(tab.id);
  return { success: true, action: query['action'], ...(await askWithEvents(tab, 'perform', query, signal)) };
}

async function move(tab: Tab, query: Query, signal: AbortSignal) {
  return { success: true, action: query['action'], ...(await askPageOnce(tab, 'perform', query, signal)) };
}

function inFrame(perform: Perform): Perform {
  return async (tab, { frame, ...query }, signal) => {
    const group = groupOf(query['action']);
    if (group === 'waiting') return perform(await placeIn(tab, frame, signal), query, signal);
    const { tab: now, loading } = await arrived(tab, signal); // what is meant is on the page that comes
    const place = await placeIn(now, frame, signal);
    const once = () => perform(place, query, signal);
    const looksItself = query['action'] === 'fill_form' || query['trusted'] === true;
    const reply = looksItself ? await once() : await withLateElements(place, query, signal, once);
    if (group === 'mutating' || group === 'moving') noteReply(place.id);
    return group === 'reading' ? { ...reply, ...loading } : reply;
  };
}

function unknownAction(action: unknown) {
  return new Failure('invalid_params', `This version of the extension has no action ${JSON.stringify(action)}.`, {
    details: { parameter: 'action', value: action },
    recovery: UPDATE,
  });
}
