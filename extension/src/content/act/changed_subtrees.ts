// Keeps the roots of what an action changed, for an audit of just these; it holds nothing unless one was asked for.

import { getterOf, isOurs, nodes } from '../dom/nodes.ts';

/** The most that are kept: beyond these the audit is of what came first. */
const ROOTS = 500;

export const documentOf: (node: Node) => Document | null = getterOf(() => Node, 'ownerDocument');

/** Of the last action; `roots` is undefined unless it was asked about accessibility. */
export const changed: { roots: Set<Element> | undefined } = { roots: undefined };

/** Keep what came, and the parent of what changed: a rule may judge an element by its parent's other children. */
export function noteRoots({ type, target, addedNodes, removedNodes }: MutationRecord, roots: Set<Element>) {
  const put = (node: Node | null) => {
    if (node?.nodeType === 1 && roots.size < ROOTS && !isOurs(node)) roots.add(node as Element);
  };
  if (type === 'childList') {
    for (const node of addedNodes) put(node);
    if (removedNodes.length || [...addedNodes].some(({ nodeType }) => nodeType === 3)) put(target);
  } else {
    put(isTop(nodes.parent(target)) ? target : nodes.parent(target));
  }
}

/** Whether auditing the node would be auditing the page. */
function isTop(node: Node | null): boolean {
  return !node || node.nodeType !== 1 || ['html', 'body'].includes(nodes.tag(node as Element));
}

/** Leave out what is gone, and what lies in another. */
export function topmostOf(roots: Iterable<Element>): Element[] {
  const here = [...roots].filter((root) => nodes.isConnected(root));
  const all = new Set(here);
  return here.filter((root) => !hasAbove(root, all));
}

function hasAbove(root: Element, all: Set<Node>) {
  for (let node = aboveIn(root); node; node = aboveIn(node)) if (all.has(node)) return true;
  return false;
}

/** Return its parent, through shadow roots. */
function aboveIn(node: Node): Node | null {
  return nodes.parent(node) ?? (node as { host?: Element }).host ?? null;
}
