// Says what the popup shows about the page in front and about tracking; it must touch no page and ask nothing of Chrome.

/** @typedef {import('../shared/settings.js').Values} Values */

/**
 * What is known of the page in front. `because`: why Chrome lets no extension into it; `early`: whether it is captured
 * from its beginning; undefined while that is not known.
 * @typedef {{id: number, title: string, url: string, because?: string | undefined, early?: boolean | undefined}} Page
 */

/**
 * @typedef {object} PageWords
 * @property {'Track This Page' | 'Stop Tracking'} button  (seed 003, Track This Page)
 * @property {boolean} enabled
 * @property {string} note
 * @property {boolean} reload  a reload would help
 * @property {boolean} elsewhere  another page is tracked
 */

/**
 * Put into words how the page and the tracking stand.
 * @param {Page} page
 * @param {Values} values
 * @returns {PageWords}
 */
export function pageWords(page, values) {
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

/**
 * Name a page in a line: its title, and where it is from.
 * @param {{title?: string | undefined, url?: string | undefined}} page
 * @returns {{title: string, host: string}}
 */
export function nameOf({ title = '', url = '' }) {
  const host = URL.canParse(url) ? new URL(url).host : '';
  return title && title !== url ? { title, host } : { title: host || url || 'a closed page', host: '' };
}

/**
 * @param {Page} page
 * @param {Values} values
 * @param {boolean} here
 * @returns {{note: string, reload?: boolean}}
 */
function noteOn({ because, early }, { trackedTabId, captureAllTabs }, here) {
  if (because && !here) return { note: `Extensions cannot see this page: ${because}.` };
  if (trackedTabId !== null && !here) return { note: 'Not captured while another page is tracked.' };
  if (!here && !captureAllTabs) return { note: 'Not captured unless it is tracked.' };
  if (early === false) return { note: 'Reload this page to capture its console and network.', reload: true };
  return { note: here ? 'Only this page is captured, and commands go to it.' : 'Captured, as every page is.' };
}
