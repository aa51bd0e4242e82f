import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loss, tally } from '../../extension/src/popup/counter_text.ts';
import { nameOf, pageWords } from '../../extension/src/popup/page_text.ts';
import { noCounts } from '../../extension/src/shared/counts.ts';
import { valuesFrom } from '../../extension/src/shared/settings.ts';

const page = { id: 7, title: 'Shop', url: 'http://localhost:3000/', early: true };
const words = (stored, more = {}) => pageWords({ ...page, ...more }, valuesFrom(stored));

test('[003-072] the button shows "Track This Page", and "Stop Tracking" while this page is tracked', () => {
  assert.equal(words({}).button, 'Track This Page');
  assert.equal(words({ trackedTabId: 7 }).button, 'Stop Tracking');
});

test('while another page is tracked, the button offers this one, and the other one is shown', () => {
  const { button, elsewhere, note } = words({ trackedTabId: 8 });

  assert.deepEqual([button, elsewhere, note], ['Track This Page', true, 'Not captured while another page is tracked.']);
});

test('a page that extensions cannot see cannot be tracked, and the reason is shown', () => {
  const { enabled, note } = words({}, { because: 'it is a page of the browser' });

  assert.deepEqual([enabled, note], [false, 'Extensions have no access to this page: it is a page of the browser.']);
});

test('tracking of a tab that went to such a page can be stopped', () => {
  assert.equal(words({ trackedTabId: 7 }, { because: 'it is a page of the browser' }).enabled, true);
});

test('a page that is not captured from its beginning is to be reloaded', () => {
  const { note, reload } = words({}, { early: false });

  assert.deepEqual([note, reload], ['Reload this page to capture its console and network.', true]);
});

for (const stored of [{ trackedTabId: 8 }, { captureAllTabs: false }]) {
  test(`no reload is asked for where it would not help: ${JSON.stringify(stored)}`, () => {
    assert.equal(words(stored, { early: false }).reload, false);
  });
}

test('while it is not known when the page was met, no reload is asked for', () => {
  assert.equal(words({}, { early: undefined }).reload, false);
});

test('a page is named by its title and its host', () => {
  assert.deepEqual(nameOf(page), { title: 'Shop', host: 'localhost:3000' });
  assert.deepEqual(nameOf({ title: '', url: 'http://localhost:3000/x' }), { title: 'localhost:3000', host: '' });
  assert.deepEqual(nameOf({ title: '', url: 'x' }), { title: 'x', host: '' });
  assert.deepEqual(nameOf({}), { title: 'a closed page', host: '' });
});

test('events are added up by what a human calls them', () => {
  const counts = {
    since: 0,
    captured: { console: 1284, network: 3, network_body: 2, vital: 1, timing: 1 },
    dropped: {},
  };

  assert.deepEqual(Object.fromEntries(tally(counts)), {
    Console: '1,284',
    Errors: '0',
    Requests: '5',
    WebSocket: '0',
    Actions: '0',
    Performance: '2',
  });
});

test('a number that is too long for its box is shown in thousands', () => {
  assert.equal(tally({ since: 0, captured: { console: 1_234_567 }, dropped: {} })[0][1], '1,234k');
});

test('what was dropped is shown, and nothing while nothing was', () => {
  assert.equal(loss({ since: 0, captured: {}, dropped: { console: 1200, error: 12 } }), '1,212 dropped');
  assert.equal(loss(noCounts(0)), '');
});

test('the popup states that the page in front is of an excluded site, where nothing can be begun [sites-009]', () => {
  const { note, enabled, drawable } = words({ deniedSites: ['localhost:3000'] });

  assert.deepEqual(
    [note, enabled, drawable],
    ['You keep Gasoline out of localhost:3000: nothing is captured or done here.', false, false],
  );
  assert.equal(words({ deniedSites: ['localhost:3001'] }).drawable, true);
});
