// Captures how a dialog of the page was answered; what was entered into one that asks for a secret is not recorded.

import { hasSecretWords } from '../dom/fields.ts';
import { frame } from '../frame.ts';

/** `result`: what the page's function has returned. */
export function recordDialog(dialog: string, message: string, result: unknown) {
  const accepted = dialog === 'alert' || result === true || typeof result === 'string';
  const entered = dialog === 'prompt' && typeof result === 'string';
  const answer = hasSecretWords(message) ? { secret: true as const } : { answer: String(result).slice(0, 500) };
  frame.relay?.capture({ type: 'dialog', dialog, message, accepted, ...(entered && answer) });
}
