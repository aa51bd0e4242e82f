// Keeps the mutation records of one action in the shape that the diff worker takes (its messages.py); it collapses nothing.

import { isSensitive } from '../dom/fields.ts';
import { isOurs, nodes } from '../dom/nodes.ts';
import { clip, excerpt, oneLine } from '../dom/text.ts';

/** The most mutation records that are kept of one action: beyond these they are only counted. */
const CHANGES = 5_000;

/** The longest text, attribute value and selector. */
const SAMPLE = 60;

/** The most characters that are looked at for a sample: a whole page's text is no sample. */
const LOOKED_THROUGH = 2_000;

export type Changes = { take: (record: MutationRecord) => void; collect: () => object };

/** Record the changes of one action. */
export function makeChanges(): Changes {
  const parents: number[] = [];
  const names: number[] = [];
  const selectors: string[] = [];
  const samples: string[] = [];
  const children: { node: number[]; parent: number[]; came: (0 | 1)[] } = { node: [], parent: [], came: [] };
  const attributes: Record<string, { node: number[]; old: (string | null)[]; new: (string | null)[] }> =
    Object.create(null);
  const texts: { node: number[]; old: string[]; new: string[] } = { node: [], old: [], new: [] };
  const numbers: Map<Node, number> = new Map();
  /** By selector: the name of what stands there, and of what comes or goes. */
  const nameNumbers: Map<string, number> = new Map();
  let count = 0;

  /** `moved`: the node comes or goes, so its text is wanted, of the first of its kind. */
  function nameOfKind(node: Node, moved: boolean): number {
    const selector = node.nodeType === 1 ? compactName(node as Element) : '';
    const key = `${moved ? '+' : ' '}${selector}`;
    const known = nameNumbers.get(key);
    if (known !== undefined) return known;
    samples.push(moved ? sampleOf(node) : '');
    const number = selectors.push(selector) - 1;
    nameNumbers.set(key, number);
    return number;
  }

  /** Number a node and all above it. `under`: its parent, if it may have another by now, because it comes or goes. */
  function numberOf(node: Node, under?: number): number {
    const known = numbers.get(node);
    if (known !== undefined) return known;
    const above = nodes.parent(node);
    const parent = under ?? (above ? numberOf(above) : -1);
    const number = parents.push(parent) - 1;
    numbers.set(node, number);
    names.push(nameOfKind(node, under !== undefined));
    return number;
  }

  function childList({ target, addedNodes, removedNodes }: MutationRecord) {
    const parent = numberOf(target);
    for (const node of removedNodes) child(node, parent, 0);
    for (const node of addedNodes) child(node, parent, 1);
    const gone = textsOf(removedNodes);
    if (gone || textsOf(addedNodes)) textChanged(target, gone);
  }

  function child(node: Node, parent: number, came: 0 | 1) {
    if (node.nodeType !== 1 || isOurs(node)) return;
    children.node.push(numberOf(node, parent));
    children.parent.push(parent);
    children.came.push(came);
  }

  function attribute({ target, attributeName, oldValue }: MutationRecord) {
    const element = target as Element;
    const name = attributeName ?? '';
    const secret = name === 'value' && isSensitive(element);
    const kept = (value: string | null) => (value === null ? null : secret ? '[REDACTED]' : clip(value, SAMPLE));
    const column = (attributes[name] ??= { node: [], old: [], new: [] });
    column.node.push(numberOf(element));
    column.old.push(kept(oldValue));
    column.new.push(kept(nodes.attribute(element, name)));
  }

  function textChanged(node: Node | null, before: string) {
    if (node?.nodeType !== 1) return;
    const now = textsOf(nodes.childNodes(node));
    if (now === before) return;
    texts.node.push(numberOf(node));
    texts.old.push(excerpt(before, SAMPLE));
    texts.new.push(excerpt(now, SAMPLE));
  }

  return {
    take(record) {
      if (count++ >= CHANGES) return;
      if (record.type === 'attributes') attribute(record);
      else if (record.type === 'characterData')
        textChanged(nodes.parent(record.target), oneLine(record.oldValue ?? ''));
      else childList(record);
    },
    collect: () => ({
      parents,
      names,
      selectors,
      samples,
      children,
      attributes,
      texts,
      ...(count > CHANGES && { count }),
    }),
  };
}

/** Return the text of the text nodes, in one line. */
function textsOf(list: Iterable<Node>): string {
  let text = '';
  for (const node of list) if (node.nodeType === 3) text += node.nodeValue;
  return oneLine(text);
}

/** Return the beginning of the text. */
function sampleOf(node: Node): string {
  const walker = nodes.walker(document, node, NodeFilter.SHOW_TEXT);
  let text = '';
  for (
    let part = walker.nextNode(), read = 0;
    part && text.length < SAMPLE && read < LOOKED_THROUGH;
    part = walker.nextNode()
  ) {
    text += ` ${(part.nodeValue ?? '').trim()}`;
    read += (part.nodeValue ?? '').length + 1;
  }
  return excerpt(oneLine(text), SAMPLE);
}

/** Name an element as a reader of changes wants it (seed 001: id > data-testid > tag.class > tag). */
export function compactName(element: Element): string {
  const [id, testid] = [nodes.attribute(element, 'id'), nodes.attribute(element, 'data-testid')];
  if (id) return clip(`#${id}`, SAMPLE);
  if (testid) return clip(`[data-testid="${testid}"]`, SAMPLE);
  const [first] = (nodes.attribute(element, 'class') ?? '').split(/\s+/).filter(Boolean);
  return clip(first ? `${nodes.tag(element)}.${first}` : nodes.tag(element), SAMPLE);
}
