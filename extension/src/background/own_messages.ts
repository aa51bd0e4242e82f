// Answers the messages of our own content scripts and of the popup, by name.

import type { Annotation } from '../shared/annotations.ts';
import type { Painted } from '../shared/figures.ts';
import { siteAmong } from '../shared/sites.ts';
import type { CaptureParts } from './capture_wiring.ts';
import type { AnswerCards } from './draw/answer_cards.ts';
import type { DrawMode } from './draw/draw_mode.ts';
import { addressesOf, isOwnPage, type Place, placeOf, type Sender } from './link/senders.ts';
import { rememberLeftPage } from './navigate/load_history.ts';
import { framePlaced } from './outline/frame_places.ts';
import { noteHumanActivity } from './permit/human_presence.ts';
import { isClosed } from './tabs/excluded_sites.ts';
import { noteFrame } from './tabs/framed_tabs.ts';
import { dialogReported } from './tabs/open_dialogs.ts';

type MessageHandler = (message: any, sender: Sender) => Promise<unknown> | null;

const self = { id: chrome.runtime.id, origin: location.origin };

export const isOurs = (sender: Sender | undefined) => isOwnPage(sender, self);

/** Give a listener for chrome.runtime.onMessage. */
export function messageListener(
  { intake, clear, sitesSaved }: Pick<CaptureParts, 'intake' | 'clear' | 'sitesSaved'>,
  draw: DrawMode,
  cards: AnswerCards,
  connect: () => Promise<unknown>,
) {
  const handlers: Record<string, MessageHandler> = {
    card_closed: fromPage(({ correlation_id }, { tab }) => void cards.closed(tab, correlation_id)),
    clear: (_, sender) => (isOurs(sender) ? clear() : null),
    dialog: fromPage((message, { tab }) => dialogReported(message, tab)),
    draw: ({ tab }, sender) => (isOurs(sender) ? draw.toggleBy(tab) : null),
    draw_finished: drawing(({ tab }, annotations, painted) => draw.finished(tab, annotations, painted)),
    draw_left: drawing(({ tab }, annotations) => draw.end(tab, annotations, 'page_navigated')),
    drawn: drawing((place, annotations) => draw.drawn(place, annotations)),
    events: (message, sender) => {
      const place = placeOf(sender, self);
      const site = siteAmong(addressesOf(sender, message.above));
      if (place) noteFrame(place);
      return place && intake.then((intake) => intake.take(message.chunks, place, site));
    },
    frame_placed: fromPage(framePlaced),
    left: fromPage(({ load }, { tab }) => void rememberLeftPage(tab, load)),
    paired: (_, sender) => (isOurs(sender) ? connect() : null),
    sites_saved: (_, sender) => (isOurs(sender) ? sitesSaved() : null),
    touched: fromPage(({ idle_ms }, { tab }) => noteHumanActivity(tab, idle_ms)),
  };
  return (message: any, sender: Sender, reply: (answer: unknown) => void): boolean => {
    const answer = Object.hasOwn(handlers, message?.name) && handlers[message.name]?.(message, sender);
    if (!answer) return false;
    answer.then(reply, () => reply(undefined)); // the sender tries again
    return true;
  };
}

/**
 * A message of a page's own frame that is drawn in; it is answered with true when it was taken. What is drawn on a page
 * that is excluded by now is dropped.
 */
function drawing(
  take: (place: Place, annotations: Annotation[], painted: Painted[]) => Promise<unknown>,
): MessageHandler {
  return (message, sender) => {
    const place = placeOf(sender, self);
    if (!place || place.frame) return null;
    return isClosed(siteAmong(addressesOf(sender, []))).then(async (closed) => {
      if (!closed) await take(place, message.annotations, message.painted ?? []);
      return true;
    });
  };
}

/** A message of a content script that has no answer; of an excluded site none is taken. */
function fromPage(handle: (message: any, place: Place) => void): MessageHandler {
  return (message, sender) => {
    const place = placeOf(sender, self);
    if (!place) return null;
    isClosed(siteAmong(addressesOf(sender, []))).then(
      (closed) => closed || handle(message, place),
      () => {}, // the lists cannot be read: then every site is excluded
    );
    return null;
  };
}
