import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeArea, turn } from './fakes.js';

const TAB = { id: 7, url: 'http://localhost:3000/one', title: '' };

/** A session's worker, and the page that it asks: `page` has an answer to each query. */
async function opened(context, page = {}) {
  const shared = globalThis.chrome; // all tests run in one process
  context.after(() => (globalThis.chrome = shared));
  const asked = [];
  const answers = { draw_start: async () => started, ...page };
  globalThis.chrome = {
    runtime: { getManifest: () => ({}) },
    tabs: {
      get: async () => TAB,
      sendMessage: async (_, { name, arguments: query }) => {
        asked.push({ name, ...query });
        return answers[name](query);
      },
    },
  };
  const { DrawMode } = await import('../../extension/src/background/draw/draw_mode.ts');
  const area = new FakeArea();
  const [events, alarms] = [[], []];
  const pictures = { take: async () => {} };
  const draw = new DrawMode({
    area,
    alarms: { create: (name) => alarms.push(name), clear: () => {} },
    report: (event) => events.push(event),
    picture: (...drawn) => pictures.take(...drawn),
    now: () => 1_000,
  });
  const ends = () => events.filter(({ phase }) => phase === 'ended');
  const start = (tab = TAB) => draw.start(tab, new AbortController().signal, 'c1');
  return { draw, area, events, ends, alarms, asked, pictures, answers, start };
}

const started = { result: { status: 'started', annotation_count: 0 } };
const written = (text) => ({ id: text, text });
const texts = ({ annotations }) => annotations.map(({ text }) => text);

test('the end of a session that was left while its picture was taken is not the end of the next one [draw-006]', async (context) => {
  const { draw, ends, pictures, start } = await opened(context);
  let taken;
  pictures.take = () => new Promise((done) => (taken = done));
  const first = await start();
  const finished = draw.finished(TAB.id, [written('of the first')], []);
  await turn();
  await draw.end(TAB.id, [written('of the first')], 'page_navigated');
  const second = await start();
  taken();
  await finished;
  await draw.end(TAB.id, [written('of the second')]);

  assert.deepEqual(
    ends().map((event) => [event.id, ...texts(event)]),
    [
      [first.correlation_id, 'of the first'],
      [second.correlation_id, 'of the second'],
    ],
  );
});
