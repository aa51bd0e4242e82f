// Tells that a page, or a route within it, began; in the page's own frame alone, and without touching its history.

'use strict';

/** @typedef {import('../shared/events.js').NavigationEvent['navigation']} NavigationKind */

/** @type {boolean | undefined}  set once in this world, however often the files are injected */
var watchingRoutes;

/**
 * @param {NavigationKind} navigation
 * @param {string} [from]
 */
function begun(navigation, from) {
  capture({ type: 'navigation', navigation, url: location.href, ...(from && { from }) });
}

/** @returns {NavigationKind}  how this document was come to */
function arrival() {
  const [entry] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType('navigation'));
  return entry?.type === 'reload' || entry?.type === 'back_forward' ? entry.type : 'navigate';
}

/** @returns {boolean}  the page is made ready in secret, and nobody came here yet */
function isPrerendered() {
  return /** @type {any} */ (document).prerendering === true;
}

/** @param {{navigationType: string | null, from: {url: string | null}}} event */
function routed({ navigationType, from }) {
  if (!navigationType) return; // only the state of the same entry was changed
  if (isPrerendered()) return;
  const old = from.url ?? '';
  const within = old.split('#')[0] === location.href.split('#')[0] && old !== location.href;
  begun(within ? 'hash' : /** @type {NavigationKind} */ (navigationType), old);
}

if (!watchingRoutes && window.top === window) {
  watchingRoutes = true;
  if (isPrerendered()) hearAlways('prerenderingchange', ({ isTrusted }) => isTrusted && begun(arrival()));
  else begun(arrival());
  /** @type {any} */ (window).navigation?.addEventListener('currententrychange', routed);
  hearAlways('pageshow', ({ persisted, isTrusted }) => persisted && isTrusted && begun('back_forward'));
}
