// Measures the memory of a page as far as the page's own world can: the heap, and the nodes of its document.

import { treesOf } from '../dom/search.ts';

/** Chrome's own, and not standard (https://developer.mozilla.org/docs/Web/API/Performance/memory). */
type Heap = { usedJSHeapSize: number; totalJSHeapSize: number; jsHeapSizeLimit: number };

export function memoryEvidence(): object {
  const { memory } = performance as Performance & { memory?: Heap };
  const heap = memory && {
    used: memory.usedJSHeapSize,
    total: memory.totalJSHeapSize,
    limit: memory.jsHeapSizeLimit,
  };
  return { ...(heap && { heap }), elements: treesOf(document).reduce((sum, { elements }) => sum + elements.length, 0) };
}
