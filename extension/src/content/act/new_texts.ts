// Finds the few short texts that an action has brought into sight, where the page announces none; it must change nothing.

import { isHtml, nodes } from '../dom/nodes.ts';
import { oneLine } from '../dom/text.ts';
import { contains } from '../dom/visibility.ts';
import { textOf } from './list_options.ts';

/** More places than these are a part of the page that was drawn again. */
const PLACES = 3;

/** A longer text is content, not a message. */
const TEXT = 200;

/** The most places that are compared. */
const NOTED = 100;

/** What holds one of these is a part of the page, no message. */
const CONTENT = 'table, form, input, select, textarea, h1, h2, h3, h4, nav, article, iframe';

/** What is written in these is what was entered, or drawn by a program. */
const WRITTEN = 'body, html, head, script, style, title, input, select, textarea, option, [contenteditable], canvas';

export type TextWatch = { note: (record: MutationRecord) => void; read: () => Element[] };

/** Watch for elements that come, are shown, or have another text. */
export function watchTexts(): TextWatch {
  const places = new Map<Element, string | undefined>(); // with the text before, where it is known
  return {
    note(record) {
      if (places.size >= NOTED) return;
      const { type, target, addedNodes, removedNodes, oldValue } = record;
      const parent = (type === 'characterData' ? nodes.parent(target) : target) as Element;
      if (type === 'characterData') put(places, parent, oldValue ?? '');
      else if (type === 'attributes') wasHidden(record) && put(places, parent, undefined);
      const texts = (list: NodeList) => [...list].filter(({ nodeType }) => nodeType === 3);
      if (texts(addedNodes).length) put(places, parent, oneLine(texts(removedNodes).map(nodes.text).join('')));
      for (const node of addedNodes) if (node.nodeType === 1) put(places, node as Element, undefined);
    },
    read() {
      const fresh = [...places].filter(([element, before]) => isText(element) && isOther(element, before));
      const found = fresh.map(([element]) => element).filter(isOutermost);
      return found.length > PLACES || fresh.length >= NOTED ? [] : found;
    },
  };
}

function put(places: Map<Element, string | undefined>, element: Element | null, before: string | undefined) {
  if (element?.nodeType === 1 && !places.has(element)) places.set(element, before);
}

/** Whether an attribute has hidden the element so far. */
function wasHidden({ target, attributeName, oldValue }: MutationRecord): boolean {
  if (attributeName === 'hidden') return oldValue !== null && nodes.attribute(target as Element, 'hidden') === null;
  if (attributeName === 'open') return oldValue === null && isHtml(target as Element, 'details');
  return attributeName === 'style' && /(display\s*:\s*none|visibility\s*:\s*hidden)/.test(oldValue ?? '');
}

function isText(element: Element): boolean {
  if (!nodes.isConnected(element) || !nodes.isRendered(element, { checkOpacity: true, checkVisibilityCSS: true }))
    return false;
  if (nodes.closest(element, WRITTEN) !== null && !isPlain(element)) return false;
  return nodes.box(element).width > 0 && nodes.within(element, CONTENT).length === 0 && isReadable(textOf(element));
}

/** Whether nothing but the page itself is around it. */
function isPlain(element: Element): boolean {
  return nodes.matches(nodes.closest(element, WRITTEN) as Element, 'body, html') && !nodes.matches(element, WRITTEN);
}

/** Whether it states something: a clock or a counter alone does not. */
function isReadable(text: string): boolean {
  return text.length <= TEXT && /\p{L}/u.test(text);
}

function isOther(element: Element, before: string | undefined): boolean {
  return before === undefined || oneLine(before) !== textOf(element);
}

function isOutermost(element: Element, _: number, all: Element[]): boolean {
  return !all.some((other) => other !== element && contains(other, element));
}
