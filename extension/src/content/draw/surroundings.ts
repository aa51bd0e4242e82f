// Watches what happens around the overlay of Draw Mode: the page's layout, its window, and what it opens above the overlay.

import { nodes } from '../dom/nodes.ts';
import type { makeOverlay } from './overlay.ts';

/** Called when what is drawn has another place on the screen, and when something lies above the overlay. */
type Events = { changed: () => void; covered: () => void };

/** Watch until the signal ends it. */
export function watchSurroundings(overlay: ReturnType<typeof makeOverlay>, events: Events, signal: AbortSignal) {
  window.addEventListener('scroll', events.changed, { signal, passive: true, capture: true });
  watchLayout(events, signal);
  watchSize(overlay, events, signal);
  watchTop(events, signal);
}

/** What is drawn stays on its elements, also when the page is laid out again. */
function watchLayout({ changed }: Events, signal: AbortSignal) {
  const observer = new ResizeObserver(changed);
  for (const element of [document.documentElement, document.body]) if (element) observer.observe(element);
  signal.addEventListener('abort', () => observer.disconnect());
}

/** The canvas follows the window, also onto another screen: there its size may stay, and its pixels not. */
function watchSize(overlay: ReturnType<typeof makeOverlay>, { changed }: Events, signal: AbortSignal) {
  const fit = () => {
    overlay.resize();
    changed();
  };
  const observer = new ResizeObserver(fit);
  observer.observe(overlay.dialog);
  signal.addEventListener('abort', () => observer.disconnect());
  for (const type of ['resize', 'scroll']) visualViewport?.addEventListener(type, () => overlay.placeBar(), { signal });
  const watchDensity = () => {
    const now = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
    now.addEventListener('change', () => (fit(), watchDensity()), { once: true, signal });
  };
  watchDensity();
}

/** What a page opens in the browser's top layer is above the overlay, and takes the focus from what is written. */
function watchTop({ covered }: Events, signal: AbortSignal) {
  const on = { signal, capture: true };
  const risen = new WeakSet<EventTarget>();
  const rise = (target: EventTarget | null) => {
    if (!(target instanceof Element) || risen.has(target) || !nodes.matches(target, ':modal, :popover-open')) return;
    risen.add(target);
    covered();
  };
  // `toggle` comes with the next task: a letter may come before it
  document.addEventListener('beforetoggle', ({ target }) => queueMicrotask(() => rise(target)), on);
  document.addEventListener('toggle', ({ target }) => (rise(target), target && risen.delete(target)), on);
  document.addEventListener('fullscreenchange', covered, { signal });
}
