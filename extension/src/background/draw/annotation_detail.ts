// Asks a page how the elements of annotations are now, and its framework for the component that has drawn one.

import { arrived } from '../tabs/arrival.ts';
import { askPage } from '../tabs/page_queries.ts';
import type { Tab } from '../tabs/tabs.ts';

const COMPONENT_CHARACTERS = 100;

/** How long elements that are not there may still come, and how often they are looked for. */
const DRAWN_MS = 3_000;
const POLL_MS = 150;

export async function annotationDetail(
  tab: Tab,
  query: Record<string, unknown>,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const detail = (await askPage(tab, 'draw_detail', query, signal)) as Record<string, unknown>;
  const component = await componentOf(tab, String(query['selector']));
  return { ...detail, ...(component && { component }) };
}

/** How the elements of annotations look now; a page that has just come may draw them in a moment. */
export async function annotatedLooks(
  tab: Tab,
  query: Record<string, unknown>,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const { tab: now } = await arrived(tab, signal);
  const until = performance.now() + DRAWN_MS;
  for (;;) {
    const answer = (await askPage(now, 'draw_looks', query, signal)) as { url: string; looks: unknown[] };
    if (!answer.looks.includes(null) || performance.now() > until) return answer;
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
}

/**
 * The name of the framework's component around an element. Only the page's own world sees what a framework has noted on an
 * element, and only of the page's own document.
 */
async function componentOf({ id }: Tab, selector: string): Promise<string | undefined> {
  if (selector.includes('>>>')) return undefined;
  const [found] = await chrome.scripting
    .executeScript({ target: { tabId: id }, world: 'MAIN', func: componentAround, args: [selector] })
    .catch(() => []);
  const name = found?.result;
  return typeof name === 'string' && name ? name.slice(0, COMPONENT_CHARACTERS) : undefined;
}

/** Runs in the page: it must use nothing from outside of itself. Names of production builds are a letter or two. */
function componentAround(selector: string): string | undefined {
  const LONGEST_WAY = 50;
  const named = (name: unknown) => (typeof name === 'string' && name.length > 2 ? name : undefined);
  try {
    const element = (globalThis as any).document.querySelector(selector);
    const key = Object.keys(element).find((name) => /^__react(Fiber|InternalInstance)\$/.test(name));
    for (let fiber = key && element[key], steps = 0; fiber && steps < LONGEST_WAY; fiber = fiber.return, steps++) {
      const found = named(fiber.type?.displayName) ?? (typeof fiber.type === 'function' && named(fiber.type.name));
      if (found) return found;
    }
    for (let at = element, steps = 0; at && steps < LONGEST_WAY; at = at.parentElement, steps++) {
      const type = at.__vueParentComponent?.type;
      const found = named(type?.name) ?? named(type?.__name) ?? named(at.__vue__?.$options?.name);
      if (found) return found;
      const angular = (globalThis as any).ng?.getComponent?.(at);
      if (angular) return named(angular.constructor?.name);
    }
  } catch {} // a page may answer anything here
  return undefined;
}
