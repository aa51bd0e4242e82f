import assert from 'node:assert/strict';
import { test } from 'node:test';

const { flagsOf, flagsOfStored } = await import('../../extension/src/background/analyze/set_cookies.ts');

const NOW = Date.parse('2026-01-01');
const BARE = { secure: false, http_only: false, same_site: '', path: '/shop', has_domain: false };

test('a Set-Cookie is read for its name and flags, and its value goes nowhere [findings-015]', () => {
  const whole = flagsOf(
    'sid=s3cr3t=; Domain=.a.test; path=/x; Secure; HttpOnly; SameSite=Strict; Expires=Wed, 21 Oct 2099 07:28:00 GMT',
    '/shop/cart',
    NOW,
  );

  const flags = { secure: true, http_only: true, same_site: 'strict', path: '/x', has_domain: true };
  assert.deepEqual({ called: 'sid', ...flags }, whole);
  assert.deepEqual({ ...BARE, called: 'a' }, flagsOf(' a =1', '/shop/cart', NOW));
  assert.deepEqual({ ...BARE, called: 'a' }, flagsOf('a=1; SameSite=odd; Path=relative', '/shop/cart', NOW));
  assert.equal('/', flagsOf('a=1', '/cart', NOW).path);
});

test('what sets no cookie is none: without a name, or to remove one', () => {
  const none = ['=1', 'only', '', 'a=; Max-Age=0', 'a=1; Max-Age=-5', 'a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT'];

  assert.deepEqual(
    none.map(() => undefined),
    none.map((header) => flagsOf(header, '/', NOW)),
  );
  assert.equal('a', flagsOf('a=1; Max-Age=9; Expires=Thu, 01 Jan 1970 00:00:00 GMT', '/', NOW).called);
});

test('a stored cookie has the same flags', () => {
  const cookie = { name: 'sid', value: 's3cr3t', secure: true, httpOnly: true, path: '/', hostOnly: true };
  const flags = { called: 'sid', secure: true, http_only: true, path: '/', has_domain: false };

  const seen = ['no_restriction', 'lax', 'strict', 'unspecified'].map((sameSite) =>
    flagsOfStored({ ...cookie, sameSite }),
  );
  assert.deepEqual(
    ['none', 'lax', 'strict', ''].map((same_site) => ({ ...flags, same_site })),
    seen,
  );
});
