// The bar of Draw Mode's overlay: what is drawn with, of which kind, and what is done with it; it decides nothing.

import { COLOURS } from '../../shared/annotation_painting.ts';
import { type AnnotationKind, KINDS, SHAPES, type Shape } from '../../shared/annotations.ts';
import { nodes } from '../dom/nodes.ts';
import { create } from './own_elements.ts';

/** The key and the picture (in 18 by 18) of each. */
const TOOLS: Record<Shape, { key: string; picture: string }> = {
  rectangle: { key: 'r', picture: 'M3.5 4.5h11a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1z' },
  arrow: { key: 'a', picture: 'M3 15 15 3M7.5 3H15v7.5' },
  freehand: { key: 'f', picture: 'M2.5 13C4 7 7 3 8.5 4S5 12.500 7.500 13s3-5 5-4.500-.5 4 3 4' },
};

const UP = 'M9 14V4M5 8l4-4 4 4';
const DOWN = 'M9 4v10M5 10l4 4 4-4';

const SVG = 'http://www.w3.org/2000/svg';

export type Shown = {
  tool: Shape;
  kind: AnnotationKind;
  count: number;
  selected: number | undefined;
  canUndo: boolean;
};

export type Bar = ReturnType<typeof makeBar>;

/** Return the tool that a key stands for. */
export function toolOf(key: string): Shape | undefined {
  return SHAPES.find((shape) => TOOLS[shape].key === key.toLowerCase());
}

export function makeBar() {
  const element = create('div', 'bar');
  element.setAttribute('role', 'toolbar');
  element.setAttribute('aria-label', 'Draw Mode');
  const hint = create('span', 'hint');
  hint.setAttribute('role', 'status');
  const tools = SHAPES.map(toolButton);
  const kinds = KINDS.map(kindButton);
  const move = pictureButton(UP);
  const [remove, undo, done] = [button('Delete'), button('Undo'), button('Done')];
  remove.title = 'Delete the selected one (Del)';
  undo.title = 'Undo (Ctrl+Z)';
  done.title = 'Done (Esc)';
  done.className = 'done';
  element.append(
    hint,
    rule(),
    group('Tool', tools),
    rule(),
    group('Kind', kinds),
    rule(),
    group('Change', [remove, undo, done]),
    move,
  );
  return {
    element,
    remove,
    undo,
    done,
    move,
    kinds,
    tools,
    /** Put the bar to the upper edge or the lower one; its button leads to the other. */
    put(isUp: boolean) {
      element.classList.toggle('above', isUp);
    },
    /** Name where the button leads. */
    leadTo(isUp: boolean) {
      move.setAttribute('aria-label', `Move this bar ${isUp ? 'up' : 'down'}`);
      move.title = move.getAttribute('aria-label') ?? '';
      move.querySelector('path')?.setAttribute('d', isUp ? UP : DOWN);
    },
    show({ tool, kind, count, selected, canUndo }: Shown) {
      hint.textContent = hintFor(tool, count, selected);
      undo.disabled = !canUndo;
      remove.disabled = selected === undefined;
      for (const one of kinds) one.setAttribute('aria-pressed', String(one.dataset['kind'] === kind));
      for (const one of tools) one.setAttribute('aria-pressed', String(one.dataset['tool'] === tool));
    },
  };
}

const HINTS: Record<Shape, string> = {
  rectangle: 'Draw around what you mean',
  arrow: 'Point at what you mean',
  freehand: 'Circle what you mean',
};

function hintFor(tool: Shape, count: number, selected: number | undefined): string {
  if (selected !== undefined) return `${selected + 1} selected: Enter edits`;
  return count ? `${count} marked` : HINTS[tool];
}

function toolButton(shape: Shape): HTMLButtonElement {
  const { key, picture } = TOOLS[shape];
  const one = pictureButton(picture);
  const label = `${shape[0]?.toUpperCase()}${shape.slice(1)}`;
  one.dataset['tool'] = shape;
  one.title = `${label} (${key.toUpperCase()})`;
  one.setAttribute('aria-label', label);
  one.setAttribute('aria-keyshortcuts', key);
  return one;
}

function pictureButton(picture: string): HTMLButtonElement {
  const one = button();
  one.className = 'picture';
  const svg = nodes.create(document, SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 18 18');
  svg.setAttribute('aria-hidden', 'true');
  const path = nodes.create(document, SVG, 'path');
  path.setAttribute('d', picture);
  svg.append(path);
  one.append(svg);
  return one;
}

function kindButton(kind: AnnotationKind): HTMLButtonElement {
  const dot = create('span', 'dot');
  dot.style.background = COLOURS[kind];
  const one = button(`${kind[0]?.toUpperCase()}${kind.slice(1)}`);
  one.dataset['kind'] = kind;
  one.prepend(dot);
  return one;
}

function group(label: string, buttons: HTMLButtonElement[]): HTMLElement {
  const element = create('div', 'group');
  element.setAttribute('role', 'group');
  element.setAttribute('aria-label', label);
  element.append(...buttons);
  return element;
}

const rule = () => create('span', 'rule');

export function button(label = ''): HTMLButtonElement {
  const one = create('button');
  one.type = 'button';
  one.append(label);
  return one;
}
