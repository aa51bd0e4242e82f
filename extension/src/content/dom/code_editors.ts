// Names the code editors that keep a text of their own and draw a part of it, and what of each takes the keys; it must not change them.

import { nodes } from './nodes.ts';

/** What an editor is drawn in, and what of it takes the keys. */
export const EDITORS: Record<string, string> = {
  '.monaco-editor': '.native-edit-context, textarea.inputarea',
  '.cm-editor': '.cm-content',
  '.CodeMirror': '.CodeMirror > div > textarea, .CodeMirror-code[contenteditable]',
  '.ace_editor': 'textarea.ace_text-input',
};

/** Return what is drawn of the editor that an element takes the keys of; undefined for any other element. */
export function editorAround(element: Element): Element | undefined {
  const [css] = Object.entries(EDITORS).find(([, input]) => nodes.matches(element, input)) ?? [];
  return (css && nodes.closest(element, css)) || undefined;
}

const ROOTS = Object.keys(EDITORS).join(', ');

const LINES = '.view-line, .cm-line, .CodeMirror-code .CodeMirror-line, .ace_line';

/** What editors put into an empty line. */
const EMPTY = /[\u200b\ufeff]/g;

/**
 * Return the lines that are drawn of the editor that an element takes the keys of, is, or has its lines in; undefined for
 * any other element. `all`: none lies beyond its edge, so there are no others.
 */
export function drawnText(element: Element): { text: string; all: boolean } | undefined {
  const editor = nodes.closest(element, ROOTS);
  if (!editor || !(editorAround(element) || nodes.first(element, LINES) || nodes.closest(element, LINES)))
    return undefined;
  const lines = [...nodes.within(editor, LINES)];
  if (!lines.length) return undefined;
  const { top, bottom } = nodes.box(editor);
  const placed = lines
    .map((line) => ({ line, box: nodes.box(line) }))
    .toSorted((one, other) => one.box.top - other.box.top);
  const text = placed.map(({ line }) => ((line as HTMLElement).innerText ?? '').replace(/\n$/, '').replace(EMPTY, ''));
  return { text: text.join('\n'), all: placed.every(({ box }) => box.top >= top - 1 && box.bottom <= bottom + 1) };
}
