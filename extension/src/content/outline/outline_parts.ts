// The parts of a page as an outline has them: lines, and groups of lines that are looked into one by one; only types.

import type { Tree } from '../dom/search.ts';

/** Of a line. `sign`: what we write ourselves between the pieces of a page. */
export type Piece =
  | { is: 'text'; text: string }
  | { is: 'control'; element: Element; role: string }
  | { is: 'picture'; element: Element; role: string }
  | { is: 'frame'; element: Element }
  | { is: 'sign'; text: string };

/** What is known of the elements around a part. */
export interface Around {
  tree: Tree;
  /** The pointer is a hand there. */
  hand: boolean;
  /** Something around it scrolls or cuts. */
  cut: boolean;
  /** What cuts at its sides, and whether a transform moves what is in it. */
  sides: { left: number; right: number } | null;
  moved: boolean;
  /** Its texts are the name of a field, which has them. */
  mute: boolean;
  /** Its own texts are not shown; other elements in it may be. */
  unseen: boolean;
  /** The name that has been written for an element around it: texts that it holds are not written twice. */
  named: string;
  /** How many elements are around it. */
  depth: number;
  /** How many windows away from what is in view it lies. */
  away: number;
}

interface Common {
  up: Group | null;
  /** The lower the more relevant. */
  rank: number;
  /** As it was chosen, without its indentation. */
  text?: string;
}

/** A heading, a row of a table, a paragraph or a piece of one. */
export interface Line extends Common {
  is: 'line';
  /** The element that it is drawn in. */
  holder: Element;
  pieces: Piece[];
  sign: string;
  named: string;
}

/** `head`: what is written for the group itself: nothing, its role, or that it can be worked with. */
export interface Group extends Common {
  is: 'group';
  element: Element;
  role: string;
  head: '' | 'role' | 'control';
  /** Begins the first line in it: of an item of a list. */
  sign: string;
  /** What it holds, where that is not all that the element holds. */
  nodes?: Node[];
  around: Around;
  /** Once it was looked into. */
  parts?: Part[];
}

export type Part = Line | Group;
