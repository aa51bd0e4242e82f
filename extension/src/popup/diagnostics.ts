// Copies what a report of a fault needs: versions, the link, settings and counts; no address, title or text of a page.

import { COUNTS_KEY, type Counts, noCounts } from '../shared/counts.ts';
import type { LinkState } from '../shared/link_states.ts';
import { button } from '../shared/parts.ts';
import { AUDIT, type AuditEntry, isPilotOn, PILOT } from '../shared/pilot.ts';
import { KEYS, type Values, valuesFrom } from '../shared/settings.ts';

export type Facts = {
  version: string;
  agent: string;
  link: LinkState | undefined;
  values: Values;
  pilot: boolean;
  counts: Counts;
  audit: AuditEntry[];
};

/** Calls that failed last, without the page that they were about. */
const CALLS = 5;

/** Copy on a click; `link` gives the state that is shown. */
export function offerDiagnostics(link: () => LinkState | undefined) {
  const copy = button('#diagnostics');
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(diagnosticsText(await factsOf(link())));
    copy.textContent = 'Copied';
  });
}

export function diagnosticsText({ version, agent, link, values, pilot, counts, audit }: Facts): string {
  const { trackedTabId, trackedTabUrl: _, sites, ...switches } = values;
  const lists = { deniedSites: sites.denied.length, allowedSites: sites.allowed.length };
  const settings = { ...switches, ...lists, tracked: trackedTabId !== null, pilot };
  const { state, ...more } = link ?? { state: 'unknown' };
  const failed = audit.filter(({ outcome }) => !['running', 'done'].includes(outcome)).slice(0, CALLS);
  return [
    `Gasoline ${version}`,
    agent,
    `link: ${state}${listed(more)}`,
    `settings: ${listed(settings).trim()}`,
    `captured:${listed(counts.captured) || ' nothing'}`,
    `dropped:${listed(counts.dropped) || ' nothing'}`,
    `calls that failed: ${failed.map(({ action, outcome }) => `${action} ${outcome}`).join(', ') || 'none'}`,
    '',
  ].join('\n');
}

const listed = (values: object): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}=${value}`)
    .join('');

async function factsOf(link: LinkState | undefined): Promise<Facts> {
  const { local, session, sync } = chrome.storage;
  const [stored, kept, switched] = await Promise.all([
    local.get(KEYS),
    session.get([COUNTS_KEY, AUDIT]),
    sync.get(PILOT),
  ]);
  return {
    version: chrome.runtime.getManifest().version,
    agent: navigator.userAgent,
    link,
    values: valuesFrom(stored),
    pilot: isPilotOn(switched),
    counts: (kept[COUNTS_KEY] as Counts | undefined) ?? noCounts(0),
    audit: (kept[AUDIT] as AuditEntry[] | undefined) ?? [],
  };
}
