// Checks which folder of the extension imports which: every import must be named in this table. Biome finds the cycles.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCES = join(dirname(fileURLToPath(import.meta.url)), 'src');

/** What the files of a folder may import besides each other; types count too. A file's own name stands for itself. */
const MAY_IMPORT = {
  shared: [],
  page: ['shared'],
  popup: ['shared'],
  options: ['shared'],
  welcome: ['shared'],

  'content/frame.ts': ['shared'],
  'content/dom': ['content/frame.ts', 'shared'],
  'content/site_access.ts': ['content/frame.ts', 'shared'],
  'content/message_handlers.ts': ['content/site_access.ts', 'content/frame.ts', 'content/dom', 'shared'],
  'content/record': ['content/dom', 'content/frame.ts', 'shared'],
  'content/capture': ['content/dom', 'content/frame.ts', 'content/record', 'shared'],
  'content/read': ['content/dom', 'content/frame.ts', 'shared'],
  'content/outline': ['content/dom', 'content/frame.ts', 'content/read', 'shared'],
  'content/act': ['content/dom', 'content/frame.ts', 'content/read', 'content/record', 'shared'],
  'content/draw': ['content/dom', 'content/frame.ts', 'content/read', 'shared'],
  'content/analyze': ['content/dom', 'content/site_access.ts', 'content/frame.ts', 'shared'],
  'content/pictures': ['content/dom', 'shared'],
  content: [
    'content/act',
    'content/analyze',
    'content/capture',
    'content/dom',
    'content/draw',
    'content/frame.ts',
    'content/message_handlers.ts',
    'content/outline',
    'content/pictures',
    'content/read',
    'content/record',
    'shared',
  ],

  'background/failure.ts': ['../../broker/gasoline_broker'], // the table of error codes
  'background/first_run.ts': ['background/link', 'shared'],
  'background/link': ['background/failure.ts', 'shared'],
  'background/capture': ['background/link', 'shared'],
  'background/tabs': ['background/failure.ts', 'shared'],
  'background/permit': ['background/failure.ts', 'background/link', 'background/tabs', 'shared'],
  'background/script': ['background/failure.ts', 'background/tabs', 'shared'],
  'background/navigate': ['background/failure.ts', 'background/tabs', 'shared'],
  'background/analyze': ['background/failure.ts', 'background/state', 'background/tabs', 'shared'],
  'background/draw': ['background/failure.ts', 'background/link', 'background/tabs', 'shared'],
  'background/outline': ['background/failure.ts', 'background/tabs', 'shared'],
  'background/pictures': ['background/failure.ts', 'background/tabs', 'shared'],
  'background/interact': ['background/failure.ts', 'background/navigate', 'background/tabs', 'shared'],
  'background/state': ['background/failure.ts', 'background/navigate', 'background/tabs', 'shared'],
  background: [
    'background/analyze',
    'background/capture',
    'background/draw',
    'background/failure.ts',
    'background/first_run.ts',
    'background/interact',
    'background/link',
    'background/navigate',
    'background/outline',
    'background/permit',
    'background/pictures',
    'background/script',
    'background/state',
    'background/tabs',
    'shared',
  ],
};

const layerOf = (file) => (Object.hasOwn(MAY_IMPORT, file) ? file : dirname(file));

const wrong = [];
for (const file of readdirSync(SOURCES, { recursive: true }).filter((name) => name.endsWith('.ts'))) {
  const own = layerOf(file);
  const text = readFileSync(join(SOURCES, file), 'utf8');
  for (const [, path] of text.matchAll(/^(?:import|export)\b[^;]*?from '(\.[^']+)'|^import '(\.[^']+)'/gm)) {
    if (!path) continue;
    const other = layerOf(relative(SOURCES, resolve(SOURCES, dirname(file), path)));
    if (other !== own && !MAY_IMPORT[own]?.includes(other)) wrong.push(`${file} must not import ${path}`);
  }
}
if (wrong.length) {
  console.error(wrong.join('\n'));
  process.exit(1);
}
