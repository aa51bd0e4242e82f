import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const BUILT = new URL('../../extension/dist/', import.meta.url);
const SOURCES = new URL('../../extension/src/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('manifest.json', BUILT), 'utf8'));
const scripts = manifest.content_scripts.flatMap(({ js }) => js);

/** Registered or injected by early_settings.ts, page_queries.ts and page_calls.ts, when they are needed. */
const ON_DEMAND = [
  'content/analyze.js',
  'content/commands.js',
  'content/draw.js',
  'content/early_bodies.js',
  'content/early_dialogs.js',
  'content/early_excluded.js',
  'content/early_no_websockets.js',
  'content/injected_late.js',
  'content/place.js',
  'content/pictures.js',
];

test('every file that the manifest names is there', () => {
  const pages = [manifest.action.default_popup, manifest.options_ui.page];
  const named = [...scripts, ...pages, manifest.background.service_worker, ...Object.values(manifest.icons)];
  const needed = [...named, ...ON_DEMAND, 'vendor/axe.min.js'];

  assert.deepEqual(
    needed.filter((name) => !existsSync(new URL(name, BUILT))),
    [],
  );
});

test('every script for pages is listed, or known to be injected when it is needed', () => {
  const files = ['content', 'page'].flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, BUILT)).map((name) => `${folder}/${name}`),
  );

  assert.deepEqual([...scripts, ...ON_DEMAND].sort(), files.sort());
});

test('at most four files are injected into a top frame, and two into a frame of it [structure-002]', () => {
  const everywhere = manifest.content_scripts.filter(({ all_frames }) => all_frames).flatMap(({ js }) => js);

  assert.ok(scripts.length <= 4, `${scripts}`);
  assert.ok(everywhere.length <= 2, `${everywhere}`);
});

test("this world listens before the page's world speaks", () => {
  const [first, second] = manifest.content_scripts;

  assert.deepEqual(
    [first.world, first.js, second.world, second.js],
    [undefined, ['content/capture.js'], 'MAIN', ['page/capture.js']],
  );
});

test('the extension may speak to this machine and to nothing else [004-180, 004-182]', () => {
  const policy = manifest.content_security_policy.extension_pages;

  assert.match(policy, /connect-src 'self' http:\/\/127\.0\.0\.1:\* ws:\/\/127\.0\.0\.1:\*$/);
  assert.match(policy, /^default-src 'none';/);
});

test('no permission is asked for without a use [000-058, 000-163, 002-150]', () => {
  assert.deepEqual(manifest.permissions, [
    'alarms',
    'cookies',
    'debugger',
    'downloads',
    'scripting',
    'storage',
    'tabs',
    'userScripts',
    'webRequest',
  ]);
});

const modules = readdirSync(SOURCES, { recursive: true }).filter((name) => name.endsWith('.ts'));

test('every module states in its first line what it is [structure-018]', () => {
  const silent = modules.filter((name) => !/^\/\/ [A-Z].{20,}[.]\n/.test(readFileSync(new URL(name, SOURCES), 'utf8')));

  assert.deepEqual(silent, []);
});

test('no two modules have the same name', () => {
  const names = modules.map((name) => name.split('/').at(-1));

  assert.deepEqual(
    names.filter((name, at) => names.indexOf(name) !== at),
    [],
  );
});
