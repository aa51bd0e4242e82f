// The texts of the calls that acted, or were refused.

import type { AuditEntry } from '../shared/pilot.ts';

/** Texts of outcomes; others are codes of errors, which are shown with spaces. */
const OUTCOMES: Record<string, string> = {
  running: 'under way',
  failed: 'the script failed',
  ai_web_pilot_disabled: 'refused: it was off',
  outcome_unknown: 'outcome unknown',
  human_active: 'put off: you were busy there',
  tab_leased: 'refused: another assistant has the tab',
};

/** Describe a call: its action; its outcome unless it was done, its host, client and time. */
export function actWords(
  { action, origin, client, ts, outcome }: AuditEntry,
  locale?: string,
): { what: string; more: string } {
  const time = new Date(ts).toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
  const host = URL.canParse(origin) ? new URL(origin).host || origin : '';
  const end = outcome === 'done' ? '' : (OUTCOMES[outcome] ?? outcome.replaceAll('_', ' '));
  return { what: action.replaceAll('_', ' '), more: [end, host, client, time].filter(Boolean).join(' · ') };
}
