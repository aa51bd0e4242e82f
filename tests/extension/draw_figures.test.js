import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  fieldsOf,
  figureOf,
  follow,
  isOnLine,
  isOnPurpose,
  simplified,
  stretched,
} from '../../extension/src/content/draw/figure_geometry.ts';
import { badgeOf, gripAt, metBy } from '../../extension/src/content/draw/grips.ts';
import { drawnOn, firstFigure, isArrowKey, steered } from '../../extension/src/content/draw/steering.ts';
import { boxOf } from '../../extension/src/shared/figures.ts';

const at = (x, y) => ({ x, y });
const rectangle = (x, y, right, bottom) => ({ shape: 'rectangle', points: [at(x, y), at(right, bottom)] });
const arrow = (...points) => ({ shape: 'arrow', points });
const freehand = (...points) => ({ shape: 'freehand', points });
const box = (x, y, width, height) => ({ x, y, width, height });
const WINDOW = { width: 800, height: 600 };

/** A loop of a hand that is not quite steady. */
const loop = (points) =>
  Array.from({ length: points }, (_, step) => {
    const angle = (step / points) * 2 * Math.PI;
    return at(300 + 200 * Math.cos(angle) + 3 * Math.sin(9 * angle), 300 + 120 * Math.sin(angle));
  });

test('what is drawn is an annotation with its figure, and the figure again', () => {
  const written = [
    [rectangle(30, 40, 10, 20), { rect: box(10, 20, 20, 20) }],
    [arrow(at(10.4, 20), at(60, 0.6)), { rect: box(10, 1, 50, 19), shape: 'arrow', from: at(10, 20), to: at(60, 1) }],
    [
      freehand(at(1, 2), at(3.2, 4), at(5, 0)),
      {
        rect: box(1, 0, 4, 4),
        shape: 'freehand',
        path: [
          [1, 2],
          [3, 4],
          [5, 0],
        ],
      },
    ],
  ];
  for (const [figure, fields] of written) {
    assert.deepEqual(fieldsOf(figure), fields);
    assert.deepEqual(fieldsOf(figureOf(fields)), fields);
  }
});

test('what lacks the points of its shape is its rectangle', () => {
  const rect = box(10, 20, 30, 40);
  const [end, path] = [at(1, 2), [[1, 2]]];
  const rows = [{}, { from: end, to: end }, { path }, { shape: 'arrow', to: end }, { shape: 'arrow', from: end, path }];
  for (const fields of [...rows, { shape: 'freehand' }, { shape: 'freehand', path: [] }])
    assert.deepEqual(figureOf({ rect, ...fields }), rectangle(10, 20, 40, 60), JSON.stringify(fields));
});

test('a rectangle is meant from 5 px both ways, a line from 5 px one way', () => {
  assert.ok(isOnPurpose(rectangle(0, 0, 5, 5)));
  assert.ok(!isOnPurpose(rectangle(0, 0, 4, 50)));
  assert.ok(isOnPurpose(arrow(at(0, 0), at(0, 5))));
  assert.ok(!isOnPurpose(arrow(at(0, 0), at(4, 4))));
});

test('a freehand path keeps at most 64 points, both its ends and its course [draw-023]', () => {
  const wild = Array.from({ length: 5_000 }, (_, step) => at((step * 7919) % 1000, (step * 104729) % 700));
  for (const points of [loop(40), loop(3_000), wild]) {
    const kept = simplified(points);
    assert.ok(kept.length <= 64 && kept.length > 2);
    assert.deepEqual([kept[0], kept.at(-1)], [points[0], points.at(-1)]);
  }
  const round = freehand(...simplified(loop(3_000)));
  for (const point of loop(3_000).slice(0, -1)) assert.ok(isOnLine(round, point, 3), JSON.stringify(point));
  assert.deepEqual(simplified([at(0, 0), at(5, 0), at(10, 0)]), [at(0, 0), at(10, 0)]);
});

test('a handle takes its corner along, the opposite one stays, and 5 px remain [draw-016]', () => {
  const start = rectangle(100, 100, 200, 160);
  const rows = [
    [0, at(80, 90), box(80, 90, 120, 70)],
    [1, at(250, 120), box(100, 120, 150, 40)],
    [2, at(150, 300), box(100, 100, 50, 200)],
    [3, at(90, 110), box(90, 100, 110, 10)],
    [2, at(50, 60), box(50, 60, 50, 40)],
    [2, at(100, 100), box(100, 100, 5, 5)],
    [0, at(200, 160), box(195, 155, 5, 5)],
  ];
  for (const [handle, to, expected] of rows) assert.deepEqual(boxOf(stretched(start, handle, to)), expected);
  assert.deepEqual(stretched(arrow(at(0, 0), at(50, 0)), 1, at(20, 30)).points, [at(0, 0), at(20, 30)]);
  assert.deepEqual(stretched(arrow(at(0, 0), at(50, 0)), 1, at(1, 1)).points, [at(0, 0), at(50, 0)]);
  const half = stretched(freehand(at(0, 0), at(50, 20), at(100, 0)), 2, at(50, 10));
  assert.deepEqual(half.points, [at(0, 0), at(25, 10), at(50, 0)]);
  const flat = stretched(freehand(at(0, 10), at(100, 10)), 2, at(100, 30));
  assert.deepEqual(flat.points, [at(0, 20), at(100, 20)]);
});

