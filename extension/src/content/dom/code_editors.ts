// Names the code editors that keep a text of their own and draw a part of it, and what of each takes the keys.

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
