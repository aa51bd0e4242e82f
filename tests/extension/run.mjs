// Bundles each test of the extension with what it tests, and runs them all in one process: a process each took four times as long.
// `--bundle leases ledger` bundles these tests only and runs nothing: `make mutate` runs them on each mutant.

import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const SOURCES = new URL('.', import.meta.url).pathname;
const BUILT = new URL('../.built/', import.meta.url).pathname; // as deep as the sources: their paths from here hold there

const [bundle, ...named] = process.argv.slice(2);
const tests = named.length
  ? named.map((name) => `${name}.test.js`)
  : readdirSync(SOURCES).filter((name) => name.endsWith('.test.js'));
rmSync(BUILT, { recursive: true, force: true });
await build({
  entryPoints: tests.map((name) => SOURCES + name),
  outdir: BUILT,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  target: 'node18',
  sourcemap: 'inline',
  logLevel: 'warning',
});
const every = `${BUILT}every.mjs`;
writeFileSync(every, tests.map((name) => `import './${name.replace(/\.js$/, '.mjs')}';\n`).join(''));
if (bundle) process.exit();
const { status } = spawnSync(process.execPath, ['--enable-source-maps', every], { stdio: 'inherit' });
process.exit(status ?? 1);
