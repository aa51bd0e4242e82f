// Answers `query_dom` (seed 002, feature 3); it must only ever read the page.

import { find } from '../dom/locate.ts';
import { nodes } from '../dom/nodes.ts';
import { treesOf } from '../dom/search.ts';
import { selectorWriter } from '../dom/selectors.ts';
import { clip } from '../dom/text.ts';
import type { Query } from '../frame.ts';
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
export function queryDom(query: Query): DomQueried {
  const { selector, offset = 0 } = query;
  const wish = wishOf(query);
  const trees = treesOf(document);
  const { count, found } = find(trees, selector);
  const writeSelector = selectorWriter(trees);
  const allowance = { left: LIMITS.answer };
  const matches: Match[] = [];
  let place = 0;
  for (const { element, tree } of found) {
    if (place++ < offset) continue;
    matches.push(describeMatch(element, tree, writeSelector(element, tree), wish, allowance));
    if (matches.length === LIMITS.matches || allowance.left <= 0) break;
  }
  return { ...pageName(), matches, matchCount: count, returnedCount: matches.length };
}

export function pageName(): { url: string; title: string } {
  return { url: clip(location.href, LIMITS.url), title: clip(nodes.title(document), LIMITS.text) };
}

function wishOf({ properties = [], include_styles: styled, include_children: parental, max_depth = 3 }: Query): Wish {
  const styles = properties.length ? properties : styled ? LAYOUT_PROPERTIES : null;
  return { styles, depth: parental ? Math.min(max_depth, LIMITS.depth) : 0 };
}
