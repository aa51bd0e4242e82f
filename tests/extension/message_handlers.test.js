import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frame } from '../../extension/src/content/frame.ts';
import { answerTo } from '../../extension/src/content/message_handlers.ts';

test('a bundle that has not started is asked for, though another of the same frame has', (t) => {
  globalThis.Document = class {
    get contentType() {
      return 'text/html';
    }
  };
  globalThis.document = new Document();
  frame.started.add('commands');
  t.after(() => {
    frame.started.delete('commands');
    delete globalThis.document;
    delete globalThis.Document;
  });
  const ask = (name) => answerTo({ name, arguments: {} });

  assert.deepEqual(ask('page_load'), { missing: true });
  assert.match(ask('none_such').error.message, /have no "none_such"/);
  frame.started.add('vitals');
  t.after(() => frame.started.delete('vitals'));
  assert.match(ask('page_load').error.message, /have no "page_load"/);
});
