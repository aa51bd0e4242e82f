// The failures of navigations: no page comes, or something else comes in its place.

import { Failure } from '../failure.ts';
import type { Tab } from '../tabs/tabs.ts';

/** `error`: one of Chrome's, net::ERR_… */
export function unreachable({ id }: Tab, error: string) {
  const details = { tab_id: id, error };
  if (/^net::ERR_(CERT|SSL)_/.test(error)) {
    return new Failure('certificate_error', `Chrome does not trust the server's certificate (${error}).`, { details });
  }
  const loop = error === 'net::ERR_TOO_MANY_REDIRECTS' ? ' It redirects in a circle.' : '';
  return new Failure('navigation_failed', `The page could not be loaded: ${error}.${loop}`, { details });
}

export function leftToOtherProgram({ id }: Tab, url: string) {
  return new Failure(
    'navigation_failed',
    'The server redirects to an address that is no page: Chrome leaves it to another program, and may ask the user first.',
    { details: { tab_id: id, url: url.slice(0, 500) } },
  );
}

/** For a page that does not let go of its tab: Chrome waits for its scripts before it shows another page of the site. */
export function hung({ id }: Tab): Failure {
  return new Failure(
    'page_hung',
    'The page before does not answer: it hangs. Its tab shows another only if that ends.',
    {
      details: { tab_id: id },
    },
  );
}

/** For a page that has not come after `ms`, though the server may have been `asked`. */
export function notLoaded({ id }: Tab, { asked, ms }: { asked: boolean; ms: number }) {
  const details = { tab_id: id };
  if (asked) {
    return new Failure('navigation_failed', `Nothing had answered after ${ms / 1000} s.`, {
      details,
      recovery: 'See that the server answers, then try again.',
    });
  }
  const why = 'it may ask the user whether to leave the page, or to send a form again';
  return new Failure('navigation_failed', `Chrome had not begun to load anything after ${ms / 1000} s: ${why}.`, {
    details,
    recovery: 'Ask the user to look at the tab, or go to another address with interact(action:"navigate", url).',
  });
}

export function noContent({ id }: Tab, status: number) {
  return new Failure('navigation_failed', `The server answered ${status}: no page. The tab shows the page before.`, {
    details: { tab_id: id, status },
  });
}

export function emptyError({ id }: Tab, status: number) {
  return new Failure(
    'navigation_failed',
    `The server answered ${status} without content: the tab shows Chrome's page of that error.`,
    { details: { tab_id: id, status }, recovery: 'See what its server logs, and that the address is right.' },
  );
}

export function downloadStarted({ id }: Tab, url: string) {
  return new Failure('download_started', 'The address is a download: Chrome saves it. The tab shows the page before.', {
    details: { tab_id: id, url: url.slice(0, 500) },
  });
}

export function loginNeeded({ id }: Tab) {
  return new Failure(
    'authentication_required',
    'The server asks for a user name and a password, in a window of Chrome.',
    { details: { tab_id: id } },
  );
}

export function reloadLoop({ id }: Tab, documents: number) {
  return new Failure(
    'reload_loop',
    `The page loads itself, or others, again and again: after ${documents} loads the tab was emptied.`,
    { details: { tab_id: id, documents }, recovery: 'Look for what redirects or reloads in its code.' },
  );
}

export function closedWhileLoading({ id }: Pick<Tab, 'id'>) {
  return new Failure('tab_not_found', `The tab ${id} was closed while it was loading.`, { details: { tab_id: id } });
}
