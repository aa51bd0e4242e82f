// Finds the element that a rectangle was drawn around, in shadow roots and frames of the same origin too, and describes it.

import type { Rectangle } from '../../shared/annotations.ts';
import { dialogsInFront } from '../dom/covers.ts';
import { isSensitive } from '../dom/fields.ts';
import { isOurs, nodes } from '../dom/nodes.ts';
import { type Tree, treesOf } from '../dom/search.ts';
import { selectorWriter } from '../dom/selectors.ts';
import { clip, oneLine } from '../dom/text.ts';
import { boundsOf, canBeSeen, contains, type Found, viewOf } from '../dom/visibility.ts';
import { fitOf } from './rectangles.ts';

/** Of what fits equally well, the innermost is meant: a button, and not the box that is just around it. */
const EQUAL = 0.98;

/** The best ones of which it is looked up whether they can be seen. */
const LOOKED_AT = 40;

const SUMMARY_TEXT = 40;
const CLASSES = 2;

type Candidate = Found & { fit: number };

export type Meant = { selector: string; summary: string };

/** The element that fits a rectangle of the viewport best, and never the body; empty names if there is none. */
export function elementUnder(rectangle: Rectangle): Meant {
  const trees = treesOf(document);
  const found = fitting(trees, rectangle);
  if (!found) return { selector: '', summary: '' };
  return { selector: selectorWriter(trees)(found.element, found.tree), summary: summaryOf(found.element) };
}

function fitting(trees: Tree[], rectangle: Rectangle): Found | undefined {
  const inFront = dialogsInFront(trees);
  const isInFront = ({ element }: Found) => !inFront.length || inFront.some((dialog) => contains(dialog, element));
  const best = trees
    .flatMap((tree) => candidatesIn(tree, rectangle))
    .sort((one, other) => other.fit - one.fit)
    .slice(0, LOOKED_AT)
    .filter((found) => isInFront(found) && canBeSeen(found));
  const first = best[0];
  if (!first) return undefined;
  return best.filter(({ fit }) => fit >= first.fit * EQUAL).reduce(innermost);
}

function candidatesIn(tree: Tree, rectangle: Rectangle): Candidate[] {
  if (!viewOf(tree).visible) return [];
  return [...tree.elements]
    .filter((element) => !isOurs(element) && !nodes.matches(element, 'html, body, head, head *'))
    .map((element) => ({ element, tree, fit: fitOf(boundsOf({ element, tree }), rectangle) }))
    .filter(({ fit }) => fit > 0);
}

function innermost(one: Candidate, other: Candidate): Candidate {
  return contains(one.element, other.element) ? other : one;
}

/** Describe an element as `tag.class 'text'`; of a field for secrets only tag and classes. */
export function summaryOf(element: Element): string {
  const classes = (nodes.attribute(element, 'class') ?? '').split(/\s+/).filter(Boolean).slice(0, CLASSES);
  const name = [nodes.tag(element), ...classes].join('.');
  const text = isSensitive(element) ? '' : clip(oneLine(nodes.text(element) ?? ''), SUMMARY_TEXT);
  return text ? `${name} '${text}'` : name;
}
