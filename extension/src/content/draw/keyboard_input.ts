// Draws, selects and changes by keys, and leaves with Escape.

import { toolOf } from './bar.ts';
import type { Editor } from './editor.ts';
import { isArrowKey } from './steering.ts';

/** Listen on the overlay until the signal ends it; `finish` ends the session. */
export function listenToKeys(editor: Editor, finish: () => void, signal: AbortSignal) {
  const { dialog } = editor.overlay;
  dialog.addEventListener('keydown', (event) => keyDown(editor, finish, event), { signal });
  dialog.addEventListener('keyup', () => editor.board.isSteered && (editor.board.drop(), editor.refresh()), { signal });
  // Escape was pressed, and the page's own listener came before ours: it was open before this extension was there
  dialog.addEventListener('cancel', (event) => (event.preventDefault(), escape(editor, finish)), { signal });
}

function keyDown(editor: Editor, finish: () => void, event: KeyboardEvent) {
  const { key, target } = event;
  const { dialog, field, marks } = editor.overlay;
  const tool = toolOf(key);
  if (key === 'Escape') {
    event.preventDefault();
    escape(editor, finish);
  } else if (target === field) {
    if (key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    editor.confirm('enter');
  } else if (event.ctrlKey || event.metaKey) {
    if (key !== 'z') return;
    event.preventDefault();
    editor.undo();
  } else if (tool) editor.choose(tool);
  else if (target === dialog) draw(editor, event);
  else if (marks.contains(target as Node)) change(editor, event);
}

function escape(editor: Editor, finish: () => void) {
  const { state } = editor.board;
  if (state === 'TEXT_INPUT') editor.confirm('escape');
  else if (state === 'SELECTED') editor.leave('escape');
  else if (!editor.forget()) finish();
}

function draw(editor: Editor, event: KeyboardEvent) {
  const { board } = editor;
  if (isArrowKey(event)) board.drawByKey(event, editor.overlay.size);
  else if (event.key !== 'Enter') return;
  else if (board.take()) editor.ask();
  event.preventDefault();
  editor.refresh();
}

/** Change the annotation that is selected. */
function change(editor: Editor, event: KeyboardEvent) {
  if (isArrowKey(event)) editor.board.steer(event);
  else if (event.key === 'Delete' || event.key === 'Backspace') editor.remove();
  else if (event.key === 'Enter') editor.edit();
  else return;
  event.preventDefault();
  editor.refresh();
}
