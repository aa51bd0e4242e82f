// Puts the outlines of frames of another origin into that of their page; a frame that does not answer is stated as such.

import { askPage } from '../tabs/page_queries.ts';
import type { Tab } from '../tabs/tabs.ts';
import { findFrames } from './frame_places.ts';

/** `line`: the line of the frame, after which its own lines go, so `depth`. */
type FramePlace = { place: number[]; src: string; line: number; depth: number };

/** The outline of one frame. `left`: the bytes that its frames of another origin may take. */
type Outline = {
  lines: string[];
  ref: string;
  frames?: FramePlace[];
  left?: number;
  left_out?: number;
  gone?: string[];
};

/** The longest waits: for the places of all frames, and for the outline of each. */
const PLACES_MS = 300;
const FRAME_MS = 500;

/** The deepest frame in a frame that is looked into. */
const DEPTH = 4;

/** What a line of a frame states beside its own lines, in bytes. */
const NOTE_BYTES = 60;
const LEAST_BYTES = 100;

/** What has no outline of its own in the time that there is. */
const SILENT = '… the frame does not answer';

export async function withFrames(
  tab: Tab,
  query: Record<string, unknown>,
  answer: object,
  signal: AbortSignal,
  depth: number = 0,
): Promise<object> {
  const { frames = [], left = 0, ...outline } = answer as Outline;
  if (!frames.length) return outline;
  const numbers = depth < DEPTH ? await findFrames(tab.id, frames, PLACES_MS) : new Map<FramePlace, number>();
  const room = Math.floor(left / frames.length) - NOTE_BYTES;
  const inner = await Promise.all(
    frames.map((frame) => outlineOf(tab, numbers.get(frame), { ...query, budget: room }, signal, depth)),
  );
  const lines = outline.lines.flatMap((line, at) => {
    const here = frames.findIndex((one) => one.line === at);
    return here < 0 ? [line] : notedLines(line, frames[here] as FramePlace, inner[here]);
  });
  const gone = inner.flatMap((one) => one?.gone ?? []);
  const leftOut = inner.reduce((sum, one) => sum + (one?.left_out ?? 0), outline.left_out ?? 0);
  return {
    ...outline,
    lines,
    ...(leftOut && { left_out: leftOut }),
    ...(outline.gone && { gone: [...outline.gone, ...gone] }),
  };
}

/** The outline of a frame; undefined if it does not answer, null if there is no room for it. */
async function outlineOf(
  tab: Tab,
  frame: number | undefined,
  query: Record<string, unknown> & { budget: number },
  signal: AbortSignal,
  depth: number,
): Promise<Outline | null | undefined> {
  if (query.budget < LEAST_BYTES) return null;
  if (frame === undefined) return undefined;
  const { selector: _, ...own } = query;
  const inner = { ...tab, frame };
  const late = new Promise<undefined>((done) => setTimeout(done, FRAME_MS));
  const asked = askPage(inner, 'get_outline', { ...own, inner: true }, signal);
  const answer = await Promise.race([asked.catch(() => undefined), late]);
  signal.throwIfAborted();
  return answer ? ((await withFrames(inner, query, answer, signal, depth + 1)) as Outline) : undefined;
}

/**
 * The mark of its refs stands in its own line: they are others than those of the page. By "(its own " redaction knows that an
 * outline is not of one page alone (redaction/origins.py).
 */
function notedLines(line: string, { depth }: FramePlace, inner: Outline | null | undefined): string[] {
  const indent = ' '.repeat(depth);
  if (inner === undefined) return [line, indent + SILENT];
  if (inner === null) return [`${line} …`];
  return [`${line} (its own ${inner.ref})`, ...inner.lines.map((one) => indent + one)];
}
