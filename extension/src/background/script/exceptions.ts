// Describes what a script threw: its message, and its stack in the script's own lines.
//
// The stack is the inspector's list of calls, not the error's `stack`, which the page may write.

import type { Remote } from './values.ts';

type Call = { functionName: string; url: string; lineNumber: number; columnNumber: number };

export type Details = {
  exception?: Remote;
  stackTrace?: { callFrames: Call[] };
  lineNumber: number;
  columnNumber: number;
};

/** The name of a script in its stack. */
export const SCRIPT = 'script';

const MESSAGE_CHARACTERS = 2000;

/** V8 itself keeps ten (https://v8.dev/docs/stack-trace-api); the inspector many more. */
const CALLS = 20;

/** Describe a thrown value that is no error; `described` is the value as JSON. */
export function wordsFor(thrown: Remote, described: unknown): string {
  if (thrown.type === 'string') return short(String(thrown.value));
  const value =
    thrown.type === 'undefined' ? 'undefined' : typeof described === 'string' ? described : JSON.stringify(described);
  return `${short(value)} was thrown`;
}

/** Write the calls that led to an exception, without our own. `before`: the text before the script in its first line. */
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

/** Convert a place in a wrapped script to one in the script itself, from 0. */
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
