// Keeps the mutation records of one action in the shape that the diff worker takes (its messages.py); it collapses nothing.

'use strict';

/** The most mutation records that are kept of one action: beyond these they are only counted. */
var CHANGES = 5_000;

/** The longest text, attribute value and selector. */
var SAMPLE = 60;

/** The most characters that are looked at for a sample: a whole page's text is no sample. */
var LOOKED_THROUGH = 2_000;

/** @typedef {{take: (record: MutationRecord) => void, told: () => object}} Changes */

/** @returns {Changes}  of one action */
function makeChanges() {
  /** @type {number[]} */
  const parents = [];
  /** @type {number[]} */
  const names = [];
  /** @type {string[]} */
  const selectors = [];
  /** @type {string[]} */
  const samples = [];
  /** @type {{node: number[], parent: number[], came: (0 | 1)[]}} */
  const children = { node: [], parent: [], came: [] };
  /** @type {Record<string, {node: number[], old: (string | null)[], new: (string | null)[]}>} */
  const attributes = Object.create(null);
  /** @type {{node: number[], old: string[], new: string[]}} */
  const texts = { node: [], old: [], new: [] };
  /** @type {Map<Node, number>} */
  const numbers = new Map();
  /** @type {Map<string, number>}  by selector: the name of what stands there, and of what comes or goes */
  const nameNumbers = new Map();
  let count = 0;

  /**
   * @param {Node} node
   * @param {boolean} spoken  it comes or goes: what it says is wanted, of the first of its kind
   * @returns {number}
   */
  function nameOfKind(node, spoken) {
    const selector = node.nodeType === 1 ? compactName(/** @type {Element} */ (node)) : '';
    const key = `${spoken ? '+' : ' '}${selector}`;
    const known = nameNumbers.get(key);
    if (known !== undefined) return known;
    samples.push(spoken ? sampleOf(node) : '');
    const number = selectors.push(selector) - 1;
    nameNumbers.set(key, number);
    return number;
  }

  /**
   * Number a node and all above it.
   * @param {Node} node
   * @param {number} [under]  where it stood, if it may be elsewhere by now: it comes or goes
   * @returns {number}
   */
  function numberOf(node, under) {
    const known = numbers.get(node);
    if (known !== undefined) return known;
    const above = nodes.parent(node);
    const parent = under ?? (above ? numberOf(above) : -1);
    const number = parents.push(parent) - 1;
    numbers.set(node, number);
    names.push(nameOfKind(node, under !== undefined));
    return number;
  }

  /** @param {MutationRecord} record */
  function childList({ target, addedNodes, removedNodes }) {
    const parent = numberOf(target);
    for (const node of removedNodes) child(node, parent, 0);
    for (const node of addedNodes) child(node, parent, 1);
    const gone = textsOf(removedNodes);
    if (gone || textsOf(addedNodes)) words(target, gone);
  }

  /**
   * @param {Node} node
   * @param {number} parent
   * @param {0 | 1} came
   */
  function child(node, parent, came) {
    if (node.nodeType !== 1 || isOurs(node)) return;
    children.node.push(numberOf(node, parent));
    children.parent.push(parent);
    children.came.push(came);
  }

  /** @param {MutationRecord} record */
  function attribute({ target, attributeName, oldValue }) {
    const element = /** @type {Element} */ (target);
    const name = attributeName ?? '';
    const secret = name === 'value' && isSensitive(element);
    const kept = (/** @type {string | null} */ value) => (value === null ? null : secret ? '[REDACTED]' : clip(value, SAMPLE));
    const column = (attributes[name] ??= { node: [], old: [], new: [] });
    column.node.push(numberOf(element));
    column.old.push(kept(oldValue));
    column.new.push(kept(nodes.attribute(element, name)));
  }

  /**
   * @param {Node | null} node
   * @param {string} before
   */
  function words(node, before) {
    if (node?.nodeType !== 1) return;
    const now = textsOf(nodes.childNodes(node));
    if (now === before) return;
    texts.node.push(numberOf(node));
    texts.old.push(clip(before, SAMPLE));
    texts.new.push(clip(now, SAMPLE));
  }

  return {
    take(record) {
      if (count++ >= CHANGES) return;
      if (record.type === 'attributes') attribute(record);
      else if (record.type === 'characterData') words(nodes.parent(record.target), oneLine(record.oldValue ?? ''));
      else childList(record);
    },
    told: () => ({ parents, names, selectors, samples, children, attributes, texts, ...(count > CHANGES && { count }) }),
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
