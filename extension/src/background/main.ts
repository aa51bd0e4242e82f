// The service worker: wires its parts to each other and to the events that wake it; it must decide nothing itself.
// Every listener stands here and is added in the first turn, or Chrome does not wake the worker for it.

import { STATE_PORT } from '../shared/link_states.ts';
import { captureIn, type Values } from '../shared/settings.ts';
import { Announcer } from './capture/announcer.ts';
import { Backlog } from './capture/backlog.ts';
import { newId, ownChunk } from './capture/chunks.ts';
import { Clearing } from './capture/clear_request.ts';
import { Presets } from './capture/early_settings.ts';
import { Counters } from './capture/event_counters.ts';
import { queuesOf } from './capture/flush_frames.ts';
import { Intake } from './capture/intake.ts';
import { Limits } from './capture/limits.ts';
import { Outbox } from './capture/outbox.ts';
import { Settings } from './capture/settings_store.ts';
import { commandsWith } from './commands.ts';
import { effects } from './interact/effects.ts';
import { removeHighlights } from './interact/highlights.ts';
import { Desk } from './link/command_runner.ts';
import { readInstall } from './link/install.ts';
import { Memory } from './link/ledger_store.ts';
import { Link } from './link/link.ts';
import { alive, type Down, pilot as pilotMessage } from './link/messages.ts';
import { isOwnPage, placeOf } from './link/senders.ts';
import { rememberLeft } from './navigate/navigation_actions.ts';
import { Audit } from './permit/audit.ts';
import { badge } from './permit/badge.ts';
import { quiet, touchedBefore } from './permit/human_presence.ts';
import { Leases } from './permit/leases.ts';
import { Pilot } from './permit/pilot_switch.ts';
import { dialogIn, forgetDialogs, hearDialog, letDialogsGo } from './tabs/open_dialogs.ts';
import { injectEverywhere } from './tabs/page_queries.ts';
import { forget, forgetAll, frontTab, targetTab, tellTabs } from './tabs/tabs.ts';

const LINK_ALARM = 'link';
const self = { id: chrome.runtime.id, origin: location.origin };
const clock = globalThis;
const now = Date.now;
const send = (text: string) => link.send(text);
const { local, session, sync } = chrome.storage;

const memory = new Memory(session);
const backlog = new Backlog(session);
const counters = new Counters({ area: session, clock, now });
const limits = new Limits();
const presets = new Presets(chrome.scripting);
const clearing = new Clearing({ send, clock });
const settings = new Settings(local, follow);
const read = () => settings.read();
const pilot = new Pilot(sync, switched);
const leases = new Leases({ area: session, clock, now });
const audit = new Audit({ area: session, say: async (event) => (await outbox).put(ownChunk([event])), now, id: newId });
effects.use({
  say: async (event) => void (await outbox).put(ownChunk([event])),
  captured: async (tab) => captureIn(await read(), tab).on,
});
const announcer = new Announcer({
  settings: read,
  front: frontTab,
  say: async (event) => (await outbox).put(ownChunk([event])),
  now,
});
const watchers: Set<chrome.runtime.Port> = new Set();

const outbox: Promise<Outbox> = backlog
  .restore()
  .then((chunks) => new Outbox({ send, backlog, dropped: (counts) => counters.drop(counts), clock, now }, chunks));

const intake: Promise<Intake> = Promise.all([outbox, counters.restore()]).then(
  ([outbox]) => new Intake({ settings: read, limits, counters, outbox, now }),
);

const desk: Promise<Desk> = Promise.all([memory.restore(), outbox]).then(
  ([ledger, outbox]) =>
    new Desk({
      commands: commandsWith({ pilot, leases, audit, target: targetTab, quiet: quietHands, gather }),
      ledger,
      write: (change) => memory.write(change),
      before: () => outbox.flush(),
      send,
      clock,
    }),
);

const receivers: { [T in Down['type']]?: (message: Extract<Down, { type: T }>) => unknown } = {
  alive: () => send(JSON.stringify(alive())),
  command: async (command) => (await desk).take(command),
  acknowledge: async ({ id }) => {
    clearing.acknowledged(id);
    (await desk).acknowledged(id);
  },
  stored: async ({ ids }) => (await outbox).stored(ids),
  cancel: async ({ id }) => (await desk).cancel(id),
};

const link = new Link(globalThis, {
  install: readInstall,
  self: {
    version: chrome.runtime.getManifest().version,
    browser: /Chrome\/[\d.]+/.exec(navigator.userAgent)?.[0] ?? 'unknown',
    worker: crypto.randomUUID(),
  },
  opened: greet,
  receive: (message) => receivers[message.type]?.(message as never),
  changed: (state) => watchers.forEach((watcher) => watcher.postMessage(state)),
});

