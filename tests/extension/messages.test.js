import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  acknowledge,
  alive,
  clear,
  events,
  hello,
  pilot,
  read,
  result,
} from '../../extension/src/background/link/messages.ts';

const WIRE = new URL('../wire/', import.meta.url);
const samples = (direction) => readdirSync(WIRE).filter((name) => name.startsWith(`link-${direction}-`));
const textOf = (name) => readFileSync(new URL(name, WIRE), 'utf8');
const write = {
  hello: (message) => hello(message),
  acknowledge: ({ id }) => acknowledge(id),
  alive: ({ user_scripts }) => alive(user_scripts),
  events: ({ chunks }) => events(chunks),
  clear: ({ id }) => clear(id),
  pilot: ({ enabled, user_scripts, denied_sites, allowed_sites, hide_personal }) =>
    pilot(enabled, user_scripts, {
      sites: { denied: Array(denied_sites).fill(''), allowed: Array(allowed_sites).fill('') },
      hidePersonalData: hide_personal,
    }),
  result: ({ id, result: good, error }) => result(id, error ? { error } : { result: good }),
};

test('there is a sample of every message', () => {
  const types = (direction) => new Set(samples(direction).map((name) => JSON.parse(textOf(name)).type));

  assert.deepEqual(types('down'), new Set(['welcome', 'command', 'acknowledge', 'stored', 'cancel', 'alive']));
  assert.deepEqual(types('up'), new Set(['hello', 'acknowledge', 'result', 'alive', 'events', 'clear', 'pilot']));
});

for (const name of samples('down')) {
  test(`${name} is read as it stands`, () => {
    assert.deepEqual(read(textOf(name)), JSON.parse(textOf(name)));
  });
}

for (const name of samples('up')) {
  test(`${name} is what the extension writes`, () => {
    const sample = JSON.parse(textOf(name));

    assert.deepEqual(write[sample.type](sample), sample);
  });
}

const command = JSON.parse(textOf('link-down-command.json'));
const bad = {
  'text that is not JSON': '{"type":"alive"',
  bytes: new ArrayBuffer(8),
  'a list': '[]',
  'a number': '7',
  null: 'null',
  'no type': '{}',
  'an unknown type': '{"type":"execute"}',
  'a type that every object has': '{"type":"constructor"}',
  'a type that is a list': '{"type":["alive"]}',
  'a command without an id': { ...command, id: undefined },
  'an id in capitals': { ...command, id: 'A'.repeat(32) },
  'an id that is too long': { ...command, id: 'a'.repeat(33) },
  'arguments that are a list': { ...command, arguments: [] },
  'arguments that are null': { ...command, arguments: null },
  'stored without ids': { type: 'stored' },
  'stored with a text for ids': { type: 'stored', ids: 'a'.repeat(32) },
  'stored with an id that is none': { type: 'stored', ids: ['a'.repeat(32), 7] },
  'a client that is a text': { ...command, client: 'x' },
  'a client without a name': { ...command, client: { id: 'x' } },
  'a timeout of zero': { ...command, timeout_ms: 0 },
  'a timeout that is a text': { ...command, timeout_ms: '9800' },
};
for (const [what, data] of Object.entries(bad)) {
  test(`${what} is no message`, () => {
    const sent = typeof data === 'string' || data instanceof ArrayBuffer ? data : JSON.stringify(data);

    assert.equal(read(sent), null);
  });
}

test('a field that a newer server added does no harm', () => {
  assert.equal(read(JSON.stringify({ ...command, trace: 'x' })).id, command.id);
});
