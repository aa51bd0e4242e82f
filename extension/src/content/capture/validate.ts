// Validates messages from the page world and the worker to the relay; it trusts neither.

import { type Capture, type CapturedEvent, isPageWorldKind } from '../../shared/events.ts';

/** Characters of one string of a page that are kept (SPEC, Limits: 64 KB). */
export const STRING = 64 * 1024;

/** Objects and arrays within each other in one event; the bridge takes as many (intake.py). */
const LEVELS = 50;

/** The most events that a page's world can have dropped between two that passed, if it is ours. */
const LOST = 10_000_000;

/** Read a message of the page's world. Return undefined if it is no event. */
export function readEvent(text: unknown): CapturedEvent | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const event = JSON.parse(text);
    if (!isPageWorldKind(event?.type) || (event.type === 'dropped' && !isLoss(event))) return undefined;
    if (isDeeper(event, LEVELS)) return undefined; // a message that is too deep is not read, nor what is beside it
    return text.length > STRING || text.includes('\\ud') ? bounded(event) : event;
  } catch {
    return undefined;
  }
}

/** Whether more than so many objects and arrays are within each other. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}

function isLoss({ of, count }: any) {
  return isPageWorldKind(of) && Number.isInteger(count) && count > 0 && count <= LOST;
}

/**
 * Cut every string, and make it well-formed Unicode: a lone half of a surrogate pair is an error to most readers of
 * JSON.
 */
export function bounded(value: any): any {
  if (typeof value === 'string') return value.slice(0, STRING).toWellFormed();
  if (Array.isArray(value)) return value.map(bounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [bounded(name), bounded(part)]));
}

export function isCapture(message: unknown): message is Capture {
  const names = ['on', 'websockets', 'bodies'];
  return (
    typeof message === 'object' &&
    message !== null &&
    names.every((name) => typeof Reflect.get(message, name) === 'boolean')
  );
}
