// The command highlight, which shows where an element is in the page.

import { askPage } from '../tabs/page_queries.ts';
import { sendToTabs, type Tab } from '../tabs/tabs.ts';

export async function highlight(tab: Tab, query: Record<string, unknown>, signal: AbortSignal): Promise<object> {
  return (await askPage(tab, 'highlight', query, signal)) as object;
}

export async function removeHighlights() {
  await sendToTabs(() => ({ name: 'remove_highlight', arguments: {} }));
}
