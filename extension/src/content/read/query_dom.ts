// Answers `query_dom` (seed 002, feature 3); it must only ever read the page.

import { refuse } from '../dom/faults.ts';
import { nodes } from '../dom/nodes.ts';
import { countOf, inOrder, neededSelector, searchOrRefuse, type Tree, treesOf } from '../dom/search.ts';
import { selectorWriter } from '../dom/selectors.ts';
import { clip } from '../dom/text.ts';
import type { Wish } from './describe_element.ts';
import { describeMatch, LAYOUT_PROPERTIES, LIMITS, type Match } from './describe_element.ts';

interface DomQueried {
  url: string;
  title: string;
  matches: Match[];
  matchCount: number;
  returnedCount: number;
}

/** Describe the first matches of a selector in the page and its open parts. The query has the arguments of the tool. */
export function queryDom(query: Record<string, unknown>): DomQueried {
  const { selector, offset, wish } = understandQuery(query);
  const trees = treesOf(document);
  const found = searchOrRefuse(trees, selector);
  const writeSelector = selectorWriter(trees);
  const allowance = { left: LIMITS.answer };
  const matches: Match[] = [];
  let place = 0;
  for (const { element, tree } of inOrder(found, trees[0] as Tree)) {
    if (place++ < offset) continue;
    matches.push(describeMatch(element, tree, writeSelector(element, tree), wish, allowance));
    if (matches.length === LIMITS.matches || allowance.left <= 0) break;
  }
  return { ...pageName(), matches, matchCount: countOf(found), returnedCount: matches.length };
}

export function pageName(): { url: string; title: string } {
  return { url: clip(location.href, LIMITS.url), title: clip(nodes.title(document), LIMITS.text) };
}

/** Check the arguments, and set those that are absent. */
function understandQuery(query: Record<string, unknown>): { selector: string; offset: number; wish: Wish } {
  const { properties, include_styles: styled, include_children: parental } = query;
  const selector = neededSelector(query);
  const named = properties ?? [];
  if (!Array.isArray(named) || !named.every((name) => typeof name === 'string')) {
    refuse('properties', properties, 'The properties must be a list of names of CSS properties.');
  }
  const depth = wholeNumber(query, 'max_depth', 3);
  const styles = named.length ? named : styled ? LAYOUT_PROPERTIES : null;
  return {
    selector,
    offset: wholeNumber(query, 'offset', 0),
    wish: { styles, depth: parental ? Math.min(depth, LIMITS.depth) : 0 },
  };
}

function wholeNumber(query: Record<string, unknown>, parameter: string, otherwise: number): number {
  const value = query[parameter] ?? otherwise;
  const fits = typeof value === 'number' && Number.isInteger(value) && value >= 0;
  return fits ? value : refuse(parameter, value, `${parameter} must be a whole number, 0 or more.`);
}
