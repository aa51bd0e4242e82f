// Makes the elements of our own surfaces, also in documents that are XML.

import { nodes } from '../dom/nodes.ts';

export function create<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, kind = ''): HTMLElementTagNameMap[Tag] {
  const element = nodes.create(document, 'http://www.w3.org/1999/xhtml', tag) as HTMLElementTagNameMap[Tag];
  if (kind) element.className = kind;
  return element;
}
