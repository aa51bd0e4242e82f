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
    storage: { local: { get: async () => ({}) } },
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
const alreadyActive = { result: { status: 'already_active', annotation_count: 1 } };
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

test('what is drawn is kept although the start is not answered any more [draw-007]', async (context) => {
  const cancel = new AbortController();
  const { draw, ends, answers, alarms } = await opened(context);
  answers.draw_start = async () => {
    cancel.abort();
    await draw.drawn({ tab: TAB.id, frame: 0 }, [written('at once')]);
    return started;
  };
  await draw.start(TAB, cancel.signal, 'c1').catch(() => {});
  await draw.end(TAB.id);

  assert.deepEqual(ends().map(texts), [['at once']]);
  assert.ok(alarms.length > 0, 'it is ended when it is forgotten');
});

test('a page that refuses leaves no session, and one that cannot be kept is not begun [draw-007]', async (context) => {
  const { draw, area, events, asked, answers, start } = await opened(context);
  answers.draw_start = async () => ({ error: { code: 'internal_error', message: 'no' } });
  await assert.rejects(start(), /no/);
  await draw.end(TAB.id);
  area.full = true;
  await assert.rejects(start(), /quota/);

  assert.deepEqual([events, asked.length], [[], 1]);
});

test('an overlay without a kept session gets one [draw-007]', async (context) => {
  const { draw, ends, answers, start } = await opened(context);
  answers.draw_start = async () => alreadyActive;
  const { correlation_id, status } = await start();
  const again = await start();
  await draw.end(TAB.id, [written('kept')]);

  assert.equal(status, 'already_active');
  assert.equal(again.correlation_id, correlation_id);
  assert.deepEqual(
    ends().map(({ id }) => id),
    [correlation_id],
  );
});

test('a session that is forgotten ends with what its page has, and without its page with what was kept [draw-008]', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { draw, ends, answers, start } = await opened(context);
  const alarmed = () => draw.alarmed({ name: `draw:${TAB.id}` }, new AbortController().signal);
  const begin = async () => {
    await start();
    await draw.drawn({ tab: TAB.id, frame: 0 }, [written('done')]);
  };
  await begin();
  answers.draw_finish = async () => ({
    result: { active: true, annotations: [written('done'), written('in the field')] },
  });
  const lost = alarmed();
  while (!ends()[0]) {
    await turn();
    context.mock.timers.tick(1_000); // its page never sends its end
  }
  await lost;
  await begin();
  answers.draw_finish = async () => ({ result: { active: false, annotations: [] } });
  await alarmed();
  await begin();
  answers.draw_finish = () => new Promise(() => {}); // it hangs
  const hanging = alarmed();
  while (!ends()[2]) {
    await turn();
    context.mock.timers.tick(1_000);
  }
  await hanging;

  assert.deepEqual(ends().map(texts), [['done', 'in the field'], ['done'], ['done']]);
  assert.ok(ends().every(({ warning }) => warning === 'draw_mode_timeout'));
});

test('a page that a person has forgotten sends its end with its picture, and the session ends with that [draw-008]', async (context) => {
  const { draw, ends, answers, pictures, start } = await opened(context);
  const taken = [];
  pictures.take = async (id) => taken.push([id, ends().length]);
  const { correlation_id } = await start();
  answers.draw_finish = async () => {
    setTimeout(() => draw.finished(TAB.id, [{ ...written('done'), look: 'as it is now' }], []));
    return { result: { active: true, annotations: [written('done')] } };
  };
  await draw.alarmed({ name: `draw:${TAB.id}` }, new AbortController().signal);

  assert.deepEqual(taken, [[correlation_id, 0]]);
  assert.deepEqual(
    ends().map(({ warning, annotations }) => [warning, annotations[0].look]),
    [['draw_mode_timeout', 'as it is now']],
  );
});

test('a session that is being ended is ended once, and a start does not go on with it [draw-007]', async (context) => {
  const { draw, ends, start, events } = await opened(context);
  const first = await start();
  let stored;
  events.push = (event) => {
    events[events.length] = event;
    return event.phase === 'ended' && new Promise((done) => (stored = done));
  };
  const ending = [draw.end(TAB.id, [], 'draw_mode_timeout'), draw.end(TAB.id, [])];
  while (!stored) await turn();
  const second = await start();
  stored();
  await Promise.all(ending);
  const again = await start();

  assert.notEqual(second.correlation_id, first.correlation_id);
  assert.equal(again.correlation_id, second.correlation_id);
  assert.deepEqual(
    ends().map(({ id, warning }) => [id, warning]),
    [[first.correlation_id, 'draw_mode_timeout']],
  );
});

test('the session of another page ends, and is not taken up on this one; an overlay that is still there keeps its own [draw-006]', async (context) => {
  const { draw, ends, asked, answers, start } = await opened(context);
  const other = { ...TAB, url: 'http://localhost:3000/two' };
  const first = await start();
  await draw.drawn({ tab: TAB.id, frame: 0 }, [written('on the first page')]);
  const second = await start(other);
  answers.draw_start = async () => alreadyActive;
  const third = await start({ ...TAB, url: `${other.url}#by-a-script` });
  await draw.end(TAB.id, []);

  assert.deepEqual(
    ends().map((event) => [event.id, event.page_url, event.warning, ...texts(event)]),
    [
      [first.correlation_id, TAB.url, 'page_navigated', 'on the first page'],
      [second.correlation_id, other.url, undefined],
    ],
  );
  assert.deepEqual(asked[1].annotations, []);
  assert.deepEqual(['pending', third.correlation_id], [second.status, second.correlation_id]);
});

test('the session of this page is taken up again with what was drawn [draw-006]', async (context) => {
  const { draw, asked, start } = await opened(context);
  const first = await start();
  await draw.drawn({ tab: TAB.id, frame: 0 }, [written('before the crash')]);
  const again = await start();

  assert.deepEqual([again.correlation_id, asked[1].annotations], [first.correlation_id, [written('before the crash')]]);
});
