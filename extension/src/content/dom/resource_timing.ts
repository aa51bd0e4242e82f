// Reads an entry of Resource Timing as the event that is sent of it.

import type { ResourceEvent } from '../../shared/events.ts';
import { matchesIn } from './nodes.ts';
import { rounded } from './text.ts';

export type ResourceEntry = PerformanceResourceTiming & { deliveryType: string; renderBlockingStatus: string };

export type ShiftEntry = PerformanceEntry & {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null }[];
};

export function resourceOf(entry: ResourceEntry): ResourceEvent {
  const { name, initiatorType, startTime, duration, requestStart, responseStart, responseStatus } = entry;
  const isTimed = requestStart > 0 || entry.decodedBodySize > 0; // else another origin without Timing-Allow-Origin
  return {
    type: 'resource',
    ts: performance.timeOrigin + startTime,
    url: name,
    initiator: initiatorType || 'other',
    start: rounded(startTime),
    duration: rounded(duration),
    ...(responseStatus && { status: responseStatus }),
    ...(isTimed && {
      ttfb: rounded(Math.max(0, responseStart - startTime)),
      transferSize: entry.transferSize,
      encodedSize: entry.encodedBodySize,
      decodedSize: entry.decodedBodySize,
    }),
    ...(entry.nextHopProtocol && { protocol: entry.nextHopProtocol }),
    ...((entry.deliveryType === 'cache' || (isTimed && !entry.transferSize && entry.decodedBodySize)) && {
      cached: true,
    }),
    ...(entry.renderBlockingStatus === 'blocking' && { renderBlocking: true }),
  };
}

/** Whether it is the tab's icon, which Chrome loads for itself, and once in a while: it is no part of the page's load. */
export function isIcon({ name, initiatorType }: PerformanceResourceTiming): boolean {
  if (!['other', 'link', 'img'].includes(initiatorType)) return false;
  if (/^https?:\/\/[^/]+\/favicon\.ico$/.test(name)) return true;
  return [...matchesIn(document, 'link[rel~="icon" i]')].some((link) => (link as HTMLLinkElement).href === name);
}
