import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FOLDER_ID } from '../../extension/src/shared/packed_copy.ts';
import { readCode } from '../../extension/src/shared/pairing.ts';

const TOKEN = 'ab'.repeat(32);

test('the id of the installed folder is the one that Chrome derives from the key of the manifest', () => {
  const { key } = JSON.parse(readFileSync('extension/manifest.json', 'utf8'));
  const digest = createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex').slice(0, 32);

  assert.equal(
    FOLDER_ID,
    digest.replace(/./g, (digit) => 'abcdefghijklmnop'[parseInt(digit, 16)]),
  );
});

test('a code is read as it is pasted, with what a terminal puts around it', () => {
  assert.deepEqual(readCode(` gasoline-7890-${TOKEN}\r\n`), { token: TOKEN, port: 7890 });
});

for (const [what, text] of [
  ['nothing', ''],
  ['a token alone', TOKEN],
  ['the command', `gasoline extension pair ${FOLDER_ID}`],
  ['a port of 0', `gasoline-0-${TOKEN}`],
  ['a port that is none', `gasoline-65536-${TOKEN}`],
  ['a part of the line', 'gasoline-7890-ab'],
  ['two lines', `gasoline-7890-${TOKEN}\ngasoline-7890-${TOKEN}`],
  ['a token that is no name of a subprotocol', `gasoline-7890-${TOKEN}/..`],
])
  test(`${what} is no code`, () => {
    assert.equal(readCode(text), null);
  });
