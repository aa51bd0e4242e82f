// Opens the shadow root of an element, also a closed one, which only an extension can; never one of the browser's own.

import { nodes } from './nodes.ts';

/** What may have a shadow root, besides components of the page's own (https://dom.spec.whatwg.org/#dom-element-attachshadow). */
const HOSTS = /^(article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span|.+-.*)$/;

export function shadowOf(element: Element): ShadowRoot | null {
  if (!HOSTS.test(nodes.tag(element)) || nodes.namespace(element) !== 'http://www.w3.org/1999/xhtml') return null;
  return nodes.shadowRoot(element) ?? chrome.dom.openOrClosedShadowRoot(element as HTMLElement);
}
