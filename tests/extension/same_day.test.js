// A day that a page writes in its own way is the one that was entered, and no other is.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isSameDay } from '../../extension/src/content/act/same_day.ts';

const LANGUAGES = ['de', 'no language', 'en'];

const SAME = [
  ['12/24/2026', '2026-12-24'],
  ['24.12.26', '2026-12-24'],
  ['2026-12-24', '12/24/2026'],
  ['Dec 24, 2026', '2026-12-24'],
  ['24. Dezember 2026', '2026-12-24'],
  ['Thursday, December 24th, 2026', '12/24/2026'],
  ['4 Mar 2026', '04/03/2026'],
  ['3/4/2026', '2026-03-04'],
];

const OTHER = [
  ['12/25/2026', '2026-12-24'],
  ['12/24/2025', '2026-12-24'],
  ['Nov 24, 2026', '2026-12-24'],
  ['3 Apr 2026', '2026-03-04'],
  ['24 2026', '2026-12-24'],
  ['', '2026-12-24'],
  ['12/24/2026', '12/24'],
  ['12 24 2026 1', '2026-12-24'],
];

test('a day that is written otherwise is the same day', () => {
  assert.deepEqual(
    SAME.filter(([shown, entered]) => !isSameDay(shown, entered, LANGUAGES)),
    [],
  );
});

test('another day is not', () => {
  assert.deepEqual(
    OTHER.filter(([shown, entered]) => isSameDay(shown, entered, LANGUAGES)),
    [],
  );
});
