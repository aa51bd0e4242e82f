import assert from 'node:assert/strict';
import { test } from 'node:test';

import { belongs, nameOf, objectionTo, settingOf } from '../../extension/src/background/state/cookie_rules.ts';

const PAGE = new URL('https://shop.example.com:8443/cart?x#y');
const PLAIN = new URL('http://shop.example.com/');
const LOCAL = new URL('http://127.0.0.1:3000/');

/** @param {object} [fields] */
function cookie(fields = {}) {
  return {
    ...{ name: 'session', value: 'v', domain: 'shop.example.com', hostOnly: true, path: '/deep', secure: false },
    ...{ httpOnly: true, sameSite: /** @type {const} */ ('lax'), session: true },
    ...fields,
  };
}

test('a host has its own cookies and those of the domains around it', () => {
  const domains = [
    '.shop.example.com',
    '.example.com',
    'example.com',
    '.admin.example.com',
    '.a.shop.example.com',
    '.ample.com',
  ];

  assert.deepEqual(
    domains.filter((domain) => belongs(cookie({ domain, hostOnly: false }), PAGE)),
    domains.slice(0, 3),
  );
});

test('a cookie of one host alone belongs to no host below it', () => {
  const hosts = ['shop.example.com', 'example.com', 'a.shop.example.com'];

  assert.deepEqual(
    hosts.map((domain) => belongs(cookie({ domain }), PAGE)),
    [true, false, false],
  );
});

test('an address in numbers has only its own cookies', () => {
  const domains = ['127.0.0.1', '1', '0.0.1'];

  assert.deepEqual(
    domains.map((domain) => belongs(cookie({ domain }), LOCAL)),
    [true, false, false],
  );
  assert.equal(belongs(cookie({ domain: '[::1]' }), new URL('http://[::1]:3000/')), true);
});

test('a Secure cookie belongs to https and to this machine', () => {
  const pages = [
    'https://h.test/',
    'http://h.test/',
    'http://localhost:3000/',
    'http://h.localhost/',
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://my.own.localhost/',
    'http://notlocalhost/',
    'http://localhost.evil.test/',
    'http://a.127.evil.test/',
  ];
  const held = pages.filter((page) => belongs(cookie({ secure: true, domain: new URL(page).hostname }), new URL(page)));

  assert.deepEqual(held, [
    'https://h.test/',
    'http://localhost:3000/',
    'http://h.localhost/',
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://my.own.localhost/',
  ]);
});

test("a cookie in a partition belongs to the page only if that is the page's own", () => {
  const keys = [
    {},
    { topLevelSite: 'https://shop.example.com' },
    { topLevelSite: 'https://example.com' },
    { topLevelSite: 'https://example.com', hasCrossSiteAncestor: false },
    { topLevelSite: 'https://example.com', hasCrossSiteAncestor: true },
    { topLevelSite: 'http://example.com' },
    { topLevelSite: 'https://other.com' },
    { topLevelSite: 'https://ample.com' },
  ];

  assert.deepEqual(
    keys.map((partitionKey) => belongs(cookie({ partitionKey }), PAGE)),
    [true, true, true, true, false, false, false, false],
  );
});

test("a cookie is set again as it was: a session stays one, a host's own gets no domain", () => {
  const lasting = {
    domain: '.example.com',
    hostOnly: false,
    session: false,
    expirationDate: 1800000000.5,
    secure: true,
  };
  const partitionKey = { topLevelSite: 'https://example.com' };
  const common = {
    name: 'session',
    value: 'v',
    path: '/deep',
    httpOnly: true,
    sameSite: 'lax',
    storeId: '1',
    url: 'https://shop.example.com/deep',
  };

  assert.deepEqual(settingOf(cookie({ expirationDate: 5 }), PAGE, '1'), { ...common, secure: false });
  assert.deepEqual(settingOf(cookie({ ...lasting, partitionKey }), PAGE, '1'), {
    ...common,
    secure: true,
    domain: '.example.com',
    expirationDate: 1800000000.5,
    partitionKey,
  });
});

test("a cookie is removed at the page's host, that those of the parent domain alone stay", () => {
  const named = nameOf(cookie({ domain: '.example.com', hostOnly: false }), PAGE, '0');

  assert.deepEqual(named, { url: 'https://shop.example.com/deep', name: 'session', storeId: '0' });
});

test('what Chrome would refuse is reported before', () => {
  /** @type {[object, URL, string | undefined][]} */
  const cases = [
    [{}, PLAIN, undefined],
    [{ session: false, expirationDate: 99 }, PAGE, 'expired'],
    [{ session: false, expirationDate: 100 }, PAGE, 'expired'],
    [{ session: false, expirationDate: 101 }, PAGE, undefined],
    [{ secure: true }, PLAIN, 'Secure, on a page of http'],
    [{ secure: true }, LOCAL, undefined],
    [{ name: '__Secure-a' }, PAGE, 'its name demands Secure'],
    [{ name: '__Host-a', secure: true }, PAGE, 'its name demands the path / and no domain'],
    [{ name: '__Host-a', secure: true, path: '/', hostOnly: false }, PAGE, 'its name demands the path / and no domain'],
    [{ name: '__Host-a', secure: true, path: '/' }, PAGE, undefined],
    [{ name: 'my__Secure-a' }, PAGE, undefined],
    [{ name: 'my__Host-a', secure: true }, PAGE, undefined],
    [{ sameSite: 'no_restriction' }, PAGE, 'SameSite=None demands Secure'],
  ];

  assert.deepEqual(
    cases.map(([fields, page]) => objectionTo(cookie(fields), page, 100)),
    cases.map(([, , reason]) => reason),
  );
});
