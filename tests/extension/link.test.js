import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { test } from 'node:test';
import { Link, OPENING_MS, SILENCE_MS, TAKEN, TAKEN_MS } from '../../extension/src/background/link/link.ts';
import { Question } from '../../extension/src/background/link/proof.ts';
import { FakeClock, FakeServer, idOf, NONCE, turn, WELCOME } from './fakes.js';

const SELF = { version: '0.1.0', browser: 'Chrome/156.0.0.0', worker: 'w' };

/** A link to a fake server, and everything that it told its owner. */
function linked() {
  const clock = new FakeClock();
  const server = new FakeServer();
  const heard = [];
  const states = [];
  const owner = {
    place: { token: 'secret', port: 7890 },
    openings: 0,
    install: async () => owner.place,
    self: SELF,
    opened: () => owner.openings++,
    receive: (message) => heard.push(message),
    changed: ({ state }) => states.push(state),
    waited: 0,
    waits: () => owner.waited++,
  };
  const link = new Link(server.world(clock), owner);
  return { link, clock, server, owner, heard, states };
}

async function connected() {
  const all = linked();
  await all.link.ensure();
  all.server.welcome();
  return all;
}

test('the socket carries the protocol and a proof, never the token, and hello answers the welcome', async () => {
  const { server, owner } = await connected();

  assert.equal(server.socket.url, 'ws://127.0.0.1:7890/link');
  const shown = `${server.client}.${NONCE}.${server.prove('client', server.client, NONCE)}`;
  assert.deepEqual(server.socket.protocols, ['gasoline.v1', `proof.${shown}`]);
  assert.equal(server.asked, `http://127.0.0.1:7890/proof?nonce=${server.client}`);
  assert.deepEqual(server.socket.sent, [{ type: 'hello', ...SELF }]);
  assert.equal(owner.openings, 1);
});

test('what took the port after the proof gets nothing, and no command of it is followed', async () => {
  for (const first of [
    WELCOME,
    { ...WELCOME, proof: 'ab'.repeat(32) },
    { type: 'command', id: idOf(1), name: 'list_tabs', arguments: {}, timeout_ms: 9 },
    'noise',
  ]) {
    const { link, server, heard, owner } = linked();
    await link.ensure();
    const { socket } = server;
    socket.open();
    link.send('{}');
    socket.say(first);
    socket.say({ type: 'cancel', id: idOf(1) });

    assert.deepEqual([socket.sent, heard, owner.openings], [[], [], 0]);
    assert.equal(socket.readyState, 2);
    assert.deepEqual(link.state, { state: 'refused', port: 7890 });
  }
});

test('the proof of another role, token or nonce opens no socket', async () => {
  const client = 'ab'.repeat(32);
  const proofs = [
    (server) => ({ nonce: NONCE, proof: server.prove('client', server.client, NONCE) }),
    (server) => ({ nonce: NONCE, proof: server.prove('server', client, NONCE) }),
    (server) => ({ nonce: 'x', proof: server.prove('server', server.client, 'x') }),
    () => ({ nonce: NONCE, proof: '' }),
    () => ({ nonce: NONCE }),
    () => null,
    () => [],
  ];
  for (const proof of proofs) {
    const { link, server } = linked();
    server.proof = () => proof(server);

    await link.ensure();

    assert.deepEqual(link.state, { state: 'refused', port: 7890 });
    assert.equal(server.sockets.length, 0);
  }
});

test('a token of another installation opens no socket', async () => {
  const { link, server } = linked();
  server.token = 'another';

  await link.ensure();

  assert.deepEqual(link.state, { state: 'refused', port: 7890 });
  assert.equal(server.sockets.length, 0);
});

test('an answer that is no JSON, or endless, is of a stranger', async () => {
  for (const answer of ['<html>', 'x'.repeat(1_000)]) {
    const { link, server } = linked();
    server.answer = answer;

    await link.ensure();

    assert.deepEqual(link.state, { state: 'stranger', port: 7890 });
  }
});

test("Web Crypto makes the proofs that the bridge's tests have", async () => {
  const question = new Question(webcrypto, 'secret', 7890);
  const server = new FakeServer();
  const answer = { nonce: NONCE, proof: server.prove('server', question.nonce, NONCE) };

  assert.deepEqual(await question.answered(answer), {
    shown: `${question.nonce}.${NONCE}.${server.prove('client', question.nonce, NONCE)}`,
    welcome: server.prove('welcome', question.nonce, NONCE),
  });
  assert.equal(
    server.prove('server', 'a'.repeat(64), 'b'.repeat(64)),
    'd0d0f4daafbfbaf7a9475f401e4c83004a8fdec8adbf63041f35ccd2fbe5eea0',
  );
});

test('the link is connected once it is welcome, and knows to what', async () => {
  const { link } = await connected();

  assert.deepEqual(link.state, { state: 'connected', port: 7890, name: 'gasoline', version: '0.2.0' });
});

test('every event that wakes the worker may ask for the link, and there is one socket', async () => {
  const { link, server } = linked();

  await Promise.all([link.ensure(), link.ensure(), link.ensure()]);
  await link.ensure();
  server.socket.open();
  await link.ensure();

  assert.equal(server.sockets.length, 1);
  assert.equal(server.probes, 1);
});

test('while nothing answers the probe, no socket is tried', async () => {
  const { link, clock, server, states } = linked();
  server.up = false;

  await link.ensure();
  await clock.pass(10_000);

  assert.equal(server.sockets.length, 0);
  assert.deepEqual(states, ['away']);
});

