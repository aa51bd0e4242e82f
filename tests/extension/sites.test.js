import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressesOf } from '../../extension/src/background/link/senders.ts';
import {
  allowedPatterns,
  deniedPatterns,
  isExcluded,
  MOST_SITES,
  readSites,
  siteAmong,
  sitesFrom,
} from '../../extension/src/shared/sites.ts';

const denied = (...sites) => sitesFrom({ deniedSites: sites });
const allowed = (...sites) => sitesFrom({ allowedSites: sites });

const FITS = [
  ['bank.example', 'https://bank.example/account?x#y', true],
  ['bank.example', 'http://bank.example:8080/', true],
  ['bank.example', 'https://bank.example./', true],
  ['bank.example', 'https://www.bank.example/', false],
  ['bank.example', 'https://notbank.example/', false],
  ['bank.example', 'https://bank.example.evil.test/', false],
  ['bank.example', 'https://shop.test/?bank.example', false],
  ['bank.example', 'https://bank.example@shop.test/', false],
  ['bank.example', 'blob:https://bank.example/8d1c', true],
  ['bank.example', 'wss://bank.example/live', true],
  ['*.bank.example', 'https://a.b.bank.example/', true],
  ['*.bank.example', 'https://bank.example/', true],
  ['*.bank.example', 'https://notbank.example/', false],
  ['localhost:3000', 'http://localhost:3000/', true],
  ['localhost:3000', 'http://localhost:3001/', false],
  ['bank.example:443', 'https://bank.example/', true],
  ['bank.example:443', 'http://bank.example/', false],
  ['[::1]:3000', 'http://[::1]:3000/', true],
  ['file://', 'file:///home/ann/notes.html', true],
  ['file://', 'https://bank.example/', false],
];
for (const [site, address, is] of FITS) {
  test(`${address} is ${is ? '' : 'not '}of the site ${site} [sites-001]`, () => {
    assert.deepEqual([isExcluded(denied(site), address), isExcluded(allowed(site), address)], [is, !is]);
  });
}

test('a site that is denied is excluded though it is allowed too, and without lists none is [sites-001]', () => {
  const both = sitesFrom({ deniedSites: ['a.bank.example'], allowedSites: ['*.bank.example'] });

  assert.deepEqual(
    ['https://a.bank.example/', 'https://b.bank.example/', 'https://shop.test/'].map((one) => isExcluded(both, one)),
    [true, false, true],
  );
  assert.equal(isExcluded(sitesFrom({}), 'https://bank.example/'), false);
});

for (const stored of ['bank.example', [7], ['bank example'], ['*'], [''], { 0: 'a' }, null]) {
  test(`every site is excluded while ${JSON.stringify(stored)} is stored as a list [sites-004]`, () => {
    for (const key of ['deniedSites', 'allowedSites']) {
      const sites = sitesFrom({ [key]: stored });

      assert.equal(isExcluded(sites, 'https://shop.test/'), true);
      assert.deepEqual(deniedPatterns(sites), ['<all_urls>']);
    }
  });
}

test('what is written is kept as Chrome writes hosts: trimmed, once, without empty lines [sites-005]', () => {
  const { sites, faults } = readSites(' Bank.Example \n\nbank.example.\n*.BÜCHER.example:08080\r\n[::1]:3000\nfile://');

  assert.deepEqual([sites, faults], [['bank.example', '*.xn--bcher-kva.example:8080', '[::1]:3000', 'file://'], []]);
});

const WRONG = [
  ['https://bank.example/login', 'write only its host, "bank.example"'],
  ['bank.example/login', 'write only its host, "bank.example"'],
  ['bank.example, shop.test', 'has a space in it'],
  ['*', 'names no site'],
  ['*.', 'names no site'],
  ['www.*.example', '* may only be at the beginning'],
  ['localhost:', 'a port is 1 to 65535'],
  ['localhost:99999', 'a port is 1 to 65535'],
  ['*.127.0.0.1', 'there is nothing below a number'],
  ['exa<mple', 'is no host'],
  ['ann@bank.example', 'write only its host, "bank.example"'],
];
for (const [line, words] of WRONG) {
  test(`the line ${JSON.stringify(line)} is refused by its number, with what to write instead [sites-005]`, () => {
    const { faults } = readSites(`shop.test\n${line}`);

    assert.deepEqual([faults.length, faults[0]?.line], [1, 2]);
    assert.ok(faults[0].fault.includes(words), faults[0].fault);
  });
}

test('a list has a bound [sites-005]', () => {
  const lines = Array.from({ length: MOST_SITES + 1 }, (_, at) => `a${at}.example`).join('\n');

  assert.match(readSites(lines).faults[0].fault, /at most 500 sites/);
});

test('the patterns for Chrome name the same pages [sites-003]', () => {
  assert.deepEqual(deniedPatterns(denied('bank.example', '*.b.example', '[::1]:3000', 'file://')), [
    '*://bank.example/*',
    '*://*.b.example/*',
    '*://[::1]:3000/*',
    'file:///*',
  ]);
  assert.deepEqual(allowedPatterns(allowed('localhost:3000')), ['*://localhost:3000/*']);
});

test('a frame that has no site of its own is of the one around it [sites-006]', () => {
  const tab = { url: 'https://shop.test/' };
  const of = (sender, above) => siteAmong(addressesOf({ tab, ...sender }, above));

  assert.equal(of({ origin: 'https://bank.example', url: 'about:blank' }), 'https://bank.example');
  assert.equal(of({ origin: 'null', url: 'https://bank.example/sandboxed' }), 'https://bank.example/sandboxed');
  assert.equal(of({ origin: 'null', url: 'about:srcdoc' }, ['null', 'https://bank.example']), 'https://bank.example');
  assert.equal(of({ origin: 'null', url: 'about:srcdoc' }, 'damaged'), 'https://shop.test/');
});
