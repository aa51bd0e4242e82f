// Lets one run of axe at a time happen in this frame, which refuses a second one, and notes when: it is no work of the page.

import { frame } from '../frame.ts';

/** Run axe when no other run of it is under way. */
export async function alone<T>(run: () => Promise<T>): Promise<T> {
  const noted = async () => {
    const begun = performance.now();
    const computed = globalThis.getComputedStyle;
    globalThis.getComputedStyle = remembered(computed);
    try {
      return await run();
    } finally {
      globalThis.getComputedStyle = computed;
      frame.axeRuns.push({ begun, ended: performance.now() });
    }
  };
  const own = frame.axeRun.then(noted, noted);
  frame.axeRun = own.catch(() => {});
  return own;
}

/**
 * Give the styles of an element as the same object each time: it is live, and axe asks for it fifteen times an element, which
 * takes a tenth of a run in an isolated world, where Chrome finds objects of the DOM more slowly.
 */
function remembered(computed: typeof getComputedStyle): typeof getComputedStyle {
  const known = new WeakMap<Element, CSSStyleDeclaration>();
  return (element, pseudo) => {
    if (pseudo) return computed(element, pseudo);
    const styles = known.get(element) ?? computed(element);
    known.set(element, styles);
    return styles;
  };
}

/** Whether what the page's timeline has is, for the most part, a run of axe. */
export function isOfAxe({ startTime, duration }: PerformanceEntry): boolean {
  return frame.axeRuns.some(({ begun, ended }) => {
    return 2 * (Math.min(ended, startTime + duration) - Math.max(begun, startTime)) > duration;
  });
}
