// Says what the popup shows about the page in front and about tracking; it must touch no page and ask nothing of Chrome.

import type { Values } from '../shared/settings.ts';

/**
 * What is known of the page in front. `because`: why Chrome lets no extension into it; `early`: whether it is captured
 * from its beginning; undefined while that is not known.
 */
export type Page = {
  id: number;
  title: string;
  url: string;
  because?: string | undefined;
  early?: boolean | undefined;
};

export interface PageWords {
  /** (seed 003, Track This Page) */
  button: 'Track This Page' | 'Stop Tracking';
  enabled: boolean;
  note: string;
  /** A reload would help */
  reload: boolean;
  /** Another page is tracked */
  elsewhere: boolean;
}

/** Put into words how the page and the tracking stand. */
export function pageWords(page: Page, values: Values): PageWords {
  const here = values.trackedTabId === page.id;
  const { note, reload = false } = noteOn(page, values, here);
  return {
    button: here ? 'Stop Tracking' : 'Track This Page',
    enabled: here || !page.because,
    note,
    reload,
    elsewhere: values.trackedTabId !== null && !here,
  };
}

/** Name a page in a line: its title, and where it is from. */
export function nameOf({ title = '', url = '' }: { title?: string | undefined; url?: string | undefined }): {
  title: string;
  host: string;
} {
  const host = URL.canParse(url) ? new URL(url).host : '';
  return title && title !== url ? { title, host } : { title: host || url || 'a closed page', host: '' };
}

function noteOn(
  { because, early }: Page,
  { trackedTabId, captureAllTabs }: Values,
  here: boolean,
): { note: string; reload?: boolean } {
  if (because && !here) return { note: `Extensions cannot see this page: ${because}.` };
  if (trackedTabId !== null && !here) return { note: 'Not captured while another page is tracked.' };
  if (!here && !captureAllTabs) return { note: 'Not captured unless it is tracked.' };
  if (early === false) return { note: 'Reload this page to capture its console and network.', reload: true };
  return { note: here ? 'Only this page is captured, and commands go to it.' : 'Captured, as every page is.' };
}
