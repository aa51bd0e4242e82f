// Asks a page to show where an element is; it must not know how that looks.

import { askPage } from '../tabs/page_queries.ts';
import { type Tab, tellTabs } from '../tabs/tabs.ts';

/**
 * Show where an element is.
 * @param query `selector`, `duration_ms`
 * @throws import('./failure.js').Failure `invalid_params`, `element_not_found`, `element_not_visible`
 */
export async function highlight(tab: Tab, query: Record<string, unknown>, signal: AbortSignal): Promise<object> {
  return (await askPage(tab, 'highlight', query, signal)) as object;
}

/** Take away what is shown, wherever it is. */
export async function removeHighlights() {
  await tellTabs(() => ({ name: 'remove_highlight', arguments: {} }));
}
