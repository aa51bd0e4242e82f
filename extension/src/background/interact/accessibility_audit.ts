// Finds the accessibility violations that an action causes, by axe before and after it.
//
// axe runs in the world of our content scripts: the page can neither see nor change it, and its policy does not matter.

import { askPage } from '../tabs/page_queries.ts';
import type { Tab } from '../tabs/tabs.ts';

type Violation = { id: string; impact: string; help: string; count: number; nodes: string[] };
type Found = { a11y?: { new: Violation[]; omitted?: number }; a11y_unavailable?: string };

/** The longest wait for one audit: 5,000 elements take 2 s. */
const AUDIT_MS = 5000;

const LATE = `The page could not be audited within ${AUDIT_MS / 1000} s.`;

const AXE = 'vendor/axe.min.js';

/** The functions of content/act/axe_audit.ts. */
type AuditFunction = 'hasOwnFrames' | 'auditBefore' | 'auditAfter';

/** Audit a page before an action, if the query has `a11y`; `found` audits it again, and gives what is new. */
export async function accessibilityAround(
  tab: Tab,
  { a11y }: Record<string, unknown>,
  signal: AbortSignal,
): Promise<{ found: (signal: AbortSignal) => Promise<Found> }> {
  if (a11y !== true) return { found: async () => ({}) };
  await askPage(tab, 'page_place', {}, signal);
  const before = await audited(tab, 'auditBefore', signal);
  if (before.a11y_unavailable) return { found: async () => before };
  return { found: (signal) => audited(tab, 'auditAfter', signal) };
}

async function audited(tab: Tab, name: 'auditBefore' | 'auditAfter', signal: AbortSignal): Promise<Found> {
  const found = await Promise.race([ran(tab, name), late(signal)]);
  signal.throwIfAborted();
  return found;
}

async function ran(tab: Tab, name: 'auditBefore' | 'auditAfter'): Promise<Found> {
  try {
    if (name === 'auditBefore') await injectAxe(tab);
    return ((await called(tab, name)) as Found | undefined) ?? { a11y_unavailable: 'The page was left.' };
  } catch (fault) {
    return { a11y_unavailable: `The page could not be audited: ${(fault as Error).message.slice(0, 200)}` };
  }
}

async function injectAxe(tab: Tab) {
  await chrome.scripting.executeScript({ target: placeOf(tab), files: [AXE], injectImmediately: true });
  if (!(await called(tab, 'hasOwnFrames'))) return;
  await chrome.scripting.executeScript({
    target: { tabId: tab.id, allFrames: true },
    files: [AXE],
    injectImmediately: true,
  });
}

function placeOf({ id, frame = 0 }: Tab) {
  return { tabId: id, frameIds: [frame] };
}

async function called(tab: Tab, name: AuditFunction) {
  const [frame] = await chrome.scripting.executeScript({
    target: placeOf(tab),
    func: (name: string) => (globalThis as any).gasoline?.audit?.[name](),
    args: [name],
    injectImmediately: true,
  });
  return frame?.result;
}

function late(signal: AbortSignal): Promise<Found> {
  return new Promise((done) => {
    const timer = setTimeout(() => done({ a11y_unavailable: LATE }), AUDIT_MS);
    signal.addEventListener('abort', () => (clearTimeout(timer), done({})), { once: true });
  });
}
