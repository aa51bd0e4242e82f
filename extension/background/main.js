// The service worker: wires its parts to each other and to the events that wake it; it must decide nothing itself.
// Every listener stands here and is added in the first turn, or Chrome does not wake the worker for it.

import { captureIn } from '../shared/settings.js';
import { STATE_PORT } from '../shared/states.js';
import { Announcer } from './announcer.js';
import { Audit } from './audit.js';
import { badge } from './badge.js';
import { Backlog } from './backlog.js';
import { queuesOf } from './barrier.js';
import { newId, ownChunk } from './chunks.js';
import { Clearing } from './clearing.js';
import { commandsWith } from './commands.js';
import { Counters } from './counters.js';
import { Desk } from './desk.js';
import { dialogIn, forgetDialogs, hearDialog, letDialogsGo } from './dialogs.js';
import { effects } from './effects.js';
import { removeHighlights } from './highlights.js';
import { readInstall } from './install.js';
import { Intake } from './intake.js';
import { Leases } from './leases.js';
import { Limits } from './limits.js';
import { Link } from './link.js';
import { Memory } from './memory.js';
import { alive, pilot as pilotMessage } from './messages.js';
import { Outbox } from './outbox.js';
import { injectEverywhere } from './pages.js';
import { Pilot } from './pilot.js';
import { quiet, touchedBefore } from './presence.js';
import { Presets } from './presets.js';
import { isOwnPage, placeOf } from './senders.js';
import { Settings } from './settings.js';
import { forget, forgetAll, frontTab, targetTab, tellTabs } from './tabs.js';
import { rememberLeft } from './travel.js';

/** @typedef {import('./messages.js').Down} Down */
/** @typedef {import('../shared/settings.js').Values} Values */

const LINK_ALARM = 'link';
const self = { id: chrome.runtime.id, origin: location.origin };
const clock = globalThis;
const now = Date.now;
/** @param {string} text */
const send = (text) => link.send(text);
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
/** @type {Set<chrome.runtime.Port>} */
const watchers = new Set();

/** @type {Promise<Outbox>} */
const outbox = backlog
  .restore()
  .then((chunks) => new Outbox({ send, backlog, dropped: (counts) => counters.drop(counts), clock, now }, chunks));

/** @type {Promise<Intake>} */
const intake = Promise.all([outbox, counters.restore()]).then(
  ([outbox]) => new Intake({ settings: read, limits, counters, outbox, now }),
);

/** @type {Promise<Desk>} */
const desk = Promise.all([memory.restore(), outbox]).then(
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

/** @type {{[T in Down['type']]?: (message: Extract<Down, {type: T}>) => unknown}} */
const receivers = {
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
  receive: (message) => receivers[message.type]?.(/** @type {never} */ (message)),
  changed: (state) => watchers.forEach((watcher) => watcher.postMessage(state)),
});

/**
 * What others in the extension may say, by name; each gives its answer, or null to one who may not ask.
 * @type {Record<string, (message: any, sender: chrome.runtime.MessageSender) => Promise<unknown> | null>}
 */
const hearers = {
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

/**
 * @param {any} message
 * @param {chrome.runtime.MessageSender} sender
 * @param {(answer: unknown) => void} reply
 * @returns {boolean}  whether a reply will come
 */
function hear(message, sender, reply) {
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

/**
 * Put the human's switch into effect.
 * @param {boolean} on
 */
function switched(on) {
  badge(on);
  send(JSON.stringify(pilotMessage(on)));
  preset();
  if (on) return;
  leases.forgetAll();
  letDialogsGo();
  removeHighlights();
}

/**
 * Wait for the human's hands, unless they are at a dialog: the page answers nothing.
 * @type {typeof quiet}
 */
async function quietHands(tab, signal) {
  if (!dialogIn(tab)) await quiet(tab, signal);
}

/**
 * Fetch what a tab has captured until now.
 * @param {number} tab
 * @param {AbortSignal} signal
 */
async function gather(tab, signal) {
  const values = await read();
  if (!captureIn(values, tab).on || dialogIn(tab)) return;
  const [queues, open] = await Promise.all([queuesOf(tab, signal), intake]);
  for (const { frame, chunks } of queues) open.admit(chunks, { tab, frame }, values);
}

/** @returns {Promise<{cleared: boolean}>} */
async function clear() {
  (await outbox).flush();
  const cleared = await clearing.ask();
  if (cleared) counters.reset();
  return { cleared };
}

/**
 * Put settings that have changed into effect.
 * @param {Values} values
 */
function follow(values) {
  preset();
  announcer.look();
  tellTabs((tab) => ({ name: 'capture', capture: captureIn(values, tab) }));
}

/** Have pages begin as the human wants it now. */
async function preset() {
  const [values, acts] = await Promise.all([read(), pilot.isOn()]);
  await presets.follow({ ...values, acts });
}

/**
 * Tell the popup the state of the link, now and whenever it changes.
 * @param {chrome.runtime.Port} port
 */
function watch(port) {
  if (port.name !== STATE_PORT || !isOwnPage(port.sender, self)) return;
  watchers.add(port);
  port.onDisconnect.addListener(() => watchers.delete(port));
  port.postMessage(link.state);
  link.ensure();
}

/** @param {number} tab */
async function leave(tab) {
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
