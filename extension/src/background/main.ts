// The service worker: wires its parts, and adds every listener synchronously, or Chrome would not wake it for the event.

import { aborted } from '../shared/aborted.ts';
import type { AuditEvent } from '../shared/events.ts';
import { STATE_PORT } from '../shared/link_states.ts';
import { packedId } from '../shared/packed_copy.ts';
import { forgetCacheHeaders } from './analyze/cache_headers.ts';
import { documentResponses, watchDocuments } from './analyze/document_responses.ts';
import { memorySnapshots } from './analyze/memory_snapshots.ts';
import { newId } from './capture/chunks.ts';
import { wireCapture } from './capture_wiring.ts';
import { commandsWith } from './commands.ts';
import { AnnotatedPictures } from './draw/annotated_pictures.ts';
import { AnswerCards } from './draw/answer_cards.ts';
import { DrawMode } from './draw/draw_mode.ts';
import { openFirstRun } from './first_run.ts';
import { GroupedWrites } from './grouped_writes.ts';
import { effects } from './interact/effects.ts';
import { removeHighlights } from './interact/highlights.ts';
import { CommandRunner } from './link/command_runner.ts';
import { readInstall } from './link/install.ts';
import { LedgerStore } from './link/ledger_store.ts';
import { Link } from './link/link.ts';
import { alive, type Down, pilot as pilotMessage } from './link/messages.ts';
import { isOurs, messageListener } from './own_messages.ts';
import { Audit } from './permit/audit.ts';
import { showBadge } from './permit/badge.ts';
import { waitForIdleUser } from './permit/human_presence.ts';
import { Leases } from './permit/leases.ts';
import { PilotSwitch } from './permit/pilot_switch.ts';
import { painted } from './pictures/encoding.ts';
import { removeLeftMasks } from './pictures/masks.ts';
import { takeScreenshot } from './pictures/screenshot.ts';
import { mayUseUserScripts } from './script/user_script.ts';
import { setIntakes } from './tabs/captured_answers.ts';
import { forgetTurn, letGoOfAll } from './tabs/debugged_turns.ts';
import { isClosed, sitesChanged } from './tabs/excluded_sites.ts';
import { dialogIn, forgetDialogs, releaseDialogs } from './tabs/open_dialogs.ts';
import { injectEverywhere } from './tabs/page_queries.ts';
import { openTab, type Tab, targetTab, untrack, untrackAll } from './tabs/tabs.ts';

const LINK_ALARM = 'link';
/** The person waits for nothing, but their session ends with its picture. */
const DRAWN_PICTURE_MS = 5_000;
const AS_SHOWN = { full_page: false, animations: true, overlays: false };
const clock = globalThis;
const now = Date.now;
const send = (text: string): boolean => link.send(text);
const { local, session, sync } = chrome.storage;
const written = new GroupedWrites(session);

const pilot = new PilotSwitch(sync, pilotSwitched);
const capture = wireCapture({ send, isPilotOn: () => pilot.isOn(), allowedChanged: reportAllowed });
const leases = new Leases({ area: written, clock, now });
const audit = new Audit({ area: written, report: reportedLater, now, id: newId });
setIntakes({ admit: capture.admit, gather: capture.gather });
effects.use({ report: capture.report, isCaptured: capture.isCaptured });

const drawnPicture = (tab: Tab, signal: AbortSignal) =>
  Promise.race([takeScreenshot(tab, AS_SHOWN, signal, () => pilot.isOn()), aborted(signal)]);
const drawnPictures = new AnnotatedPictures({
  area: session,
  take: async (tab) => drawnPicture(await openTab(tab), AbortSignal.timeout(DRAWN_PICTURE_MS)),
  onPicture: painted,
});
const draw = new DrawMode({
  area: session,
  alarms: chrome.alarms,
  report: capture.reportAtOnce,
  picture: (...drawn) => drawnPictures.keep(...drawn),
  now,
});
const answerCards = new AnswerCards({ area: session, report: capture.reportAtOnce, now });

const ledgerStore = new LedgerStore(written);
const rules = {
  pilot,
  leases,
  audit,
  target: targetTab,
  waitForIdleUser: userIdle,
  gather: capture.gather,
  draw,
  answerCards,
  drawnPictures,
};
const runner: Promise<CommandRunner> = Promise.all([ledgerStore.restore(), capture.outbox]).then(
  ([ledger, outbox]) =>
    new CommandRunner({
      commands: commandsWith(rules),
      ledger,
      write: (change) => ledgerStore.write(change),
      later: (change) => ledgerStore.later(change),
      beforeResult: () => outbox.flush(),
      isAlive,
      send,
      clock,
    }),
);

const receivers: { [T in Down['type']]?: (message: Extract<Down, { type: T }>) => unknown } = {
  alive: () => send(JSON.stringify(alive(mayUseUserScripts()))),
  command: async (command) => (await runner).take(command),
  acknowledge: async ({ id }) => {
    capture.clearRequests.acknowledged(id);
    (await runner).acknowledged(id);
  },
  stored: async ({ ids }) => (await capture.outbox).stored(ids),
  cancel: async ({ id }) => (await runner).cancel(id),
};