/** What others in the extension may say, by name; each gives its answer, or null to one who may not ask. */
const hearers: Record<string, (message: any, sender: chrome.runtime.MessageSender) => Promise<unknown> | null> = {
  events: ({ chunks }, sender) => {
    const place = placeOf(sender, self);
    return place && intake.then((intake) => intake.take(chunks, place));
  },
  touched: ({ idle_ms }, sender) => {
    const place = placeOf(sender, self);
    if (place) touchedBefore(place.tab, idle_ms);
    return null;
  },
  left: ({ load }, sender) => {
    const place = placeOf(sender, self);
    if (place) void rememberLeft(place.tab, load);
    return null;
  },
  dialog: (said, sender) => {
    const place = placeOf(sender, self);
    if (place) hearDialog(said, place.tab);
    return null;
  },
  clear: (_, sender) => (isOwnPage(sender, self) ? clear() : null),
};

/** Returns whether a reply will come */
function hear(message: any, sender: chrome.runtime.MessageSender, reply: (answer: unknown) => void): boolean {
  const answer = Object.hasOwn(hearers, message?.name) && hearers[message.name]?.(message, sender);
  if (!answer) return false;
  answer.then(reply, () => reply(undefined)); // it is sent again
  return true;
}

/** Bring a new connection up to date: events first, then the results that came after them. */
async function greet() {
  (await outbox).resend();
  (await desk).resend();
  announcer.repeat();
  send(JSON.stringify(pilotMessage(await pilot.isOn())));
}

/** Put the human's switch into effect. */
function switched(on: boolean) {
  badge(on);
  send(JSON.stringify(pilotMessage(on)));
  preset();
  if (on) return;
  leases.forgetAll();
  letDialogsGo();
  removeHighlights();
}

/** Wait for the human's hands, unless they are at a dialog: the page answers nothing. */
async function quietHands(tab: number, signal: AbortSignal) {
  if (!dialogIn(tab)) await quiet(tab, signal);
}

/** Fetch what a tab has captured until now. */
async function gather(tab: number, signal: AbortSignal) {
  const values = await read();
  if (!captureIn(values, tab).on || dialogIn(tab)) return;
  const [queues, open] = await Promise.all([queuesOf(tab, signal), intake]);
  for (const { frame, chunks } of queues) open.admit(chunks, { tab, frame }, values);
}

async function clear(): Promise<{ cleared: boolean }> {
  (await outbox).flush();
  const cleared = await clearing.ask();
  if (cleared) counters.reset();
  return { cleared };
}

/** Put settings that have changed into effect. */
function follow(values: Values) {
  preset();
  announcer.look();
  tellTabs((tab) => ({ name: 'capture', capture: captureIn(values, tab) }));
}

/** Have pages begin as the human wants it now. */
async function preset() {
  const [values, acts] = await Promise.all([read(), pilot.isOn()]);
  await presets.follow({ ...values, acts });
}

/** Tell the popup the state of the link, now and whenever it changes. */
function watch(port: chrome.runtime.Port) {
  if (port.name !== STATE_PORT || !isOwnPage(port.sender, self)) return;
  watchers.add(port);
  port.onDisconnect.addListener(() => watchers.delete(port));
  port.postMessage(link.state);
  link.ensure();
}

async function leave(tab: number) {
  await forget(tab);
  leases.forget(tab);
  forgetDialogs(tab);
  limits.forget(tab); // after its last chunk, which may come after the word that it was closed
  announcer.look();
}

chrome.alarms.create(LINK_ALARM, { periodInMinutes: 0.5 });
for (const area of [local, sync]) area.setAccessLevel({ accessLevel: 'TRUSTED_CONTEXTS' });
sync.onChanged.addListener((changes) => pilot.hear(changes));
local.onChanged.addListener((changes) => settings.hear(changes));
chrome.runtime.onConnect.addListener(watch);
chrome.runtime.onMessage.addListener(hear);
chrome.runtime.onInstalled.addListener(injectEverywhere);
chrome.runtime.onStartup.addListener(forgetAll);
chrome.runtime.onStartup.addListener(injectEverywhere);
chrome.tabs.onActivated.addListener(() => announcer.look());
chrome.tabs.onRemoved.addListener(leave);
chrome.windows.onFocusChanged.addListener(() => announcer.look());
pilot.isOn().then(badge);
preset();
link.ensure();
chrome.alarms.onAlarm.addListener(() => link.ensure());
