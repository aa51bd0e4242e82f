import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const FOLDER = new URL('../../extension/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('manifest.json', FOLDER), 'utf8'));
const listed = manifest.content_scripts.flatMap(({ js }) => js);
const scripts = listed.filter((name) => !name.startsWith('vendor/')); // vendor/ is put there by `npm run vendor`
const REGISTERED = ['content/preset_bodies.js', 'content/preset_dialogs.js', 'content/preset_no_websockets.js', 'content/late.js', 'content/accessibility.js']; // by presets.js, pages.js and accessibility.js, when they are needed

test('every file that the manifest names is there', () => {
  const named = [...scripts, ...REGISTERED, manifest.background.service_worker, manifest.action.default_popup, manifest.options_ui.page, ...Object.values(manifest.icons)];

  assert.deepEqual(named.filter((name) => !existsSync(new URL(name, FOLDER))), []);
});

test('every script for pages is listed, or registered while the user wants it', () => {
  const files = ['content', 'page'].flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, FOLDER)).filter((name) => name.endsWith('.js')).map((name) => `${folder}/${name}`),
  );

  assert.deepEqual([...scripts, ...REGISTERED].sort(), files.sort());
});

test('this world listens before the page\'s world speaks', () => {
  const [first, second] = manifest.content_scripts;

  assert.deepEqual([first.world, first.js.slice(0, 4), second.world], [undefined, ['content/listening.js', 'content/hearing.js', 'content/queue.js', 'content/relay.js'], 'MAIN']);
});

test('the extension may speak to this machine and to nothing else', () => {
  const policy = manifest.content_security_policy.extension_pages;

  assert.match(policy, /connect-src 'self' http:\/\/127\.0\.0\.1:\* ws:\/\/127\.0\.0\.1:\*$/);
  assert.match(policy, /^default-src 'none';/);
});

test('no permission is asked for without a use', () => {
  assert.deepEqual(manifest.permissions, ['alarms', 'cookies', 'debugger', 'scripting', 'storage', 'tabs', 'webRequest']);
});

test('every module says in its first line what it is', () => {
  const folders = ['background', 'content', 'options', 'page', 'popup', 'shared'];
  const files = folders.flatMap((folder) => readdirSync(new URL(folder, FOLDER)).filter((name) => name.endsWith('.js')).map((name) => `${folder}/${name}`));
  const silent = files.filter((name) => !/^\/\/ [A-Z].{20,}[.]\n/.test(readFileSync(new URL(name, FOLDER), 'utf8')));

  assert.deepEqual(silent, []);
});

test('no two content scripts give one name to two things, for they share one world', () => {
  const files = readdirSync(new URL('content/', FOLDER)).filter((name) => name.endsWith('.js'));
  const owners = new Map();
  for (const file of files) {
    const text = readFileSync(new URL(`content/${file}`, FOLDER), 'utf8');
    for (const [, called, held] of text.matchAll(/^(?:(?:async )?function\*? (\w+)|var (\w+))/gm)) {
      owners.set(called ?? held, [...(owners.get(called ?? held) ?? []), file]);
    }
  }

  assert.deepEqual([...owners].filter(([, files]) => files.length > 1), []);
});
