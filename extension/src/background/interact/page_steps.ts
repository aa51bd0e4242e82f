// Sends the steps of an action to a page: each at most once, as an action must not be done twice.

import { Failure } from '../failure.ts';
import { askPage, contentOf, type PageAnswer } from '../tabs/page_queries.ts';
import type { Tab } from '../tabs/tabs.ts';

type Query = Record<string, unknown>;

const UNRECEIVED = 'Receiving end does not exist';

/**
 * Have the page perform a step once: it is not sent again to the page that comes after it. `waited` is called right before
 * the step is sent, if the page had to be prepared for it.
 */
export async function askPageOnce(
  tab: Tab,
  name: string,
  query: Query,
  signal: AbortSignal,
  waited: () => void = () => {},
): Promise<any> {
  if (tab.frame) {
    await askPage(tab, 'page_place', {}, signal); // others have listeners there too: an answer is from us
    waited();
  }
  const first = await sent(tab, name, query).catch((fault) => {
    return isUnreceived(fault) ? { missing: true as const } : undefined; // else the page was left during the step
  });
  const answer = first && 'missing' in first ? await onceInjected(tab, name, query, signal, waited) : first;
  signal.throwIfAborted();
  return contentOf(answer);
}

/**
 * Send a step to the page of an action that may be gone; undefined without an answer, also from a page of an excluded site
 * that has come in its place: the action was done.
 */
export async function askPageIfThere(tab: Tab, name: string, query: object): Promise<PageAnswer | undefined> {
  const answer = await sent(tab, name, query).catch(() => undefined);
  const isClosed = answer && 'error' in answer && answer.error.code === 'site_excluded';
  return isClosed ? undefined : answer;
}

/** The result of such a step, and `gone` for a page that was left. */
export async function resultIfThere(tab: Tab, name: string, query: object): Promise<any> {
  const answer = await askPageIfThere(tab, name, query);
  return (answer && 'result' in answer && answer.result) || { gone: true };
}

async function onceInjected(tab: Tab, name: string, query: Query, signal: AbortSignal, waited: () => void) {
  await askPage(tab, 'page_place', {}, signal); // injects our scripts
  waited();
  const answer = await sent(tab, name, query).catch((fault) => {
    if (isUnreceived(fault)) throw leftBefore(tab);
    return undefined;
  });
  if (answer && 'missing' in answer) throw leftBefore(tab);
  return answer;
}

function sent({ id, frame = 0 }: Tab, name: string, query: object): Promise<PageAnswer> {
  return chrome.tabs.sendMessage(id, { name, arguments: query }, { frameId: frame });
}

/** Whether a message did not reach any script, so that the step was not done. */
function isUnreceived({ message }: Error) {
  return message.includes(UNRECEIVED) || message.includes('No tab with id');
}

function leftBefore({ id }: Tab) {
  return new Failure('page_navigated', 'The page was left before this was done in it.', {
    details: { tab_id: id },
    recovery: 'Wait for the page that comes, look at it, then act.',
  });
}
