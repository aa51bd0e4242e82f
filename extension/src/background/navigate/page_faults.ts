// Reports what went wrong in a page by an action or in a load: its errors, and its requests that failed.

import type { PageFaults } from '../../shared/counted_faults.ts';
import { isFault } from './outcome.ts';
import type { Exchange, TabRequests } from './requests.ts';

/** The most failed requests that a reply names. */
const NAMED = 3;

export const URL_CHARACTERS = 2000;

/** What went wrong in a page by an action: its errors, counted and the first of them in words, and its failed requests. */
export function faultsOf(
  { console_errors = 0, errors = [], requests }: Partial<PageFaults>,
  network: Pick<TabRequests, 'exchanges' | 'complete'>,
): object {
  network.complete(requests);
  const failed = network.exchanges.filter(isFailed);
  return {
    ...(console_errors && { console_errors }),
    ...(errors.length && { errors }),
    ...(failed.length && { failed_requests: failed.length, failed: unlike(failed).slice(0, NAMED).map(namesOf) }),
  };
}

/**
 * Whether a request of the page failed; the browser asks for the icon by itself, a script does not as an image. What became
 * of the page itself is reported apart.
 */
function isFailed({ url, type, status, error }: Exchange): boolean {
  const isIcon = type === 'image' && /\/(favicon|apple-touch-icon)[^/]*$/.test(url);
  return (status >= 400 || isFault(error)) && !isIcon && type !== 'main_frame';
}

/** One of each that would read the same: a poll fails again and again. */
function unlike(failed: Exchange[]): Exchange[] {
  return [...new Map(failed.map((one) => [`${one.method} ${one.url} ${one.status} ${one.error}`, one])).values()];
}

function namesOf({ url, method, status, error }: Exchange) {
  return { url: url.slice(0, URL_CHARACTERS), method, ...(status ? { status } : { error }) };
}
