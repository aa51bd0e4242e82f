// The table of the commands that the bridge may send, by name.

import { analyze, auditAccessibility } from './analyze/analyze.ts';
import type { AnnotatedPictures } from './draw/annotated_pictures.ts';
import { annotatedLooks, annotationDetail } from './draw/annotation_detail.ts';
import type { AnswerCards } from './draw/answer_cards.ts';
import type { DrawMode } from './draw/draw_mode.ts';
import { noteAsked } from './first_run.ts';
import { endingEffect } from './interact/effects.ts';
import { highlight } from './interact/highlights.ts';
import { admitAction, interact, needsTab, onlyReads, yieldsToUser } from './interact/interact.ts';
import type { Handler } from './link/command_runner.ts';
import { withFrames } from './outline/frame_outlines.ts';
import { type Act, type ActingCommand, acting, type Rules } from './permit/acting.ts';
import { leaseWith, releaseWith } from './permit/lease_commands.ts';
import { takeScreenshot } from './pictures/screenshot.ts';
import { execute } from './script/execute.ts';
import { deleteState, listStates, loadState, saveState } from './state/saved_states.ts';
import { arrived, isTypedIn, typingOver } from './tabs/arrival.ts';
import { askWithEvents } from './tabs/captured_answers.ts';
import { expectDialogs, refuseAtDialog, untilDialog } from './tabs/open_dialogs.ts';
import { askAtOnce } from './tabs/page_queries.ts';
import { listTabs, type Tab, targetTab } from './tabs/tabs.ts';

type Parts = Rules & {
  draw: DrawMode;
  answerCards: AnswerCards;
  drawnPictures: AnnotatedPictures;
  gather: (tab: number, signal: AbortSignal, how?: { settled: boolean }) => Promise<void>;
};

const ACTION_CHARACTERS = 20;
const ANALYSIS_CHARACTERS = 40;

/** The handlers of all commands; `rules` apply to those that act. */
export function commandsWith(rules: Parts): Record<string, Handler> {
  const handlers = Object.entries(actingCommands(rules)).map(([name, command]) => [name, acting(rules, name, command)]);
  const asked: Record<string, Handler> = {
    ...Object.fromEntries(handlers),
    query_dom: pageQuery('query_dom'),
    get_page_info: pageQuery('get_page_info'),
    get_outline: pageQuery('get_outline', withFrames),
    list_tabs: listTabs,
    settle_steps: async ({ tab_id }, signal) => {
      const { id } = await targetTab(tab_id);
      await rules.gather(id, signal, { settled: true });
      return { tab_id: id };
    },
    annotated_looks: async ({ tab_id, ...query }, signal) =>
      atPage(await targetTab(tab_id), signal, (tab, ended) => annotatedLooks(tab, query, ended)),
    annotation_detail: async ({ tab_id, ...query }, signal) =>
      atPage(await targetTab(tab_id), signal, (tab, ended) => annotationDetail(tab, query, ended)),
    take_screenshot: async ({ tab_id, ...query }, signal) =>
      atPage(await targetTab(tab_id), signal, (tab, ended) =>
        takeScreenshot(tab, query, ended, () => rules.pilot.isOn()),
      ),
    run_accessibility_audit: async ({ tab_id, ...query }, signal) =>
      atPage(await targetTab(tab_id), signal, (tab, ended) => auditAccessibility(tab, query, ended)),
    release: releaseWith(rules.leases), // not an act: it is possible while AI Web Pilot is off
  };
  return {
    ...Object.fromEntries(Object.entries(asked).map(([name, handler]) => [name, noted(handler)])),
    drawing_picture: ({ id, clean }) => rules.drawnPictures.give(id, clean === true), // the bridge asks for it by itself
  };
}

/** A command that an assistant has asked for. */
const noted =
  (handler: Handler): Handler =>
  (...about) => {
    void noteAsked();
    return handler(...about);
  };

const actingCommands = ({ leases, draw, answerCards }: Parts): Record<string, ActingCommand> => ({
  highlight: atNoDialog(highlight),
  save_state: atNoDialog(saveState),
  load_state: { ...atNoDialog(endingEffect(loadState)), yields: true },
  list_states: { act: listStates, tabless: true },
  delete_state: { act: deleteState, tabless: true },
  execute: { act: endingEffect(execute), yields: true, admit: admitAtNoDialog }, // dismisses the dialogs that it opens
  interact: {
    act: (tab, query, signal, client) => {
      switch (query['action']) {
        case 'draw_mode_start':
          return atPage(tab, signal, (now, ended) =>
            draw.start(now, ended, client.id, query['text'] as string | undefined),
          );
        case 'annotation_reply':
          return atPage(tab, signal, (now, ended) => answerCards.show(now, query, ended));
        default:
          return interact(tab, query, signal);
      }
    },
    detail: ({ action }) => String(action).slice(0, ACTION_CHARACTERS),
    tabless: (query) => !needsTab(query),
    reads: onlyReads,
    gathers: onlyReads,
    yields: yieldsToUser,
    admit: admitAction,
  },
  lease: { act: leaseWith(leases) },
  analyze: {
    act: (tab, query, signal) => atPage(tab, signal, (now, ended) => analyze(now, query, ended)),
    detail: ({ what }) => String(what).slice(0, ANALYSIS_CHARACTERS),
    reads: true,
  },
});

/** Run work in a page that has no open dialog, until one opens. */
async function atPage(
  tab: Tab,
  signal: AbortSignal,
  work: (tab: Tab, signal: AbortSignal) => Promise<object>,
): Promise<object> {
  await refuseAtDialog(tab.id);
  return untilDialog(tab.id, signal, (ended) => work(tab, ended));
}

const admitAtNoDialog = ({ id }: Tab) => refuseAtDialog(id);

/** A command that does not begin at an open dialog, and is aborted when one opens. */
function atNoDialog(act: Act): ActingCommand {
  return {
    admit: admitAtNoDialog,
    act: (tab, query, signal, client) => {
      expectDialogs(tab.id);
      return untilDialog(tab.id, signal, (ended) => act(tab, query, ended, client), { acts: true });
    },
  };
}

type Completion = (tab: Tab, query: Record<string, unknown>, answer: object, signal: AbortSignal) => Promise<object>;

const asItIs: Completion = async (_tab, _query, answer) => answer;

/** A command that the content script answers under the same name. `complete`: what other frames add. */
function pageQuery(name: string, complete: Completion = asItIs): Handler {
  return async ({ tab_id, ...query }, signal) => {
    const id = Number(tab_id ?? 0);
    const early = id && !isTypedIn(id) ? askAtOnce({ id }, name, query) : undefined; // while the tab is looked up
    const tab = await targetTab(tab_id);
    await refuseAtDialog(tab.id);
    return untilDialog(tab.id, signal, async (ended) => {
      await typingOver(tab.id);
      const { tab: now, loading } = await arrived(tab, ended);
      const first = now === tab && !loading.loading ? early : undefined;
      const whole = (answer: object) => complete(now, query, answer, ended);
      return { ...(await askWithEvents(now, name, query, ended, { first, complete: whole })), ...loading };
    });
  };
}
