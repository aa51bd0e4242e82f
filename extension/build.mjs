// Builds the extension into extension/dist, a folder that Chrome can load; `--watch` builds again whenever a source changes.
//
// `--out FOLDER` builds elsewhere, and `--replace MODULE=FILE` bundles FILE in the place of src/MODULE: tests put doubles there.
// Nothing is minified: a stranger can read what runs in their pages.

import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build, context } from 'esbuild';

const HERE = dirname(fileURLToPath(import.meta.url));
const SOURCES = join(HERE, 'src');

/** Files as they are: from the extension's folder, to the built one. */
const COPIED = {
  icons: 'icons',
  'src/popup/popup.html': 'popup/popup.html',
  'src/popup/popup.css': 'popup/popup.css',
  'src/options/options.html': 'options/options.html',
  'src/options/options.css': 'options/options.css',
  'src/welcome/welcome.html': 'welcome/welcome.html',
  'src/welcome/welcome.css': 'welcome/welcome.css',
  'src/shared/look.css': 'shared/look.css',
  '../node_modules/axe-core/axe.min.js': 'vendor/axe.min.js',
};

/** What Chrome loads as a module, by the file that it becomes. */
const MODULES = {
  'background/main': 'background/main.ts',
  'popup/popup': 'popup/popup.ts',
  'options/options': 'options/options.ts',
  'welcome/welcome': 'welcome/welcome.ts',
};

/** What Chrome injects into pages as a classic script. */
const SCRIPTS = {
  'content/capture': 'content/capture_entry.ts',
  'content/vitals': 'content/vitals_entry.ts',
  'content/commands': 'content/commands_entry.ts',
  'content/analyze': 'content/analyze_entry.ts',
  'content/draw': 'content/draw_entry.ts',
  'content/pictures': 'content/pictures_entry.ts',
  'content/place': 'content/place_entry.ts',
  'content/injected_late': 'content/injected_late.ts',
  'content/early_bodies': 'content/early_bodies.ts',
  'content/early_dialogs': 'content/early_dialogs.ts',
  'content/early_excluded': 'content/early_excluded.ts',
  'content/early_no_websockets': 'content/early_no_websockets.ts',
};

/** What Chrome injects into the page's own world, where it stands in the stack of each call that it wraps. */
const PAGE_SCRIPTS = {
  'page/capture': 'page/page_entry.ts',
};

/**
 * The name of that script in stacks. Chrome sends each console call that comes from an extension's address to the list of
 * the extension's errors, with its whole text and stack: that made `console.error` of a page five times as dear. DevTools
 * leave out what is below a folder `node_modules`, so that a line of the console names the page's own place.
 */
const NAME_IN_STACKS = 'gasoline://extension/node_modules/page/capture.js';

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(HERE, 'dist') },
    replace: { type: 'string', multiple: true, default: [] },
    watch: { type: 'boolean', default: false },
  },
});

const replaced = new Map(
  values.replace.map((pair) => {
    const [module, file] = pair.split('=');
    return [join(SOURCES, module), resolve(file)];
  }),
);

const doubles = {
  name: 'doubles',
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ path, resolveDir }) => {
      const file = replaced.get(join(resolveDir, path));
      return file ? { path: file } : undefined;
    });
  },
};

const entries = (files) => Object.entries(files).map(([out, file]) => ({ out, in: join(SOURCES, file) }));

/** Writes `files.json`: the SHA-256 of each file, by which `gasoline extension install` and `doctor` find a damaged one. */
const listing = {
  name: 'listing',
  setup({ onEnd }) {
    onEnd(() => {
      writeManifest();
      listFiles();
    });
  },
};

function listFiles() {
  const out = resolve(values.out);
  const paths = readdirSync(out, { recursive: true, encoding: 'utf8' }).sort();
  const files = paths.filter((path) => path !== 'files.json' && statSync(join(out, path)).isFile());
  const digest = (path) =>
    createHash('sha256')
      .update(readFileSync(join(out, path)))
      .digest('hex');
  const listed = Object.fromEntries(files.map((path) => [path.replaceAll('\\', '/'), digest(path)]));
  writeFileSync(join(out, 'files.json'), `${JSON.stringify(listed, null, 1)}\n`);
}

/** The manifest with the version of the product, which one place states: broker/gasoline_broker/product.py. */
function writeManifest() {
  const product = readFileSync(join(HERE, '..', 'broker', 'gasoline_broker', 'product.py'), 'utf8');
  const [, version] = /^VERSION = "([^"]+)"/m.exec(product);
  const { manifest_version, name, ...rest } = JSON.parse(readFileSync(join(HERE, 'manifest.json'), 'utf8'));
  writeFileSync(
    join(values.out, 'manifest.json'),
    `${JSON.stringify({ manifest_version, name, version, ...rest }, null, 2)}\n`,
  );
}

/** Helpers of esbuild would go through what a page can patch: with this target it needs none, and tests hold that. */
const shared = {
  outdir: resolve(values.out),
  bundle: true,
  target: 'chrome120',
  charset: 'utf8',
  legalComments: 'inline',
  logLevel: 'warning',
  plugins: [...(replaced.size ? [doubles] : []), listing],
};

const builds = [
  { ...shared, entryPoints: entries(MODULES), format: 'esm' },
  { ...shared, entryPoints: entries(SCRIPTS), format: 'iife' },
  { ...shared, entryPoints: entries(PAGE_SCRIPTS), format: 'iife', footer: { js: `//# sourceURL=${NAME_IN_STACKS}` } },
];

rmSync(shared.outdir, { recursive: true, force: true });
mkdirSync(shared.outdir, { recursive: true });
for (const [from, to] of Object.entries(COPIED)) cpSync(join(HERE, from), join(shared.outdir, to), { recursive: true });
if (values.watch) await Promise.all(builds.map(async (options) => (await context(options)).watch()));
else await Promise.all(builds.map(build));
