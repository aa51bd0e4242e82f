// Says what an assistant did or wanted to do; it must touch no page and ask nothing of Chrome.

import type { AuditEntry } from '../shared/pilot.ts';

/** Outcomes for a human; the others are codes, and read well enough */
const OUTCOMES: Record<string, string> = {
  running: 'under way',
  failed: 'the script failed',
  ai_web_pilot_disabled: 'refused: it was off',
  outcome_unknown: 'outcome unknown',
  human_active: 'put off: you were busy there',
  tab_leased: 'refused: another assistant has the tab',
};

/** Put a call into words: what, how it ended if not well, where, by whom and when. */
export function actWords(
  { action, origin, client, ts, outcome }: AuditEntry,
  locale?: string,
): { what: string; more: string } {
  const time = new Date(ts).toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
  const host = URL.canParse(origin) ? new URL(origin).host || origin : '';
  const end = outcome === 'done' ? '' : (OUTCOMES[outcome] ?? outcome.replaceAll('_', ' '));
  return { what: action.replaceAll('_', ' '), more: [end, host, client, time].filter(Boolean).join(' · ') };
}
