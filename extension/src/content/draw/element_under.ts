// Finds the element that a rectangle was drawn around, in shadow roots and frames of the same origin too, and describes it.
//
// A person leaves a margin around what they mean, so a box around it often fits the rectangle better than it does itself.
// So of what the rectangle encloses closely, what is worked with comes first (a link, a button, a field), then what is said
// or shown by itself (a heading, a cell, an image); of the rest, and of all if nothing is enclosed, what fits best.

import type { Look, Rectangle } from '../../shared/annotations.ts';
import { accessibleName } from '../dom/accessible_name.ts';
import { dialogsInFront } from '../dom/covers.ts';
import { isSensitive } from '../dom/fields.ts';
import { isOurs, nodes } from '../dom/nodes.ts';
import { type Tree, treesOf } from '../dom/search.ts';
import { selectorWriter } from '../dom/selectors.ts';
import { clip } from '../dom/text.ts';
import { boundsOf, canBeSeen, contains, type Found, viewOf } from '../dom/visibility.ts';
import { textOf } from '../read/describe_element.ts';
import { onTop } from './layers.ts';
import { lookOf } from './looks.ts';
import { fitOf, isAround, isCloseAround } from './rectangles.ts';

/** What is worked with, then what is said or shown by itself. */
export const MEANT = [
  'a[href], button, input, select, textarea, summary, video, audio, [role="button"], [role="link"], [role="checkbox"], [role="switch"], [role="tab"], [role="menuitem"], [role="option"], [contenteditable="true"]',
  'h1, h2, h3, h4, h5, h6, label, li, td, th, p, pre, code, img, svg, canvas, legend, dt, dd, blockquote, figure, [role="img"], [role="heading"]',
];

/** Of what fits equally well, the innermost is meant: a picture, and not the box that is just around it. */
const EQUAL = 0.98;

/** The best ones of which it is looked up whether they can be seen. */
const LOOKED_AT = 60;

const SUMMARY_TEXT = 40;
const CLASSES = 2;

type Candidate = Found & { fit: number; close: boolean };

/** `found`: the element; without it the names are empty. */
export type Meant = { found?: Found; selector: string; summary: string; look?: Look };

/** The element that a rectangle of the viewport means, and never the body; empty names if there is none. */
export function elementUnder(rectangle: Rectangle): Meant {
  const trees = treesOf(document);
  return named(trees, meant(trees, rectangle));
}

/** Name an element for an annotation. */
export function named(trees: Tree[], found: Found | undefined): Meant {
  if (!found) return { selector: '', summary: '' };
  const selector = selectorWriter(trees)(found.element, found.tree);
  return { found, selector, summary: summaryOf(found.element), look: lookOf(found, selector) };
}

function meant(trees: Tree[], rectangle: Rectangle): Found | undefined {
  const isSeen = seenIn(trees);
  const fitting = trees
    .flatMap((tree) => candidatesIn(tree, rectangle))
    .sort((one, other) => other.fit - one.fit)
    .slice(0, LOOKED_AT)
    .filter(isSeen);
  const seen = onTop(fitting, (box) => isAround(box, rectangle));
  const close = seen.filter((found) => found.close);
  const kinds = MEANT.map((css) => close.filter(({ element }) => nodes.matches(element, css)));
  return best(kinds.find((some) => some.length) ?? seen);
}

/** Return what decides whether an element can be seen: not behind a dialog of the page. */
export function seenIn(trees: Tree[]): (found: Found) => boolean {
  const inFront = dialogsInFront(trees);
  const isInFront = ({ element }: Found) => !inFront.length || inFront.some((dialog) => contains(dialog, element));
  return (found) => isInFront(found) && canBeSeen(found);
}

/** The first of those that are ordered by their fit, or the innermost of those that fit as well. */
function best(candidates: Candidate[]): Found | undefined {
  const [first] = candidates;
  if (!first) return undefined;
  return candidates.filter(({ fit }) => fit >= first.fit * EQUAL).reduce(innermost);
}

function candidatesIn(tree: Tree, rectangle: Rectangle): Candidate[] {
  return boxesIn(tree)
    .map(({ box, ...found }) => ({ ...found, fit: fitOf(box, rectangle), close: isCloseAround(rectangle, box) }))
    .filter(({ fit }) => fit > 0);
}

/** The elements of a tree that can be meant, with their boxes in the viewport of the page. */
export function boxesIn(tree: Tree): (Found & { box: Rectangle })[] {
  if (!viewOf(tree).visible) return [];
  return [...tree.elements]
    .filter((element) => !isOurs(element) && !nodes.matches(element, 'html, body, head, head *'))
    .map((element) => ({ element, tree, box: boundsOf({ element, tree }) }));
}

function innermost(one: Candidate, other: Candidate): Candidate {
  return contains(one.element, other.element) ? other : one;
}

/** Describe an element as `tag.class 'text'`, by its name where it has no text; of a field for secrets only tag and classes. */
export function summaryOf(element: Element): string {
  const classes = (nodes.attribute(element, 'class') ?? '').split(/\s+/).filter(Boolean).slice(0, CLASSES);
  const name = [nodes.tag(element), ...classes].join('.');
  const text = isSensitive(element) ? '' : clip(textOf(element).text || accessibleName(element), SUMMARY_TEXT);
  return text ? `${name} '${text}'` : name;
}
