// Asks a page to show where an element is; it must not know how that looks.

import { askPage } from './pages.js';
import { tellTabs } from './tabs.js';

/**
 * Show where an element is.
 * @param {import('./tabs.js').Tab} tab
 * @param {Record<string, unknown>} query  `selector`, `duration_ms`
 * @param {AbortSignal} signal
 * @returns {Promise<object>}
 * @throws {import('./failure.js').Failure} `invalid_params`, `element_not_found`, `element_not_visible`
 */
export async function highlight(tab, query, signal) {
  return /** @type {object} */ (await askPage(tab, 'highlight', query, signal));
}

/** Take away what is shown, wherever it is. */
export async function removeHighlights() {
  await tellTabs(() => ({ name: 'remove_highlight', arguments: {} }));
}
