// What a person draws on a page for the assistant (seed 004): its types, as they travel from the page to the server.

export type Rectangle = { x: number; y: number; width: number; height: number };

export const KINDS = ['bug', 'suggestion', 'question'] as const;

export type AnnotationKind = (typeof KINDS)[number];

export type AnnotationStatus = 'open' | 'acknowledged' | 'resolved' | 'dismissed';

export const SHAPES = ['rectangle', 'arrow', 'freehand'] as const;

export type Shape = (typeof SHAPES)[number];

/** In CSS pixels. */
export type Point = { x: number; y: number };

/** The most points that a freehand path keeps. */
export const PATH_POINTS = 64;

/**
 * `rect`: around the figure, in CSS pixels of the viewport as it was drawn or last changed; `shape`: absent for a
 * rectangle; `from`, `to`: the ends of an arrow, `to` is its tip; `path`: [x, y] of a freehand line's points;
 * `timestamp`: when it was drawn, in ms since the epoch; `correlation_id`: by which its detail is asked for; `selector`:
 * of the element that was meant, empty if there is none; `look`: how that looked, at the end of the session if it was
 * still there.
 */
export type Annotation = {
  id: string;
  rect: Rectangle;
  shape?: Exclude<Shape, 'rectangle'>;
  from?: Point;
  to?: Point;
  path?: [number, number][];
  text: string;
  kind: AnnotationKind;
  timestamp: number;
  page_url: string;
  element_summary: string;
  selector: string;
  correlation_id: string;
  look?: Look;
};

/**
 * How an element looks: `box` in the viewport; `from`: how far it is from the edge of what is around it, and from both edges
 * of the element before it; `next`: the text of the next element of the same kind; `hidden`: it cannot be
 * seen; `hovered`, `focused`: which may change how it looks.
 */
export type Look = {
  tag: string;
  text: string;
  styles: Record<string, string>;
  box: Rectangle;
  from: { x: number[]; y: number[] };
  next?: string;
  hidden?: true;
  hovered?: true;
  focused?: true;
};

/** What an assistant answers to an annotation, and what its card shows of that; `said`: the annotation's text. */
export type AnnotationAnswer = {
  correlation_id: string;
  status: AnnotationStatus;
  reply: string;
  number: number;
  kind: AnnotationKind;
  said: string;
  selector: string;
  page_url: string;
};

/** A session in a tab. `started_at`: ms since the epoch; `client_id`: of the session of the assistant that began it, null for a person. */
export type DrawSession = {
  id: string;
  tab_id: number;
  page_url: string;
  started_at: number;
  annotations: Annotation[];
  client_id: string | null;
  /** Under which sessions on several pages belong together. */
  name?: string;
};
