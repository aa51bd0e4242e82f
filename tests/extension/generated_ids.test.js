import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isGenerated } from '../../extension/src/content/dom/generated_ids.ts';

const { generated, authored } = JSON.parse(
  readFileSync(new URL('../wire/generated-ids.json', import.meta.url), 'utf8'),
);

test('ids that a library generates are told from those of an author', () => {
  assert.deepEqual(
    generated.filter((id) => !isGenerated(id)),
    [],
  );
  assert.deepEqual(authored.filter(isGenerated), []);
});
