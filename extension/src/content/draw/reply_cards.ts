// Shows a person what the assistant answers to their annotations: a card each, above the page, until the person closes it.
//
// A popover stands above the page's own dialogs and takes no focus from the person. Its sheet is the root's own, as the
// overlay's.

import { COLOURS } from '../../shared/annotation_painting.ts';
import type { AnnotationAnswer, AnnotationStatus } from '../../shared/annotations.ts';
import { pageOf } from '../../shared/page_address.ts';
import { locate } from '../dom/locate.ts';
import { nodes } from '../dom/nodes.ts';
import { treesOf } from '../dom/search.ts';
import { clip } from '../dom/text.ts';
import { bringIntoSight, type Found } from '../dom/visibility.ts';
import { frame, type Query } from '../frame.ts';
import { highlight } from '../read/highlight.ts';
import { create } from './own_elements.ts';

const CSS_TEXT = `
:host { all: initial !important; display: contents !important; }
.cards { display: flex; flex-direction: column; gap: 10px; box-sizing: border-box; width: 368px; max-width: calc(100vw + 8px);
  height: auto; max-height: calc(100vh + 8px); overflow: auto; position: fixed; inset: auto -4px -4px auto; margin: 0;
  border: 0; padding: 24px; background: none; pointer-events: none; direction: ltr; font: 13px/1.45 system-ui, sans-serif; }
article { background: #1c1b1a; color: #f6f5f4; border-radius: 12px; padding: 12px 14px; flex: none; color-scheme: dark; pointer-events: auto;
  box-shadow: 0 0 0 1px rgb(255 255 255 / 18%), 0 8px 28px rgb(0 0 0 / 45%); }
header { display: flex; align-items: center; gap: 8px; }
.number { display: inline-grid; place-items: center; min-width: 22px; height: 22px; border-radius: 11px; font-weight: 600;
  font-size: 12px; color: #fff; box-shadow: 0 0 0 1.5px #fff; }
.status { font-weight: 600; flex: 1; }
p { margin: 8px 0 0; overflow-wrap: anywhere; white-space: pre-wrap; }
.said, .place { color: #bdb7b0; }
button { all: unset; box-sizing: border-box; padding: 3px 8px; border-radius: 8px; cursor: pointer; }
button:hover { background: #33302d; }
button:focus-visible { box-shadow: 0 0 0 2px #ffb385; }
@media (forced-colors: active) { article { border: 1px solid CanvasText; } }
`;

const SAID_CHARACTERS = 120;
const PLACE_CHARACTERS = 80;
const SHOWN_MS = 2_500;

/** How each status is put to a person. */
const TITLES: Record<AnnotationStatus, string> = {
  open: 'Open again',
  acknowledged: 'Seen',
  resolved: 'Done',
  dismissed: 'Not done',
};

/** By the name of the annotation, with the answer that each shows. */
const cards = new Map<string, { card: HTMLElement; answer: string }>();

let surface: { host: HTMLElement; list: HTMLElement } | undefined;

/** Show answers, each in the place of an older one to the same annotation; one that is shown already stays as it is. */
export function showReplies({ answers }: Query): { shown: true } {
  for (const answer of answers as AnnotationAnswer[]) if (!isShown(answer)) showReply(answer);
  return { shown: true };
}

function isShown({ correlation_id, ...answer }: AnnotationAnswer): boolean {
  return (surface?.host.isConnected ?? false) && cards.get(correlation_id)?.answer === JSON.stringify(answer);
}

function showReply({ correlation_id, ...answer }: AnnotationAnswer) {
  const card = cardOf({ correlation_id, ...answer });
  const { list } = shownSurface();
  const before = cards.get(correlation_id)?.card;
  if (before) before.replaceWith(card);
  else list.append(card);
  cards.set(correlation_id, { card, answer: JSON.stringify(answer) });
  if (!list.matches(':popover-open')) list.showPopover();
  card.scrollIntoView({ block: 'nearest' });
}

/** Take all cards away: the page is left. If it comes back, the worker has those shown that are still open. */
export function removeCards() {
  for (const name of [...cards.keys()]) removeCard(name);
}

/** The page may have thrown it away. */
function shownSurface() {
  surface ??= makeSurface();
  if (!surface.host.isConnected) nodes.rootElement(document).append(surface.host);
  frame.ownNodes.add(surface.host);
  frame.overlays.add(setShown);
  return surface;
}

function makeSurface() {
  const host = create('div');
  const root = host.attachShadow({ mode: 'closed' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(CSS_TEXT);
  root.adoptedStyleSheets = [sheet];
  const list = create('div');
  list.className = 'cards';
  list.popover = 'manual'; // its events do not leave the shadow root
  list.setAttribute('role', 'log');
  list.setAttribute('aria-label', 'What the assistant answers to your annotations');
  root.append(list);
  return { host, list };
}

function cardOf({
  correlation_id,
  status,
  reply,
  number,
  kind,
  said,
  selector,
  page_url,
}: AnnotationAnswer): HTMLElement {
  const card = create('article');
  const header = create('header');
  const badge = text('span', 'number', String(number));
  badge.style.background = COLOURS[kind];
  const close = button('×', 'Close this answer', () => closeCard(correlation_id));
  header.append(badge, text('span', 'status', TITLES[status]));
  const otherPage = placeUnlessHere(page_url);
  if (!otherPage && elementOf(selector))
    header.append(button('Show', `Show what annotation ${number} is about`, () => show(selector)));
  header.append(close);
  const cut = said.length > SAID_CHARACTERS ? `${clip(said, SAID_CHARACTERS)}…` : said;
  card.append(header, text('p', 'said', `“${cut}”`));
  if (otherPage) card.append(text('p', 'place', `On ${otherPage}`));
  if (reply) card.append(text('p', 'reply', reply));
  return card;
}

function closeCard(name: string) {
  removeCard(name);
  chrome.runtime.sendMessage({ name: 'card_closed', correlation_id: name }).catch(() => {}); // of an extension that was updated
}

function removeCard(name: string) {
  cards.get(name)?.card.remove();
  cards.delete(name);
  if (cards.size || !surface) return;
  surface.host.remove();
  frame.ownNodes.delete(surface.host);
  frame.overlays.delete(setShown);
}

/** Hide the cards while a picture is taken. */
function setShown(shown: boolean) {
  if (surface) surface.list.style.visibility = shown ? '' : 'hidden';
}

/** The place of a page that is another than this one. */
function placeUnlessHere(address: string): string | undefined {
  const page = pageOf(address);
  if (!page || page === pageOf(location.href)) return undefined;
  const here = `${location.origin}/`;
  return clip(page.startsWith(here) ? page.slice(here.length - 1) : page, PLACE_CHARACTERS);
}

/** The element of an annotation, if it is still there. */
function elementOf(selector: string): Found | undefined {
  return selector ? locate(treesOf(document), selector)[0] : undefined;
}

function show(selector: string) {
  try {
    highlight({ selector, duration_ms: SHOWN_MS });
  } catch {
    const found = elementOf(selector); // in a shadow root or a frame, where no highlight leads
    if (found) bringIntoSight(found);
  }
}

function text(tag: 'p' | 'span', name: string, content: string): HTMLElement {
  const one = create(tag);
  one.className = name;
  one.textContent = content;
  return one;
}

function button(label: string, title: string, pressed: () => void): HTMLButtonElement {
  const one = create('button');
  one.type = 'button';
  one.textContent = label;
  one.setAttribute('aria-label', title);
  one.addEventListener('click', (event) => event.isTrusted && pressed());
  return one;
}