/** The ports of open popups, which show the state of the link. */
const popups: Set<chrome.runtime.Port> = new Set();

const link = new Link(globalThis, {
  install: readInstall,
  packedId: packedId(),
  self: {
    version: chrome.runtime.getManifest().version,
    browser: /Chrome\/[\d.]+/.exec(navigator.userAgent)?.[0] ?? 'unknown',
    worker: crypto.randomUUID(),
  },
  opened: linkOpened,
  receive: (message) => receivers[message.type]?.(message as never),
  changed: (state) => {
    popups.forEach((popup) => popup.postMessage(state));
    refreshBadge();
  },
  waits: isAlive, // a call of Chrome's counts as activity
});

/** Report an event after the result that it belongs to: a result waits for the journal to have what was sent before it. */
function reportedLater(event: AuditEvent) {
  setTimeout(capture.reportAtOnce, 0, event);
}

function isAlive(): Promise<boolean> {
  return chrome.runtime.getPlatformInfo().then(
    () => true,
    () => false,
  );
}

async function refreshBadge() {
  showBadge(await pilot.isOn(), link.state.state === 'taken');
}

/** Send what a new connection may lack: the events first, then the results that came after them. */
async function linkOpened() {
  (await capture.outbox).resend();
  (await runner).resend();
  capture.announcer.repeat();
  await reportAllowed();
}

/** Report what the user allows, to a server that may not have it. */
async function reportAllowed() {
  const [isOn, values] = await Promise.all([pilot.isOn(), capture.store.read()]);
  send(JSON.stringify(pilotMessage(isOn, mayUseUserScripts(), values)));
}

function pilotSwitched(on: boolean) {
  refreshBadge();
  void reportAllowed();
  capture.applyEarly();
  if (on) return;
  leases.forgetAll();
  releaseDialogs();
  letGoOfAll();
  removeHighlights();
}

/** Wait until the user is idle; at an open dialog the page could not answer. */
async function userIdle(tab: number, signal: AbortSignal): Promise<boolean> {
  return !dialogIn(tab) && waitForIdleUser(tab, signal);
}

function popupOpened(port: chrome.runtime.Port) {
  if (port.name !== STATE_PORT || !isOurs(port.sender)) return;
  popups.add(port);
  port.onDisconnect.addListener(() => popups.delete(port));
  port.postMessage(link.state);
  link.ensure();
}

/** Report a tab that a page has opened; one that the user opens has Chrome's own page, and an opener all the same. */
async function tabOpened({ id, openerTabId, pendingUrl = '' }: chrome.tabs.Tab) {
  if (id === undefined || openerTabId === undefined || pendingUrl.startsWith('chrome:')) return;
  if (await capture.isCaptured(openerTabId))
    capture.report({ type: 'opened', ts: now(), tab: openerTabId, opened: id });
}

async function tabClosed(tab: number) {
  await untrack(tab);
  leases.forget(tab);
  forgetDialogs(tab);
  forgetTurn(tab);
  forgetCacheHeaders(tab);
  effects.close(tab);
  memorySnapshots.forget(tab);
  documentResponses.forget(tab);
  answerCards.forget(tab);
  await draw.end(tab, undefined, 'page_navigated');
  capture.limits.forget(tab); // after its last chunk, which may come after this event
  capture.announcer.update();
}

chrome.alarms.create(LINK_ALARM, { periodInMinutes: 0.5 });
for (const area of [local, sync]) area.setAccessLevel({ accessLevel: 'TRUSTED_CONTEXTS' });
sync.onChanged.addListener((changes) => pilot.onChanged(changes));
local.onChanged.addListener((changes) => {
  if (sitesChanged(changes)) void draw.endExcluded(isClosed);
  capture.store.onChanged(changes);
});
chrome.runtime.onConnect.addListener(popupOpened);
chrome.runtime.onMessage.addListener(messageListener(capture, draw, answerCards, () => link.ensure()));
chrome.runtime.onInstalled.addListener(injectEverywhere);
chrome.runtime.onInstalled.addListener(openFirstRun);
chrome.runtime.onStartup.addListener(untrackAll);
chrome.runtime.onStartup.addListener(injectEverywhere);
chrome.commands.onCommand.addListener((_, tab) => void draw.toggleBy(tab?.id));
chrome.tabs.onActivated.addListener(() => capture.announcer.update());
chrome.tabs.onCreated.addListener(tabOpened);
chrome.tabs.onRemoved.addListener(tabClosed);
chrome.tabs.onUpdated.addListener((tab, { status }) => status === 'complete' && void answerCards.loaded(tab));
watchDocuments();
removeLeftMasks();
chrome.windows.onFocusChanged.addListener(() => capture.announcer.update());
refreshBadge();
capture.applyEarly();
link.ensure();
chrome.alarms.onAlarm.addListener((alarm) => {
  link.ensure();
  draw.alarmed(alarm, new AbortController().signal);
});
