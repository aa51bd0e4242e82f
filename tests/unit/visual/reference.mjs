// Counts differing pixels by pixelmatch itself: for each pair of raw pictures (stdin, a JSON list), the places that differ.

import { readFileSync } from 'node:fs';
import pixelmatch from 'pixelmatch';

const pairs = JSON.parse(readFileSync(0, 'utf8'));
const counted = pairs.map(({ old, now, width, height, threshold }) => {
  const mask = new Uint8Array(width * height * 4);
  const [one, other] = [old, now].map((path) => new Uint8Array(readFileSync(path)));
  pixelmatch(one, other, mask, width, height, { threshold, diffMask: true });
  return Array.from({ length: width * height }, (_, n) => n).filter((n) => mask[n * 4 + 3]);
});
process.stdout.write(JSON.stringify(counted));