test('a frame follows the edges of its element, and what only lies on it its corner [draw-012]', () => {
  const then = box(100, 100, 200, 40);
  const now = box(20, 300, 120, 80);
  assert.deepEqual(boxOf(follow(rectangle(96, 96, 304, 144), then, now)), box(16, 296, 128, 88));
  assert.deepEqual(boxOf(follow(rectangle(110, 110, 130, 120), then, now)), box(30, 310, 20, 10));
  assert.deepEqual(follow(arrow(at(0, 0), at(150, 120)), then, now).points, [at(-80, 200), at(70, 320)]);
  assert.deepEqual(boxOf(follow(rectangle(96, 96, 304, 144), then, box(0, 0, 0, 0))), box(-4, -4, 8, 8));
  const around = rectangle(96, 96, 304, 144);
  assert.deepEqual(boxOf(follow(around, then, box(100, 100, 250, 40))), box(96, 96, 258, 48));
  assert.deepEqual(boxOf(follow(around, then, box(100, 100, 200, 60))), box(96, 96, 208, 68));
  const circled = freehand(at(96, 96), at(304, 144));
  assert.deepEqual(follow(circled, then, now).points, [at(16, 296), at(224, 344)]);
  const backwards = rectangle(304, 144, 96, 96);
  assert.deepEqual(follow(backwards, then, box(110, 100, 200, 40)), rectangle(314, 144, 106, 96)); // moved, and no more
});

test('a press means a handle, the whole, or nothing, and a finger is given more room', () => {
  const figure = rectangle(100, 100, 200, 160);
  const painted = { figure, badge: badgeOf(figure, WINDOW, true), isSelected: true };
  const rows = [
    [at(101, 99), 0],
    [at(208, 160), 2],
    [at(84, 84), 'move'],
    [at(150, 130), 'move'],
    [at(150, 92), undefined],
    [at(216, 163), undefined],
    [at(216, 163), 2, 'touch'],
    [at(211, 160), undefined],
    [at(92, 92), 'move'], // as near to its number as to its handle
    [at(93, 93), 0],
  ];
  for (const [point, expected, pointer = 'mouse'] of rows)
    assert.equal(gripAt(painted, point, pointer), expected, JSON.stringify(point));
  const pair = [figure, rectangle(150, 100, 300, 200), arrow(at(400, 400), at(500, 400))].map((one) => ({
    figure: one,
    badge: badgeOf(one, WINDOW, false),
  }));
  assert.equal(metBy(pair, at(170, 101), 'mouse'), 1);
  assert.equal(metBy(pair, at(120, 101), 'mouse'), 0);
  assert.equal(metBy(pair, at(450, 404), 'pen'), 2);
  assert.equal(metBy(pair, at(220, 150), 'mouse'), undefined);
  const leaning = { figure: arrow(at(400, 400), at(500, 500)), badge: at(390, 390) };
  assert.equal(gripAt(leaning, at(480, 420), 'mouse'), undefined); // within its box, and beside it
  assert.equal(metBy([leaning], at(390, 378), 'mouse'), 0);
  assert.equal(metBy([leaning], at(390, 377), 'mouse'), undefined);
  assert.ok(isOnLine(arrow(at(0, 0), at(10, 0)), at(5, 6), 6));
  assert.ok(!isOnLine(arrow(at(0, 0), at(10, 0)), at(5, 7), 6));
});

test('a number stays in the window as long as its figure is in it', () => {
  assert.deepEqual(badgeOf(rectangle(100, 50, 300, 90), WINDOW, false), at(100, 50));
  assert.deepEqual(badgeOf(rectangle(100, 50, 300, 90), WINDOW, true), at(84, 34));
  assert.deepEqual(badgeOf(rectangle(-20, -5, 30, 90), WINDOW, false), at(13, 13));
  assert.deepEqual(badgeOf(rectangle(100, -400, 300, -300), WINDOW, false), at(100, -400));
  assert.deepEqual(badgeOf(arrow(at(300, 100), at(200, 100)), WINDOW, false), at(311, 100));
  assert.deepEqual(badgeOf(arrow(at(300, 100), at(200, 100)), WINDOW, true), at(327, 100));
  assert.deepEqual(badgeOf(arrow(at(300, 100), at(300, 200)), WINDOW, false), at(300, 89));
  assert.deepEqual(badgeOf(arrow(at(300, 200), at(300, 100)), WINDOW, false), at(300, 211));
  assert.deepEqual(badgeOf(rectangle(795, 50, 900, 90), WINDOW, false), at(787, 50));
  assert.deepEqual(badgeOf(arrow(at(-5, 0), at(0, 0)), WINDOW, false), at(13, 13)); // its tip is in the window
});

test('arrow keys move, with Shift they stretch or draw on, with Alt by single pixels [draw-003]', () => {
  const key = (name, more = {}) => ({ key: `Arrow${name}`, altKey: false, shiftKey: false, ...more });
  const first = firstFigure('rectangle', 800, 600);
  assert.deepEqual(boxOf(first), box(320, 268, 160, 64));
  assert.deepEqual(boxOf(steered(first, key('Left'))), box(304, 268, 160, 64));
  assert.deepEqual(boxOf(steered(first, key('Down', { shiftKey: true }))), box(320, 268, 160, 80));
  assert.deepEqual(boxOf(steered(first, key('Up', { altKey: true }))), box(320, 267, 160, 64));
  const tip = steered(firstFigure('arrow', 800, 600), key('Right', { shiftKey: true }));
  assert.deepEqual(tip.points, [at(360, 260), at(456, 340)]);
  const line = drawnOn(firstFigure('freehand', 800, 600), key('Right', { shiftKey: true }));
  assert.deepEqual(line.points, [at(400, 300), at(416, 300)]);
  assert.deepEqual(drawnOn(line, key('Up')).points, [at(400, 284), at(416, 284)]);
  const drawn = drawnOn(firstFigure('arrow', 800, 600), key('Right', { shiftKey: true }));
  assert.deepEqual(drawn.points, tip.points);
  assert.deepEqual([isArrowKey(key('Up')), isArrowKey({ key: 'a' })], [true, false]);
});
