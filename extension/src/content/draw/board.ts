// What is on the overlay: annotations, what is being drawn, written or changed, and which is selected; it knows no event.

import type { Annotation, AnnotationKind, Point, Rectangle, Shape } from '../../shared/annotations.ts';
import { boxOf, type Figure, type Painted, type Sketch } from '../../shared/figures.ts';
import { type Drawn, DrawnList, drawnOf, figureNow, redrawn, rewritten } from './drawn_list.ts';
import { isOnPurpose, movedBy, simplified, stretched } from './figure_geometry.ts';
import { badgeOf, type Grip, type Size } from './grips.ts';
import { DrawMachine } from './states.ts';
import { drawnOn, firstFigure, type Keys, steered } from './steering.ts';

/** The most points of a freehand line while it is drawn: a minute of a quick hand. */
const LONGEST = 10_000;

type Chosen = { at: number; drawn: Drawn };

/** The annotation that is written about; `isNew`: it is in no list yet. */
type Asked = Chosen & { isNew: boolean };

/** What is moved or stretched. `start`: where the pointer took hold of it; keys have none. */
type Change = { at: number; before: Figure; figure: Figure; grip: Grip; start?: Point };

export class Board {
  #machine = new DrawMachine();
  #list: DrawnList;
  #tool: Shape = 'rectangle';
  #kind: AnnotationKind = 'suggestion';
  #sketch: Figure | undefined;
  #asked: Asked | undefined;
  #selected: number | undefined;
  #change: Change | undefined;

  constructor(kept: Annotation[]) {
    this.#list = new DrawnList(kept);
  }

  get state() {
    return this.#machine.state;
  }

  /** Another one after each change. */
  get all(): readonly Drawn[] {
    return this.#list.all;
  }

  get tool() {
    return this.#tool;
  }

  /** Of what is written or selected, else of what is drawn next. */
  get kind(): AnnotationKind {
    return (this.#asked ?? this.#chosen)?.drawn.annotation.kind ?? this.#kind;
  }

  get selected() {
    return this.#selected;
  }

  get canUndo(): boolean {
    return this.#list.canUndo || this.#asked !== undefined;
  }

  get sketch(): Sketch | undefined {
    return this.#sketch && { figure: this.#sketch, kind: this.#kind };
  }

  /** What is written about: where it is, its text until now, its kind. */
  get asked(): { box: Rectangle; text: string; kind: AnnotationKind } | undefined {
    if (!this.#asked) return undefined;
    const { drawn } = this.#asked;
    return { box: boxOf(figureNow(drawn)), text: drawn.annotation.text, kind: drawn.annotation.kind };
  }

  /** The list, with what is written in its place. */
  get shown(): readonly Annotation[] {
    return this.#shown.map(({ annotation }) => annotation);
  }

  get #shown(): readonly Drawn[] {
    const { all } = this.#list;
    return this.#asked ? all.toSpliced(this.#asked.at, 1, this.#asked.drawn) : all;
  }

  get #chosen(): Chosen | undefined {
    const at = this.#selected;
    const drawn = at === undefined ? undefined : this.#list.all[at];
    return at === undefined || !drawn ? undefined : { at, drawn };
  }

  /** Where each of those is now. */
  paintedIn(size: Size): Painted[] {
    return this.#shown.map((drawn, at) => {
      const figure = this.#change?.at === at ? this.#change.figure : figureNow(drawn);
      return { figure, kind: drawn.annotation.kind, badge: badgeOf(figure, size, at === this.#selected) };
    });
  }

