import assert from 'node:assert/strict';
import { test } from 'node:test';
import vm from 'node:vm';
import { proofFor, wrapped, wrappersFor } from '../../extension/src/background/script/script_wrappers.ts';

const compiles = (text) => {
  try {
    new vm.Script(text);
    return true;
  } catch {
    return false;
  }
};
const formOf = (script) => wrappersFor(script).find((form) => compiles(proofFor(form, script).text));
const valueOf = async (script) => {
  const answer = vm.runInNewContext(wrapped(formOf(script), script, 'test'));
  if (answer === null || typeof answer !== 'object') return answer;
  if ('v' in answer) return answer.v;
  const given = await answer.p;
  return formOf(script).held ? given.v : given;
};

const values = {
  '1 + 1': 2,
  'await (Promise.resolve(2))': 2,
  '3;': 3,
  'await 4; ;\n': 4,
  'return 3': 3,
  'const a = await 4; return a': 4,
  '"await"': 'await',
  'if (1) return 5 // and no more': 5,
  'typeof f + typeof v + typeof p + typeof e': 'undefinedundefinedundefinedundefined',
};
for (const [script, value] of Object.entries(values)) {
  test(`${script} gives ${value}`, async () => assert.equal(await valueOf(script), value));
}

const called = {
  '() => 1 + 1': 2,
  '() => { return 2 };': 2,
  'async () => { const a = await 3; return a }': 3,
  'async x => await x || 4': 4,
  'function () { return 5 }': 5,
  'async function named() { return 6 }': 6,
  '(() => 7)': 7,
  '(function () { return 8 });': 8,
  '// a note\n/* and one */ (a, { b } = {}) => typeof a': 'undefined',
  '() => { return 9 } // done': 9,
};
for (const [script, value] of Object.entries(called)) {
  test(`${JSON.stringify(script)} is called and gives ${value} [tries-007]`, async () =>
    assert.equal(await valueOf(script), value));
}

const uncalled = {
  '(() => 1)()': 1,
  '(function () { return 2 })()': 2,
  'function f() { return 3 }\nreturn f()': 3,
  '() => 1, 4': 4,
  'const f = () => 1; return 5': 5,
  '[6].map(x => x)[0]': 6,
};
for (const [script, value] of Object.entries(uncalled)) {
  test(`${JSON.stringify(script)} is no function by itself and gives ${value} [tries-007]`, async () =>
    assert.equal(await valueOf(script), value));
}

for (const script of ['(() => () => 1)()', 'parseInt', 'class A {}']) {
  test(`${script} is a function that was not written to be called [tries-007]`, async () =>
    assert.equal(typeof (await valueOf(script)), 'function'));
}

test('a script that begins with hundreds of comments is an expression like any other', async () =>
  assert.equal(await valueOf(`${'/**/'.repeat(400)}1`), 1));

test('a generator is not called [tries-007]', async () =>
  assert.equal(typeof (await valueOf('function* () { yield 1 }')), 'function'));

for (const script of ['1 +', '1)+(2', '}); (() => {', '},()=>{', '}, n() {', '`', '/*', 'super.x', 'return )']) {
  test(`${script} has no form: it does not close our brackets`, () => assert.equal(formOf(script), undefined));
}

test('a rejected promise reaches no other script', async () => {
  const seen = [];
  const hear = (reason) => seen.push(reason);
  process.on('unhandledRejection', hear);

  for (const script of ['Promise.reject(1)', 'await 1; throw 2', '(async () => { await 1; throw 3 })()']) {
    vm.runInNewContext(wrapped(formOf(script), script, 'test'));
  }
  await new Promise((done) => setTimeout(done, 20));
  process.off('unhandledRejection', hear);

  assert.deepEqual(seen, []);
});
