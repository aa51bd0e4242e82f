// The service worker: wires its parts to each other and to the events that wake it; it must decide nothing itself.
// Every listener stands here and is added in the first turn, or Chrome does not wake the worker for it.

import { STATE_PORT } from '../shared/states.js';
import { commands } from './commands.js';
import { Desk } from './desk.js';
import { readInstall } from './install.js';
import { Link } from './link.js';
import { Memory } from './memory.js';
import { alive } from './messages.js';
import { injectEverywhere } from './pages.js';
import { forget, forgetAll } from './tabs.js';

/** @typedef {import('./messages.js').Down} Down */

const LINK_ALARM = 'link';
const memory = new Memory(chrome.storage.session);
/** @type {Set<chrome.runtime.Port>} */
const watchers = new Set();

/** @type {Promise<Desk>} */
const desk = memory.restore().then(
  (ledger) =>
    new Desk({
      commands,
      ledger,
      write: (change) => memory.write(change),
      send: (text) => link.send(text),
      clock: globalThis,
    }),
);

/** @type {{[T in Down['type']]?: (message: Extract<Down, {type: T}>) => unknown}} */
const receivers = {
  alive: () => link.send(JSON.stringify(alive())),
  command: async (command) => (await desk).take(command),
  acknowledge: async ({ id }) => (await desk).acknowledged(id),
  cancel: async ({ id }) => (await desk).cancel(id),
};

const link = new Link(globalThis, {
  install: readInstall,
  self: {
    version: chrome.runtime.getManifest().version,
    browser: /Chrome\/[\d.]+/.exec(navigator.userAgent)?.[0] ?? 'unknown',
    worker: crypto.randomUUID(),
  },
  opened: async () => (await desk).resend(),
  receive: (message) => receivers[message.type]?.(/** @type {never} */ (message)),
  changed: (state) => watchers.forEach((watcher) => watcher.postMessage(state)),
});

/**
 * Tell the popup the state of the link, now and whenever it changes.
 * @param {chrome.runtime.Port} port
 */
function watch(port) {
  if (port.name !== STATE_PORT || port.sender?.origin !== location.origin) return;
  watchers.add(port);
  port.onDisconnect.addListener(() => watchers.delete(port));
  port.postMessage(link.state);
  link.ensure();
}

chrome.alarms.create(LINK_ALARM, { periodInMinutes: 0.5 });
chrome.runtime.onConnect.addListener(watch);
chrome.runtime.onInstalled.addListener(injectEverywhere);
chrome.runtime.onStartup.addListener(forgetAll);
chrome.runtime.onStartup.addListener(injectEverywhere);
chrome.tabs.onRemoved.addListener(forget);
link.ensure();
chrome.alarms.onAlarm.addListener(() => link.ensure());
