// Tells what belongs to the navigation of a site, which is listed after the page itself.

import { nodes } from '../dom/nodes.ts';
import { around } from '../dom/visibility.ts';

const NAVIGATION = 'nav, [role="navigation"], [role="contentinfo"], body > footer';

export function isInNavigation(element: Element): boolean {
  for (let at: Element | null = element; at; at = around(at)) if (nodes.matches(at, NAVIGATION)) return true;
  return false;
}
