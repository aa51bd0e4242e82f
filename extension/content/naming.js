// Names an element of this page so that it is found again; it must bear any page, and answer with a tag at worst.

'use strict';

/**
 * Give the selector that finds this element alone.
 * @param {Node | null} node
 * @returns {string}
 */
function nameOf(node) {
  const element = node instanceof Element ? node : (node?.parentElement ?? null);
  if (!element?.isConnected) return element ? nodes.tag(element) : '';
  try {
    const trees = treesOf(document);
    const tree = trees.find(({ root }) => root === element.getRootNode());
    return tree ? selectorWriter(trees)(element, tree) : nodes.tag(element);
  } catch {
    return nodes.tag(element);
  }
}

/**
 * Name an element cheaply, where many are named: by its id, or its tag and its first classes.
 * @param {Node | null | undefined} node
 * @returns {string}
 */
function briefNameOf(node) {
  if (!(node instanceof Element)) return '';
  const id = nodes.attribute(node, 'id');
  if (id) return `#${CSS.escape(clip(id, HANDLE_CHARACTERS))}`;
  const classes = (nodes.attribute(node, 'class') ?? '').split(/\s+/).filter(Boolean).slice(0, 2);
  return clip([nodes.tag(node), ...classes.map((name) => CSS.escape(name))].join('.'), HANDLE_CHARACTERS);
}
