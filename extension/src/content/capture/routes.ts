// Captures that a page, or a route within it, began; in the page's own frame alone, and without touching its history.

import type { NavigationEvent } from '../../shared/events.ts';
import { capture } from './capture_event.ts';
import { listenAlways } from './persistent_listeners.ts';

type NavigationKind = NavigationEvent['navigation'];

function begun(navigation: NavigationKind, from?: string) {
  capture({ type: 'navigation', navigation, url: location.href, ...(from && { from }) });
}

/** Return how the user came to this document. */
function arrival(): NavigationKind {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return entry?.type === 'reload' || entry?.type === 'back_forward' ? entry.type : 'navigate';
}

/** Whether the page is prerendered, and not shown yet. */
function isPrerendered(): boolean {
  return (document as any).prerendering === true;
}

function routed({ navigationType, from }: { navigationType: string | null; from: { url: string | null } }) {
  if (!navigationType) return; // only the state of the same entry was changed
  if (isPrerendered()) return;
  const old = from.url ?? '';
  const within = old.split('#')[0] === location.href.split('#')[0] && old !== location.href;
  begun(within ? 'hash' : (navigationType as NavigationKind), old);
}

/** Only the page's own frame has routes. */
export function startRoutes() {
  if (window.top !== window) return;
  if (isPrerendered()) listenAlways('prerenderingchange', ({ isTrusted }) => isTrusted && begun(arrival()));
  else begun(arrival());
  (window as any).navigation?.addEventListener('currententrychange', routed);
  listenAlways('pageshow', ({ persisted, isTrusted }) => persisted && isTrusted && begun('back_forward'));
}
