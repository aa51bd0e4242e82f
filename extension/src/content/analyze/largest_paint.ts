// Splits the time of the largest paint into its four parts (https://web.dev/articles/optimize-lcp#lcp-breakdown).

import { nameOf } from '../dom/naming.ts';
import { nodes } from '../dom/nodes.ts';
import { rounded } from '../dom/text.ts';
import { bareAddress } from './addresses.ts';

export type PaintEntry = PerformanceEntry & { element: Element | null; url: string; size: number };

/** The entries are in the order of time: the last one is the largest. */
export function largestPaint(
  entries: PaintEntry[],
  navigation: PerformanceNavigationTiming | undefined,
  resources: PerformanceResourceTiming[],
): object {
  const entry = entries.at(-1);
  if (!entry) return {};
  const { element, url } = entry;
  const loaded = url ? resources.find(({ name }) => name === url) : undefined;
  const answered = navigation?.responseStart ?? 0;
  const requested = Math.max(answered, loaded ? loaded.requestStart || loaded.startTime : 0);
  const received = Math.min(entry.startTime, Math.max(requested, loaded?.responseEnd ?? 0));
  return {
    ms: rounded(entry.startTime),
    selector: nameOf(element),
    tag: element ? nodes.tag(element) : '',
    address: url ? bareAddress(url) : '',
    is_lazy: element !== null && nodes.tag(element) === 'img' && nodes.attribute(element, 'loading') === 'lazy',
    ttfb_ms: rounded(answered),
    delay_ms: rounded(loaded ? requested - answered : 0),
    load_ms: rounded(loaded ? received - requested : 0),
    render_ms: rounded(entry.startTime - (loaded ? received : answered)),
  };
}
