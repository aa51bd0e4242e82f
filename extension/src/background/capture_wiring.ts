// Wires the parts of the capture: from the messages of content scripts to the outbox.

import type { CapturedEvent } from '../shared/events.ts';
import { captureIn, type Values } from '../shared/settings.ts';
import { isExcluded, type Sites } from '../shared/sites.ts';
import { Announcer } from './capture/announcer.ts';
import { Backlog } from './capture/backlog.ts';
import { ownChunk } from './capture/chunks.ts';
import { ClearRequests } from './capture/clear_request.ts';
import { EarlySettings } from './capture/early_settings.ts';
import { EventCounters } from './capture/event_counters.ts';
import { queuesOf } from './capture/flush_frames.ts';
import { Intake } from './capture/intake.ts';
import { RateLimits } from './capture/limits.ts';
import { Outbox } from './capture/outbox.ts';
import { SettingsStore } from './capture/settings_store.ts';
import { readSitesAgain } from './tabs/excluded_sites.ts';
import { dialogIn } from './tabs/open_dialogs.ts';
import { frontTab, openTab, sendToTabs } from './tabs/tabs.ts';

const { local, session } = chrome.storage;
const clock = globalThis;
const now = Date.now;

export function wireCapture({
  send,
  isPilotOn,
  allowedChanged,
}: {
  send: (text: string) => boolean;
  isPilotOn: () => Promise<boolean>;
  allowedChanged: () => unknown;
}) {
  /** The lists of sites that the open pages have been asked about. */
  let applied: string | undefined;
  let hides: boolean | undefined;
  const backlog = new Backlog(session);
  const counters = new EventCounters({ area: session, clock, now });
  const limits = new RateLimits();
  const clearRequests = new ClearRequests({ send, clock });
  const earlySettings = new EarlySettings(chrome.scripting);
  const store = new SettingsStore(local, settingsChanged);
  const settings = () => store.read();
  const announcer = new Announcer({ settings, front: frontTab, report, now });

  const outbox: Promise<Outbox> = backlog
    .restore()
    .then((chunks) => new Outbox({ send, backlog, dropped: (counts) => counters.drop(counts), clock, now }, chunks));

  const intake: Promise<Intake> = Promise.all([outbox, counters.restore()]).then(
    ([outbox]) => new Intake({ settings, limits, counters, outbox, now }),
  );

  /** Send an event of the worker's own. */
  async function report(event: CapturedEvent): Promise<void> {
    void (await outbox).put(ownChunk([event]));
  }

  /** Send an event that an assistant waits for. */
  async function reportAtOnce(event: CapturedEvent): Promise<void> {
    await report(event);
    (await outbox).flush();
  }

  const isCaptured = async (tab: number) => {
    const shown = await openTab(tab).catch(() => undefined);
    return shown?.excluded === undefined && captureIn(await settings(), tab).on;
  };

  /** Fetch what a tab has captured until now; `settled`: and what came of the last step in it, once that is captured. */
  async function gather(tab: number, signal: AbortSignal, { settled = false } = {}): Promise<void> {
    const values = await settings();
    if (!captureIn(values, tab).on || dialogIn(tab)) return;
    const [queues, open] = await Promise.all([queuesOf(tab, signal, { settled }), intake]);
    for (const { frame, chunks } of queues) open.admit(chunks, { tab, frame }, values);
  }

  /** Take in what a frame has captured, as it sent it with an answer. */
  async function admit(chunks: unknown, place: { tab: number; frame: number }) {
    const [values, open] = await Promise.all([settings(), intake]);
    void open.admit(chunks, place, values);
  }

  async function clear(): Promise<{ cleared: boolean }> {
    (await outbox).flush();
    const cleared = await clearRequests.send();
    if (cleared) counters.reset();
    return { cleared };
  }

  function settingsChanged(values: Values) {
    applyEarly();
    announcer.update();
    sendToTabs((tab) => ({ name: 'capture', capture: captureIn(values, tab) }));
    applySites(values.sites);
    if (values.hidePersonalData !== hides) allowedChanged();
    hides = values.hidePersonalData;
  }

  /** Drop what waits of sites that are excluded now, and have each frame ask whether its own is. */
  async function applySites(sites: Sites) {
    const text = JSON.stringify(sites);
    if (text === applied) return;
    applied = text;
    allowedChanged();
    (await outbox).drop(({ page }) => isExcluded(sites, page));
    await sendToTabs(() => ({ name: 'sites' }));
  }

  /** Have the lists of sites that were just saved in force, everywhere, before that is stated. */
  async function sitesSaved(): Promise<void> {
    await Promise.all([store.refresh(), readSitesAgain()]);
    await applySites((await settings()).sites);
    await applyEarly();
  }

  /** Make the next pages begin with the settings as they are now. */
  async function applyEarly() {
    const [values, pilotOn] = await Promise.all([settings(), isPilotOn()]);
    await earlySettings.apply({ ...values, pilotOn });
  }

  return {
    announcer,
    applyEarly,
    clear,
    clearRequests,
    sitesSaved,
    admit,
    gather,
    intake,
    isCaptured,
    limits,
    outbox,
    report,
    reportAtOnce,
    store,
  };
}

export type CaptureParts = ReturnType<typeof wireCapture>;
