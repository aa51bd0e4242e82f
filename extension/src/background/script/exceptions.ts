// Says what a script threw: its words and its stack, in the script's own lines; it must ask the page nothing.
//
// The stack is the inspector's list of calls, not the text in the error's `stack`, which the page may write.

import type { Remote } from './values.ts';

export type Call = { functionName: string; url: string; lineNumber: number; columnNumber: number };

export type Details = {
  exception?: Remote;
  stackTrace?: { callFrames: Call[] };
  lineNumber: number;
  columnNumber: number;
};

/** What a script is called in its stack. */
export const SCRIPT = 'script';

/** The longest message of an error. */
const MESSAGE_CHARACTERS = 2000;

/** V8 itself keeps ten (https://v8.dev/docs/stack-trace-api); the inspector many more. */
const CALLS = 20;

/**
 * Say what was thrown that is no error.
 * @param described what it is as JSON
 */
export function wordsFor(thrown: Remote, described: unknown): string {
  if (thrown.type === 'string') return short(String(thrown.value));
  const value =
    thrown.type === 'undefined' ? 'undefined' : typeof described === 'string' ? described : JSON.stringify(described);
  return `${short(value)} was thrown`;
}

/**
 * Write down the calls that led to an exception. Our own are left out, the page's stay.
 * @param source the name of the script, itself, and what stood before it
 */
export function stackOf(
  calls: Call[],
  { name, script, before }: { name: string; script: string; before: string },
): string {
  const lines = script.split('\n').length;
  const own = calls.flatMap((call) => {
    if (call.url !== name) return [call];
    const { line, column } = placeIn(before, call);
    return column < 0 || line >= lines ? [] : [{ ...call, url: SCRIPT, lineNumber: line, columnNumber: column }];
  });
  return own.slice(0, CALLS).map(written).join('\n').toWellFormed();
}

/**
 * Put right a place in a wrapped script. Counts from 0.
 * @param before what stood before the script, in its first line
 */
export function placeIn(before: string, { lineNumber, columnNumber }: { lineNumber: number; columnNumber: number }) {
  return { line: lineNumber, column: lineNumber === 0 ? columnNumber - before.length : columnNumber };
}

function written({ functionName, url, lineNumber, columnNumber }: Call) {
  const place = `${(url || '<anonymous>').slice(0, 300)}:${lineNumber + 1}:${columnNumber + 1}`;
  return functionName ? `    at ${functionName.slice(0, 100)} (${place})` : `    at ${place}`;
}

function short(text: string) {
  const cut = text.length > MESSAGE_CHARACTERS ? `${text.slice(0, MESSAGE_CHARACTERS)}…` : text;
  return cut.toWellFormed();
}
