import assert from 'node:assert/strict';
import { test } from 'node:test';
import { obstacleFrom, obstacleOf } from '../../extension/src/shared/obstacles.ts';

const closed = {
  'chrome://settings/': 'browser_page',
  'chrome-search://local-ntp/': 'browser_page',
  'edge://version/': 'browser_page',
  'chrome-extension://abc/popup.html': 'extension_page',
  'devtools://devtools/bundled/inspector.html': 'devtools',
  'view-source:http://localhost/': 'view_source',
  'https://chromewebstore.google.com/detail/x': 'web_store',
  'https://chrome.google.com/webstore/category': 'web_store',
  'chrome-error://chromewebdata/': 'error_page',
  'about:blank': 'no_address',
  'data:text/html,x': 'no_address',
};
for (const [url, reason] of Object.entries(closed)) {
  test(`${url} is closed: ${reason}`, () => {
    assert.equal(obstacleOf({ url, discarded: false }).reason, reason);
  });
}

for (const url of [
  'http://localhost:3000/chrome://x',
  'https://chrome.google.com/other',
  'https://chromewebstore.google.com.example.test/',
  'file:///tmp/x.html',
  undefined,
]) {
  test(`${url} is not closed by its address`, () => {
    assert.equal(obstacleOf({ url, discarded: false }), undefined);
  });
}

const url = 'http://localhost/';
const asleep = {
  loading: { url: '' },
  discarded: { discarded: true },
  not_loaded: { discarded: false, status: 'unloaded' },
  frozen: { discarded: false, frozen: true },
};
for (const [reason, fields] of Object.entries(asleep)) {
  test(`a tab that is ${reason.replace('_', ' ')} has no page to ask`, () => {
    assert.equal(obstacleOf({ url, ...fields }).reason, reason);
  });
}

const refusals = [
  ['Frame with ID 0 is showing error page', url, 'error_page'],
  ['Cannot access contents of the page.', 'file:///tmp/x', 'file_access'],
  ['This page cannot be scripted due to an ExtensionsSettings policy.', url, 'blocked'],
];
for (const [refusal, where, reason] of refusals) {
  test(`"${refusal}" means ${reason}`, () => {
    assert.equal(obstacleFrom(refusal, where).reason, reason);
  });
}