  /** The annotations by now; `writing`: what the field has, which goes with the one that is written. */
  annotations(writing: string): Annotation[] {
    return this.#shown
      .map((drawn) => (drawn === this.#asked?.drawn ? rewritten(drawn, { text: writing }) : drawn).annotation)
      .filter(({ text }) => text);
  }

  activate(): boolean {
    return this.#machine.take('activate');
  }

  /** Begin to leave; nothing may be written, changed or selected. */
  finish(): boolean {
    if (!this.#machine.take('escape')) return false;
    this.#sketch = undefined;
    return true;
  }

  end() {
    this.#machine.take('sent');
  }

  beginAt(point: Point) {
    if (this.state === 'DRAWING') this.#sketch = { shape: this.#tool, points: [point, point] };
  }

  /** Draw on to where the pointer was meanwhile. */
  drawTo(points: Point[]) {
    if (!this.#sketch) return;
    const { shape, points: before } = this.#sketch;
    const drawn = shape === 'freehand' ? [...before, ...points].slice(0, LONGEST) : [before[0], points.at(-1)];
    this.#sketch = { shape, points: drawn as Point[] };
  }

  drawByKey(keys: Keys, { width, height }: Size) {
    if (this.state !== 'DRAWING') return;
    this.#sketch = this.#sketch ? drawnOn(this.#sketch, keys) : firstFigure(this.#tool, width, height);
  }

  /** Have what was drawn written about; what is too small was not meant. */
  take(): boolean {
    const sketch = this.#sketch;
    this.#sketch = undefined;
    if (!sketch || !isOnPurpose(sketch)) return false;
    const points = sketch.shape === 'freehand' ? simplified(sketch.points) : sketch.points;
    const drawn = drawnOf({ ...sketch, points }, this.#kind);
    if (!this.#machine.take('drawn')) return false;
    this.#asked = { drawn, at: this.all.length, isNew: true };
    return true;
  }

  /** Keep what was written; what has no text is no annotation. */
  confirm(by: 'enter' | 'blur' | 'escape', text: string): boolean {
    const asked = this.#asked;
    if (!asked || !this.#machine.take(by)) return false;
    this.#asked = undefined;
    const { drawn, at, isNew } = asked;
    const before = this.all[at]?.annotation;
    if (isNew && text) this.#list.add(rewritten(drawn, { text }));
    else if (!isNew && !text) this.#list.remove(at);
    else if (before && (before.text !== text || before.kind !== drawn.annotation.kind))
      this.#list.replace(at, rewritten(drawn, { text }));
    return true;
  }

  select(at: number) {
    if (at === this.#selected || !this.all[at] || !this.#machine.take('select')) return;
    this.#sketch = undefined;
    this.#selected = at;
  }

  leave(by: 'leave' | 'escape'): boolean {
    if (!this.#machine.take(by)) return false;
    this.#selected = undefined;
    return true;
  }

  edit(): boolean {
    const chosen = this.#chosen;
    if (!chosen || !this.#machine.take('edit')) return false;
    this.#selected = undefined;
    this.#asked = { ...chosen, isNew: false };
    return true;
  }

  grab(grip: Grip, start?: Point): boolean {
    const chosen = this.#chosen;
    if (!chosen || !this.#machine.take('grab')) return false;
    const figure = figureNow(chosen.drawn);
    this.#change = { at: chosen.at, before: figure, figure, grip, ...(start && { start }) };
    return true;
  }

  /** Move or stretch what a pointer has hold of. Return whether it has. */
  pull({ x, y }: Point): boolean {
    if (!this.#change?.start) return false;
    const { before, grip, start } = this.#change;
    const figure =
      grip === 'move' ? movedBy(before, { x: x - start.x, y: y - start.y }) : stretched(before, grip, { x, y });
    this.#change = { ...this.#change, figure };
    return true;
  }

  /** Move or stretch what is selected; it is one change until it is dropped, however long the key is held. */
  steer(keys: Keys) {
    this.grab('move');
    if (this.#change && !this.#change.start)
      this.#change = { ...this.#change, figure: steered(this.#change.figure, keys) };
  }

  get isSteered(): boolean {
    return this.#change !== undefined && !this.#change.start;
  }

  drop(): boolean {
    const change = this.#change;
    const drawn = change && this.all[change.at];
    if (!change || !drawn || !this.#machine.take('drop')) return false;
    this.#change = undefined;
    const [was, is] = [boxOf(change.before), boxOf(change.figure)];
    if (JSON.stringify(was) !== JSON.stringify(is)) this.#list.replace(change.at, redrawn(drawn, change.figure));
    return true;
  }

  /** Leave off what is being drawn or changed. Return whether anything was. */
  forget(): boolean {
    const was = this.#sketch ?? this.#change;
    this.#sketch = this.#change = undefined;
    if (this.state === 'CHANGING') this.#machine.take('escape');
    return was !== undefined;
  }

  remove(): boolean {
    const chosen = this.#chosen;
    if (!chosen || !this.leave('leave')) return false;
    this.#list.remove(chosen.at);
    return true;
  }

  /** Draw the next one of a kind, and have the one that is selected or written be of it. */
  colour(kind: AnnotationKind) {
    this.#kind = kind;
    const chosen = this.#chosen;
    if (this.#asked) this.#asked = { ...this.#asked, drawn: rewritten(this.#asked.drawn, { kind }) };
    else if (chosen && chosen.drawn.annotation.kind !== kind)
      this.#list.replace(chosen.at, rewritten(chosen.drawn, { kind }));
  }

  choose(tool: Shape) {
    this.#tool = tool;
    this.#sketch = undefined;
  }

  undo() {
    if (this.state === 'DRAWING') this.#list.undo();
  }
}
