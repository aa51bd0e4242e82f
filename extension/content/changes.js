// Keeps the mutation records of one action in the shape that the diff worker takes (its messages.py); it collapses nothing.

'use strict';

/** The most mutation records that are kept of one action: beyond these they are only counted. */
var CHANGES = 2_000;

/** The longest text, attribute value and selector. */
var SAMPLE = 60;

/** The most characters that are looked at for a sample: a whole page's text is no sample. */
var LOOKED_THROUGH = 2_000;

/** @typedef {{take: (record: MutationRecord) => void, told: () => object}} Changes */

/** @returns {Changes}  of one action */
function makeChanges() {
  /** @type {[parent: number, selector: string, text: string][]} */
  const rows = [];
  /** @type {Map<Node, number>} */
  const numbers = new Map();
  /** @type {[node: number, parent: number, came: 0 | 1][]} */
  const children = [];
  /** @type {[node: number, before: object, after: object][]} */
  const attributes = [];
  /** @type {[node: number, before: string, after: string][]} */
  const texts = [];
  let count = 0;

  /**
   * Number a node and all above it.
   * @param {Node} node
   * @param {number} [under]  where it stood, if it may be elsewhere by now
   * @returns {number}
   */
  function numberOf(node, under) {
    const known = numbers.get(node);
    if (known !== undefined) return known;
    const above = nodes.parent(node);
    const parent = under ?? (above ? numberOf(above) : -1);
    numbers.set(node, rows.length);
    return rows.push([parent, node.nodeType === 1 ? compactName(/** @type {Element} */ (node)) : '', '']) - 1;
  }

  /**
   * @param {Node} node  that comes or goes
   * @param {number} parent
   * @param {0 | 1} came
   */
  function child(node, parent, came) {
    if (node.nodeType !== 1 || isOurs(node)) return;
    const number = numberOf(node, parent);
    const row = /** @type {[number, string, string]} */ (rows[number]);
    row[2] ||= sampleOf(node);
    children.push([number, parent, came]);
  }

  /** @param {MutationRecord} record */
  function childList({ target, addedNodes, removedNodes }) {
    const parent = numberOf(target);
    for (const node of removedNodes) child(node, parent, 0);
    for (const node of addedNodes) child(node, parent, 1);
    const gone = textsOf(removedNodes);
    if (gone || textsOf(addedNodes)) words(target, gone);
  }

  /** @param {MutationRecord} record */
  function attribute({ target, attributeName, oldValue }) {
    const element = /** @type {Element} */ (target);
    const name = attributeName ?? '';
    const held = (/** @type {string | null} */ value) => (value === null ? {} : { [name]: clip(value, SAMPLE) });
    attributes.push([numberOf(element), held(oldValue), held(nodes.attribute(element, name))]);
  }

  /**
   * @param {Node | null} node
   * @param {string} before
   */
  function words(node, before) {
    if (node?.nodeType !== 1) return;
    const now = textsOf(nodes.childNodes(node));
    if (now !== before) texts.push([numberOf(node), clip(before, SAMPLE), clip(now, SAMPLE)]);
  }

  return {
    take(record) {
      if (count++ >= CHANGES) return;
      if (record.type === 'attributes') attribute(record);
      else if (record.type === 'characterData') words(nodes.parent(record.target), oneLine(record.oldValue ?? ''));
      else childList(record);
    },
    told: () => ({ nodes: rows, children, attributes, texts, ...(count > CHANGES && { count }) }),
  };
}

/**
 * @param {Iterable<Node>} list
 * @returns {string}  what its text nodes say, in one line
 */
function textsOf(list) {
  let text = '';
  for (const node of list) if (node.nodeType === 3) text += node.nodeValue;
  return oneLine(text);
}

/**
 * @param {Node} node
 * @returns {string}  the beginning of what it says
 */
function sampleOf(node) {
  const walker = nodes.walker(document, node, NodeFilter.SHOW_TEXT);
  let text = '';
  for (let part = walker.nextNode(), seen = 0; part && text.length < SAMPLE && seen < LOOKED_THROUGH; part = walker.nextNode()) {
    text += ` ${(part.nodeValue ?? '').trim()}`;
    seen += (part.nodeValue ?? '').length + 1;
  }
  return clip(oneLine(text), SAMPLE);
}

/**
 * Name an element as a reader of changes wants it (seed 001: id > data-testid > tag.class > tag).
 * @param {Element} element
 * @returns {string}
 */
function compactName(element) {
  const [id, testid] = [nodes.attribute(element, 'id'), nodes.attribute(element, 'data-testid')];
  if (id) return clip(`#${id}`, SAMPLE);
  if (testid) return clip(`[data-testid="${testid}"]`, SAMPLE);
  const [first] = (nodes.attribute(element, 'class') ?? '').split(/\s+/).filter(Boolean);
  return clip(first ? `${nodes.tag(element)}.${first}` : nodes.tag(element), SAMPLE);
}
