// Gives what is entered for the handle of a secret: on a page of its origin, into a field that hides what it holds.

import { fail } from '../dom/faults.ts';
import { hidesWhatItHolds } from '../dom/fields.ts';
import type { Query } from '../frame.ts';

type Kept = { value: string; origins: string[] };

/** Return the text to enter. Without the secret it stands for, a handle never gets here: the bridge refuses it. */
export function textToEnter(element: Element, { text, secrets }: Query): string {
  const kept: Kept | undefined = Object.hasOwn(secrets ?? {}, text) ? secrets[text] : undefined;
  if (!kept) return text;
  // `location.origin` is read from the address: a sandboxed page, which has no origin, would pass for its site.
  if (!kept.origins.includes(self.origin))
    fail('secret_refused', `${text} was shown by ${kept.origins.join(', ')}, and this is ${self.origin}.`);
  if (!hidesWhatItHolds(element)) fail('secret_refused', `${text} may be typed into a field for secrets alone.`);
  return kept.value;
}
