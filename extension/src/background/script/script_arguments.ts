// Reads the arguments of a script's call, and says what is wrong with one; it must not look at what the script does.

import { Failure } from '../failure.ts';

/** More than anyone writes by hand; a library is loaded by the page. */
export const SCRIPT_CHARACTERS = 100_000;

/** Seed 003, feature 3. */
export const TIMEOUT_MS = 5000;

/** The bridge gives no command much more. */
export const TIMEOUT_MOST_MS = 30_000;

export function scriptFrom(script: unknown): string {
  if (typeof script !== 'string' || !script.trim()) {
    throw new Failure('invalid_params', 'script must be JavaScript: an expression, or statements with return.', {
      details: { parameter: 'script' },
      recovery: 'For example: document.title',
    });
  }
  if (script.length <= SCRIPT_CHARACTERS) return script;
  throw new Failure('payload_too_large', `script has ${script.length} characters; ${SCRIPT_CHARACTERS} are the most.`, {
    details: { parameter: 'script', characters: script.length, limit_characters: SCRIPT_CHARACTERS },
    recovery: 'Send a shorter script.',
  });
}

export function timeoutFrom(timeout: unknown): number {
  const ms = timeout ?? TIMEOUT_MS;
  if (typeof ms === 'number' && Number.isInteger(ms) && ms >= 1 && ms <= TIMEOUT_MOST_MS) return ms;
  throw new Failure('invalid_params', `timeout_ms must be a whole number from 1 to ${TIMEOUT_MOST_MS}.`, {
    details: { parameter: 'timeout_ms', value: timeout },
    recovery: `Leave it out for ${TIMEOUT_MS}.`,
  });
}
