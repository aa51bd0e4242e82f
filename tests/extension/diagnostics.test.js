import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnosticsText } from '../../extension/src/popup/diagnostics.ts';

const ENTRY = {
  id: 'a',
  ts: 1,
  client: 'c',
  client_id: 'd',
  action: 'click',
  tab: 7,
  origin: 'https://mill.test',
  took_ms: 3,
};
const FACTS = {
  version: '0.1.0',
  agent: 'Mozilla/5.0 Chrome/156.0',
  link: { state: 'connected', port: 7890, name: 'gasoline', version: '0.1.0' },
  values: {
    captureWebSockets: true,
    captureNetworkBodies: false,
    captureAllTabs: true,
    trackedTabId: 7,
    trackedTabUrl: 'https://mill.test/flour',
    sites: { denied: ['bank.mill.test', '*.flour.test'], allowed: [], damaged: false },
  },
  pilot: true,
  counts: { since: 0, captured: { console: 3 }, dropped: {} },
  audit: [
    { ...ENTRY, outcome: 'done' },
    { ...ENTRY, outcome: 'element_not_found' },
  ],
};

test('diagnostics have versions, link, settings, counts and failures [first-run-003]', () => {
  assert.equal(
    diagnosticsText(FACTS),
    [
      'Gasoline 0.1.0',
      'Mozilla/5.0 Chrome/156.0',
      'link: connected port=7890 name=gasoline version=0.1.0',
      'settings: captureWebSockets=true captureNetworkBodies=false captureAllTabs=true deniedSites=2 allowedSites=0 ' +
        'tracked=true pilot=true',
      'captured: console=3',
      'dropped: nothing',
      'calls that failed: click element_not_found',
      '',
    ].join('\n'),
  );
});

test('diagnostics name no page [first-run-003]', () => {
  assert.doesNotMatch(diagnosticsText(FACTS), /mill|flour/);
  assert.match(
    diagnosticsText({ ...FACTS, link: undefined, audit: [] }),
    /link: unknown\n.*\n.*\n.*\ncalls that failed: none/,
  );
});
