import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  areaOf,
  commonArea,
  fitOf,
  isCloseAround,
  isLargeEnough,
  isWithin,
  spanned,
} from '../../extension/src/content/draw/rectangles.ts';

const at = (x, y, width, height) => ({ x, y, width, height });

test('a rectangle is the same from whichever corner it is drawn', () => {
  const corners = [
    { x: 30, y: 50 },
    { x: 100, y: 20 },
  ];
  const others = [
    { x: 30, y: 20 },
    { x: 100, y: 50 },
  ];

  for (const [one, other] of [corners, [...corners].reverse(), others, [...others].reverse()])
    assert.deepEqual(spanned(one, other), at(30, 20, 70, 30));
});

test('a rectangle of less than five pixels in one direction was a click', () => {
  const sizes = [
    [5, 5],
    [4.9, 100],
    [100, 4.9],
  ];

  assert.deepEqual(
    sizes.map(([width, height]) => isLargeEnough(at(7, 7, width, height))),
    [true, false, false],
  );
});

test('a rectangle is close around a box within a margin of 12 pixels or 6 percent, and may miss an edge by 3', () => {
  const within = ({ x, y, width, height }, [left, top, right, bottom]) =>
    at(x + left, y + top, width - left - right, height - top - bottom);
  const only = (side, slack) => [0, 1, 2, 3].map((one) => (one === side ? slack : 0));
  const [small, large] = [at(10, 20, 100, 50), at(10, 20, 400, 300)];
  const rows = [
    [small, [12, 12, 12, 12], true],
    [small, [-3, -3, -3, -3], true],
    [large, [24, 18, 24, 18], true],
    ...[0, 1, 2, 3].flatMap((side) => [
      [small, only(side, 13), false],
      [small, only(side, -4), false],
      [large, only(side, side % 2 ? 19 : 25), false],
    ]),
  ];

  for (const [drawn, sides, close] of rows)
    assert.equal(isCloseAround(drawn, within(drawn, sides)), close, JSON.stringify([drawn, sides]));
});

test('a box fits a rectangle by what both have of what either has', () => {
  const drawn = at(10, 20, 40, 30);
  const rows = [
    ['the same', drawn, 1200, 1],
    ['its left half', at(10, 20, 20, 30), 600, 0.5],
    ['what is around it', at(0, 0, 100, 100), 1200, 0.12],
    ['over its lower right corner', at(40, 30, 40, 40), 200, 200 / 2600],
    ['over its upper left corner', at(0, 0, 20, 30), 100, 100 / 1700],
    ['beside it', at(50, 20, 40, 30), 0, 0],
    ['below it', at(10, 50, 40, 30), 0, 0],
    ['apart in both directions', at(200, 200, 10, 10), 0, 0],
    ['nothing', at(10, 20, 0, 0), 0, 0],
  ];

  for (const [name, box, common, fit] of rows) {
    assert.deepEqual([commonArea(box, drawn), commonArea(drawn, box)], [common, common], name);
    assert.ok(Math.abs(fitOf(box, drawn) - fit) < 1e-9, name);
    assert.ok(Math.abs(fitOf(drawn, box) - fit) < 1e-9, name);
  }
  assert.equal(fitOf(at(1, 1, 0, 0), at(1, 1, 0, 0)), 0);
  assert.equal(areaOf(drawn), 1200);
});

test('a point on an edge is within a rectangle', () => {
  const points = [
    [1, 2],
    [4, 6],
    [0.9, 4],
    [4.1, 4],
    [2, 1.9],
    [2, 6.1],
  ];

  assert.deepEqual(
    points.map(([x, y]) => isWithin(at(1, 2, 3, 4), { x, y })),
    [true, true, false, false, false, false],
  );
});
