// Chooses the lines of an outline, the most relevant first, as long as there is room; it decides nothing about their text.

import { bytesOf, type LineWriter, SHORT_TEXT } from './lines.ts';
import type { Group, Line, Part } from './outline_parts.ts';
import { RankQueue } from './rank_queue.ts';
import type { Walk } from './walk.ts';

/** Less room than this is left as it is. */
const SMALLEST = 16;

/** How many lines that do not fit are tried in all. */
const MISFITS = 12;

/** What a frame of another origin may take of an outline. */
const FRAME_SHARE = 6;

export interface Wish {
  /** In bytes. */
  budget: number;
  /** The most elements that are looked at. */
  most: number;
  /** Whether a group is looked into. */
  enters: (group: Group) => boolean;
  /** Whether a line is wanted. */
  keeps: (line: Line, text: string) => boolean;
  /** How much more relevant a part is than by its place. */
  favour: (part: Part) => number;
}

export type Chosen = { lines: Line[]; left: number; entered: Group[]; read: { line: Line; text: string }[] };

export function chooseLines(root: Group, walk: Walk, writer: LineWriter, wish: Wish): Chosen {
  const chosen: Chosen = { lines: [], left: wish.budget, entered: [], read: [] };
  const queue = new RankQueue<Part>();
  queue.push(root, 0);
  let misfits = 0;
  while (chosen.left > SMALLEST && misfits < MISFITS && walk.looked < wish.most) {
    const part = queue.pop();
    if (!part) break;
    if (part.is === 'line') {
      if (!take(part, writer, wish, chosen)) misfits++;
    } else if (wish.enters(part) && takeHead(part, writer, wish, chosen)) {
      chosen.entered.push(part);
      for (const inner of walk.into(part)) queue.push(inner, inner.rank - wish.favour(inner));
    }
  }
  return chosen;
}

/** What can be worked with is written before what it holds is looked into. */
function takeHead(group: Group, writer: LineWriter, wish: Wish, chosen: Chosen): boolean {
  if (group.head !== 'control') return true;
  const line: Line = { ...group, is: 'line', holder: group.element, pieces: [], sign: '', named: '' };
  const text = writer.head(group);
  chosen.read.push({ line: { ...line, pieces: [{ is: 'control', element: group.element, role: group.role }] }, text });
  if (!wish.keeps(line, text)) return true;
  const cost = bytesOf(text) + costAround(group, writer);
  if (cost > chosen.left) return false;
  pay(group, writer);
  group.text = text;
  chosen.left -= cost;
  return true;
}

/** Whether it was taken, or is not wanted. */
function take(line: Line, writer: LineWriter, wish: Wish, chosen: Chosen): boolean {
  const { text } = writer.line(line, SHORT_TEXT);
  if (text) chosen.read.push({ line, text });
  if (!text || !wish.keeps(line, text)) {
    line.text = '';
    return true;
  }
  const frames = line.pieces.filter(({ is }) => is === 'frame').length;
  const cost = bytesOf(text) + costAround(line, writer) + Math.floor((frames * wish.budget) / FRAME_SHARE);
  if (cost > chosen.left) return false;
  pay(line, writer);
  line.text = text;
  chosen.left -= cost;
  chosen.lines.push(line);
  return true;
}

/** The bytes of its indentation, and of what is written around it first. */
function costAround(part: Part, writer: LineWriter): number {
  let cost = 0;
  for (let at = part.up; at; at = at.up) {
    if (at.head || at.sign) cost += 1;
    if (at.head === 'role' && at.text === undefined) cost += bytesOf(writer.head(at)) + at.sign.length;
  }
  return cost;
}

function pay(part: Part, writer: LineWriter) {
  for (let at = part.up; at; at = at.up) if (at.head === 'role') at.text ??= writer.head(at);
}

/** Lengthen texts that were cut, the most relevant first. Return the bytes that are left. */
export function lengthen(lines: Line[], writer: LineWriter, left: number): number {
  let room = left;
  for (const line of lines) {
    const short = line.text ?? '';
    if (room < SMALLEST || !writer.line(line, SHORT_TEXT).isCut) continue;
    const { text } = writer.line(line, SHORT_TEXT + room);
    const more = bytesOf(text) - bytesOf(short);
    if (more <= 0 || more > room) continue;
    line.text = text;
    room -= more;
  }
  return room;
}
