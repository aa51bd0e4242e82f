// The surface that a person draws on: a modal dialog in a closed shadow root, above all of the page; it decides nothing.
//
// A modal dialog stands above the page's own ones, which a z-index does not, and keeps the focus (measured). Its sheet is
// the root's own: no policy of the page governs it, and the page's rules do not reach it.

import { COLOURS } from '../../shared/annotation_painting.ts';
import { type AnnotationKind, KINDS, type Rectangle } from '../../shared/annotations.ts';
import { nodes } from '../dom/nodes.ts';
import { frame } from '../frame.ts';
import { create } from './own_elements.ts';

const CSS_TEXT = `
:host { all: initial !important; position: fixed !important; inset: 0 !important; display: block !important; }
dialog {
  all: initial; display: block; position: fixed; inset: 0; width: 100vw; height: 100vh; overflow: hidden;
  font: 13px/1.4 system-ui, sans-serif; color: #f6f5f4; color-scheme: dark; outline: none; cursor: crosshair;
  direction: ltr;
}
dialog::backdrop { display: none; }
canvas { position: absolute; inset: 0; touch-action: none; }
.bar {
  position: absolute; left: 50%; bottom: 20px; transform: translateX(-50%); display: flex; align-items: center; gap: 6px;
  max-width: calc(100vw - 24px); box-sizing: border-box; padding: 6px; border-radius: 12px; cursor: default;
  background: #1c1b1a; box-shadow: 0 0 0 1px rgb(255 255 255 / 18%), 0 8px 28px rgb(0 0 0 / 45%);
}
.bar.above { bottom: auto; top: 20px; }
.hint { padding: 0 8px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; min-width: 0; }
.rule { width: 1px; height: 20px; background: #45413d; }
button {
  all: unset; box-sizing: border-box; padding: 5px 10px; border-radius: 8px; white-space: nowrap; cursor: pointer;
}
button:hover { background: #33302d; }
button:focus-visible { box-shadow: 0 0 0 2px #ffb385; }
button[aria-pressed="true"] { background: #45413d; }
button[disabled] { color: #8d867f; cursor: default; background: none; }
button.done { background: #ff9a62; color: #17130f; font-weight: 600; }
.dot { display: inline-block; width: 9px; height: 9px; border-radius: 50%; margin-right: 6px; box-shadow: 0 0 0 1px #fff; }
textarea {
  all: initial; position: absolute; box-sizing: border-box; width: 280px; height: 62px; padding: 8px 10px; resize: none;
  font: 14px/1.4 system-ui, sans-serif; color: #1d1b19; background: #ffffff; border-radius: 8px; cursor: text;
  border: 2px solid var(--kind); box-shadow: 0 6px 20px rgb(0 0 0 / 35%); overflow: auto; white-space: pre-wrap;
}
textarea::placeholder { color: #66605a; }
[hidden] { display: none; }
@media (forced-colors: active) { .bar { border: 1px solid CanvasText; } }
`;

const FIELD = { width: 280, height: 62 };
const GAP = 8;

export type Overlay = ReturnType<typeof makeOverlay>;

export function makeOverlay() {
  const host = create('div');
  const root = host.attachShadow({ mode: 'closed' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(CSS_TEXT);
  root.adoptedStyleSheets = [sheet];
  const dialog = create('dialog');
  dialog.setAttribute('aria-label', 'Draw Mode: draw around what you mean');
  dialog.tabIndex = -1;
  const canvas = create('canvas');
  const field = create('textarea');
  field.placeholder = 'What about it? Enter saves';
  field.setAttribute('aria-label', 'What you want to say about it');
  field.maxLength = 2_000;
  field.hidden = true;
  const bar = makeBar();
  dialog.append(canvas, field, bar.element);
  root.append(dialog);

  return {
    canvas,
    dialog,
    field,
    bar,
    show() {
      frame.ownNodes.add(host);
      nodes.rootElement(document).append(host);
      if (dialog.open) dialog.close(); // it was thrown away while it was shown, and is no longer above the page
      dialog.showModal();
      dialog.focus();
    },
    remove() {
      dialog.close();
      host.remove();
      frame.ownNodes.delete(host);
    },
    /** Fit the canvas to the window at the screen's own density. */
    resize() {
      const density = devicePixelRatio || 1;
      canvas.width = Math.round(innerWidth * density);
      canvas.height = Math.round(innerHeight * density);
      canvas.style.width = `${innerWidth}px`;
      canvas.style.height = `${innerHeight}px`;
    },
    /** Give the empty canvas to paint on, and its pixels for each of the page's. */
    clear() {
      const pen = canvas.getContext('2d') as CanvasRenderingContext2D;
      pen.resetTransform();
      pen.clearRect(0, 0, canvas.width, canvas.height);
      return { pen, density: devicePixelRatio || 1 };
    },
    isThere: () => host.isConnected && dialog.open,
    /** Ask for a text beside a rectangle: below it, above it where there is no room, else inside. */
    ask({ x, y, width, height }: Rectangle, kind: AnnotationKind) {
      const below = y + height + GAP;
      const above = y - GAP - FIELD.height;
      const inside = Math.max(GAP, innerHeight - FIELD.height - GAP);
      const top = below + FIELD.height <= innerHeight ? below : above >= 0 ? above : inside;
      field.style.top = `${top}px`;
      field.style.left = `${Math.max(GAP, Math.min(x, innerWidth - FIELD.width - GAP, x + width))}px`;
      field.style.setProperty('--kind', COLOURS[kind]);
      field.value = '';
      field.hidden = false;
      field.focus();
    },
    /** Take the field away, and return what was typed. */
    answer(): string {
      const text = field.value.trim();
      field.hidden = true;
      dialog.focus();
      return text;
    },
  };
}

function makeBar() {
  const element = create('div');
  element.className = 'bar';
  element.setAttribute('role', 'toolbar');
  element.setAttribute('aria-label', 'Draw Mode');
  const hint = create('span');
  hint.className = 'hint';
  hint.setAttribute('role', 'status');
  const rule = create('span');
  rule.className = 'rule';
  const kinds = KINDS.map((kind) => {
    const dot = create('span');
    dot.className = 'dot';
    dot.style.background = COLOURS[kind];
    const one = button(`${kind[0]?.toUpperCase()}${kind.slice(1)}`);
    one.dataset['kind'] = kind;
    one.prepend(dot);
    return one;
  });
  const [undo, done] = [button('Undo'), button('Done')];
  undo.title = 'Ctrl+Z';
  done.title = 'Esc';
  done.className = 'done';
  element.append(hint, rule, ...kinds, rule.cloneNode(), undo, done);
  return {
    element,
    undo,
    done,
    kinds,
    /** Show which kind is drawn next, and how many annotations there are. */
    state(chosen: AnnotationKind, count: number) {
      hint.textContent = count ? `${count} marked` : 'Draw around what you mean';
      undo.disabled = count === 0;
      for (const one of kinds) one.setAttribute('aria-pressed', String(one.dataset['kind'] === chosen));
    },
  };
}

function button(label: string): HTMLButtonElement {
  const one = create('button');
  one.type = 'button';
  one.append(label);
  return one;
}
