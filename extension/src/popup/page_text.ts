// The texts of the popup about the page in front and about tracking.

import type { Values } from '../shared/settings.ts';
import { hostOf, isExcluded } from '../shared/sites.ts';

/**
 * The page in front. `because`: why extensions have no access to it; `early`: it was captured from its beginning;
 * undefined while that is not known.
 */
export type Page = {
  id: number;
  title: string;
  url: string;
  because?: string | undefined;
  early?: boolean | undefined;
};

interface PageWords {
  /** Seed 003, Track This Page. */
  button: 'Track This Page' | 'Stop Tracking';
  enabled: boolean;
  /** It can be drawn on. */
  drawable: boolean;
  note: string;
  /** A reload would capture all of it. */
  reload: boolean;
  /** Another page is tracked. */
  elsewhere: boolean;
}

export function pageWords(page: Page, values: Values): PageWords {
  const here = values.trackedTabId === page.id;
  const isClosed = isExcluded(values.sites, page.url);
  const { note, reload = false } = noteOn(page, values, here);
  return {
    button: here ? 'Stop Tracking' : 'Track This Page',
    enabled: here || !(page.because || isClosed),
    drawable: !(page.because || isClosed),
    note,
    reload,
    elsewhere: values.trackedTabId !== null && !here,
  };
}

/** A page in one line: its title and host. */
export function nameOf({ title = '', url = '' }: { title?: string | undefined; url?: string | undefined }): {
  title: string;
  host: string;
} {
  const host = URL.canParse(url) ? new URL(url).host : '';
  return title && title !== url ? { title, host } : { title: host || url || 'a closed page', host: '' };
}

function noteOn(
  { because, early, url }: Page,
  { trackedTabId, captureAllTabs, sites }: Values,
  here: boolean,
): { note: string; reload?: boolean } {
  if (isExcluded(sites, url))
    return { note: `You keep Gasoline out of ${hostOf(url)}: nothing is captured or done here.` };
  if (because && !here) return { note: `Extensions have no access to this page: ${because}.` };
  if (trackedTabId !== null && !here) return { note: 'Not captured while another page is tracked.' };
  if (!here && !captureAllTabs) return { note: 'Not captured unless it is tracked.' };
  if (early === false) return { note: 'Reload this page to capture its console and network.', reload: true };
  return { note: here ? 'Only this page is captured, and commands go to it.' : 'Captured, as every page is.' };
}
