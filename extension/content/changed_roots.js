// Keeps the roots of what an action changed, for an audit of just these; it holds nothing unless one was asked for.

'use strict';

/** The most that are kept: beyond these the audit is of what came first. */
var ROOTS = 500;

/** @type {(node: Node) => Document | null} */
var documentOf = getterOf(Node, 'ownerDocument');

/** @type {Set<Element> | undefined}  of the last action, if it was asked about accessibility */
var changedRoots;

/**
 * Keep what came, and the parent of what changed: a rule may judge an element by its parent's other children.
 * @param {MutationRecord} record
 * @param {Set<Element>} roots
 */
function noteRoots({ type, target, addedNodes, removedNodes }, roots) {
  const put = (/** @type {Node | null} */ node) => {
    if (node?.nodeType === 1 && roots.size < ROOTS && !isOurs(node)) roots.add(/** @type {Element} */ (node));
  };
  if (type === 'childList') {
    for (const node of addedNodes) put(node);
    if (removedNodes.length || [...addedNodes].some(({ nodeType }) => nodeType === 3)) put(target);
  } else {
    put(isTop(nodes.parent(target)) ? target : nodes.parent(target));
  }
}

/**
 * @param {Node | null} node
 * @returns {boolean}  to audit it would be to audit the page
 */
function isTop(node) {
  return !node || node.nodeType !== 1 || ['html', 'body'].includes(nodes.tag(/** @type {Element} */ (node)));
}

/**
 * Leave out what is gone, and what lies in another.
 * @param {Iterable<Element>} roots
 * @returns {Element[]}
 */
function topmostOf(roots) {
  const here = [...roots].filter((root) => nodes.isConnected(root));
  const all = new Set(here);
  return here.filter((root) => !hasAbove(root, all));
}

/**
 * @param {Element} root
 * @param {Set<Node>} all
 */
function hasAbove(root, all) {
  for (let node = aboveIn(root); node; node = aboveIn(node)) if (all.has(node)) return true;
  return false;
}

/**
 * @param {Node} node
 * @returns {Node | null}  its parent, through shadow roots
 */
function aboveIn(node) {
  return nodes.parent(node) ?? /** @type {{host?: Element}} */ (node).host ?? null;
}
