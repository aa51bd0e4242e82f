// The TypeScript SDK, 1.x or 2.x, as `steps.py` has the steps: a line of JSON for each.
//
// Arguments: the command of Gasoline, the SDK's first number, the folder that it is installed in.

import { createRequire } from 'node:module';

const [command, major, place] = process.argv.slice(2);
const SLOW_MS = 2500;
const require = createRequire(`${place}/`);
const [index, stdio] =
  major === '2'
    ? ['@modelcontextprotocol/client', '@modelcontextprotocol/client/stdio']
    : ['@modelcontextprotocol/sdk/client/index.js', '@modelcontextprotocol/sdk/client/stdio.js'];
const { Client } = require(index);
const { StdioClientTransport } = require(stdio);

const say = (step, facts) => console.log(JSON.stringify({ step, ...facts }));
const options = major === '2' ? { versionNegotiation: { mode: 'auto' } } : {};
const client = new Client({ name: `typescript-${major}`, version: '1' }, options);
await client.connect(new StdioClientTransport({ command, args: ['mcp'], env: process.env }));
say('listed', { tools: (await client.listTools()).tools.length });

const call = async (name, args, more = {}) => {
  const params = { name, arguments: args };
  const result = await (major === '2' ? client.callTool(params, more) : client.callTool(params, undefined, more));
  return `${result.isError ? 'isError ' : ''}${result.content[0].text}`;
};
const shown = (calling) => calling.catch((fault) => `${fault.name}: ${fault.message}`);

for (const [name, args] of [
  ['observe', { what: 'status' }],
  ['query_dom', { selector: '#p' }],
  ['observe', { what: 'logs' }],
])
  say('called', { text: await call(name, args) });
say('error', { text: await shown(call('observe', { what: 'log' })) });

let progress = 0;
const stop = new AbortController();
setTimeout(() => stop.abort('the user has cancelled'), SLOW_MS);
const onprogress = () => {
  progress += 1;
};
const cancelled = await shown(call('query_dom', { selector: '#cancelled' }, { signal: stop.signal, onprogress }));
say('cancelled', { text: cancelled, progress });
const begun = performance.now();
const text = await shown(call('query_dom', { selector: '#timeout' }, { timeout: SLOW_MS }));
say('timeout', { text, took_s: Math.round((performance.now() - begun) / 100) / 10 });
say('after', { text: await shown(call('observe', { what: 'status' })) });
setTimeout(() => say('hanging', {}), 500);
await call('query_dom', { selector: '#killed' });
