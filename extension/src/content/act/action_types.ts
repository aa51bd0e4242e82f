// The types of an action that is done to one element.

import type { Found } from '../dom/visibility.ts';
import type { Query } from '../frame.ts';

export type Action = (found: Found, query: Query, selector: string) => ActionDone | Promise<ActionDone>;

/**
 * What was done: how to see later that it holds, and what to report of that; `detached`: the element went away before all
 * of it was done; `waits`: a further step is needed; `parts`: each part of it is recorded for itself, and its check states what
 * is shown.
 */
export type ActionDone = { check?: () => object | void; detached?: boolean; waits?: true; parts?: true };