test('a server that returns is met within a second, however long it was away', async () => {
  const { link, clock, server } = linked();
  server.up = false;
  await link.ensure();
  await clock.pass(60_000);

  server.up = true;
  await clock.pass(750);

  assert.equal(server.sockets.length, 1);
});

test('the first attempt after a lost connection is immediate', async () => {
  const { server, clock, states } = await connected();

  server.socket.end();
  await clock.pass(0);

  assert.equal(server.sockets.length, 2);
  assert.deepEqual(states, ['connected', 'away']);
});

test('a bridge that another browser has is asked each second, and is ours soon after that one ends [faults-021]', async () => {
  const { link, server, owner, clock, states } = linked();
  await link.ensure();
  for (let second = 0; second < 5; second++) {
    server.socket.open();
    server.socket.end(TAKEN);
    await clock.pass(TAKEN_MS);
  }

  assert.equal(server.sockets.length, 6);
  assert.equal(owner.waited, 5);
  assert.deepEqual(states, ['taken']);
  server.welcome();
  assert.deepEqual(states, ['taken', 'connected']);
});

test('a server that hangs up at each greeting is not stormed', async () => {
  const { link, server, clock } = linked();
  await link.ensure();

  for (let second = 0; second < 10; second++) {
    server.socket.open();
    server.socket.end();
    await clock.pass(1000);
  }

  assert.ok(server.sockets.length <= 20, `${server.sockets.length} sockets`);
});

test('a connection that sends nothing for 45 s is dead', async () => {
  const { server, clock } = await connected();

  await clock.pass(SILENCE_MS - 1);
  const before = server.sockets.length;
  await clock.pass(1);

  assert.equal(before, 1);
  assert.equal(server.sockets[0].readyState, 2);
  assert.equal(server.sockets.length, 2);
});

test('anything at all keeps a connection alive, be it no message', async () => {
  const { server, clock } = await connected();

  for (const word of [{ type: 'alive' }, 'noise', { type: 'alive' }]) {
    await clock.pass(SILENCE_MS - 1000);
    server.socket.say(word);
  }

  assert.equal(server.sockets.length, 1);
});

test('a server that takes the socket and sends nothing is abandoned soon', async () => {
  const { link, server, clock } = linked();
  await link.ensure();
  server.socket.open();

  await clock.pass(OPENING_MS);

  assert.equal(server.sockets.length, 2);
});

test('what an abandoned socket still sends is not read', async () => {
  const { server, clock, heard } = await connected();
  const dead = server.socket;
  await clock.pass(SILENCE_MS);

  dead.say({ type: 'alive' });
  dead.end();
  await clock.pass(0);

  assert.deepEqual(heard, []);
  assert.equal(server.sockets.length, 2);
});

test('what is no message is counted, and the next message is read', async () => {
  const { link, server, heard } = await connected();

  for (const noise of ['{', '{"type":"nonsense"}', '[]']) server.socket.say(noise);
  server.socket.say({ type: 'cancel', id: idOf(1) });

  assert.equal(link.ignored, 3);
  assert.deepEqual(heard, [{ type: 'cancel', id: idOf(1) }]);
});

test('a folder that was not installed is reported, and nothing is tried until the next event', async () => {
  const { link, clock, server, owner } = linked();
  owner.place = null;
  await link.ensure();
  await clock.pass(60_000);
  const { state } = link.state;
  owner.place = { token: 'secret', port: 7890 };

  await link.ensure();

  assert.equal(state, 'not_installed');
  assert.equal(server.sockets.length, 1);
});

test('a packed copy without a code names the id to pair it by, also where what answers has another token', async () => {
  const { link, server, owner } = linked();
  owner.packedId = 'p'.repeat(32);
  const place = owner.place;
  owner.place = null;
  await link.ensure();
  const without = link.state;
  owner.place = { ...place, token: 'another' };
  await link.ensure();

  assert.deepEqual(without, { state: 'not_paired', id: owner.packedId });
  assert.deepEqual(link.state, { state: 'refused', port: 7890, id: owner.packedId });
  assert.equal(server.sockets.length, 0);
});

test('a packed copy whose socket is refused by a server with its token is not paired there', async () => {
  const { link, server, owner, clock } = linked();
  owner.packedId = 'p'.repeat(32);
  await link.ensure();
  server.socket.end();
  const refused = link.state;
  await clock.pass(60_000);
  await link.ensure();
  server.welcome();
  const { state } = link.state;
  server.socket.end();

  assert.deepEqual(refused, { state: 'not_paired', id: owner.packedId });
  assert.equal(state, 'connected');
  assert.deepEqual(link.state, { state: 'away', port: 7890 });
});

for (const [status, state] of [
  [400, 'stranger'],
  [401, 'stranger'],
  [404, 'stranger'],
  [0, 'stranger'], // a redirect, which is not followed
  [503, 'away'],
]) {
  test(`a probe answered with ${status} means ${state}`, async () => {
    const { link, server } = linked();
    server.status = status;

    await link.ensure();

    assert.deepEqual(link.state, { state, port: 7890 });
    assert.equal(server.sockets.length, 0);
  });
}

test('a renewed token is used without a reload', async () => {
  const { link, clock, server, owner } = linked();
  server.token = 'renewed';
  await link.ensure();
  const { state } = link.state;

  owner.place = { token: 'renewed', port: 7890 };
  await clock.pass(750);
  server.welcome();

  assert.equal(state, 'refused');
  assert.equal(link.state.state, 'connected');
});

test('what is sent without a connection goes nowhere and throws nothing', async () => {
  const { link, server } = linked();
  link.send('{}');
  await link.ensure();
  link.send('{}');
  server.welcome();
  await turn();

  assert.deepEqual(server.socket.sent, [{ type: 'hello', ...SELF }]);
});
