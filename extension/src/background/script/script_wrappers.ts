// The wrappers of scripts: the text around an expression, or around statements with `return`; without `await`, or with it.
// A script that is a function is called.
//
// The wrappers are syntax alone: no built-in is called, for the page may have replaced it, and no name of theirs is in
// the script's scope. The text before the script is in its first line: only that line's columns have to be corrected.

export interface ScriptWrapper {
  before: string;
  after: string;
  /** The result is a holder with a promise `p`; else a plain value, or a holder with a value `v` or a too large error `e`. */
  waits: boolean;
  /** The script is an expression. */
  expression?: boolean;
  /** The promise gives a holder too. */
  held: boolean;
}

/** The longest text that is sent at once; a longer one stays in the page until it has been cut. */
const AT_ONCE = 1000;

/** A longer message would be sent three times with the exception: the error is put into a holder instead. */
const MESSAGE = 10_000;

/**
 * Marks a promise as handled, or the page gets an event for a rejection that is not its own. It reads the tag first: a
 * `then` of the page's own may start something each time that it is called.
 */
const HANDLE = "(async v=>{try{if(v[Symbol.toStringTag]==='Promise')await v}catch{}})";

/** Calls the wrapped script; a short value that is no object is sent at once: the page may be left next. */
const CALL =
  `(f=>{let v;try{v=f()}catch(e){let m;try{m=e.message}catch{}if(typeof m==='string'&&m.length>${MESSAGE})` +
  `return{__proto__:null,e};throw e}const t=typeof v;` +
  `if(v===undefined||v===null||t==='boolean'||t==='number'||t==='string'&&v.length<=${AT_ONCE})return v;` +
  `${HANDLE}(v);return{__proto__:null,v}})`;

/** Puts the value of a script that has waited into a holder. */
const KEEP = `(v=>{${HANDLE}(v);return{__proto__:null,v}})`;

/** Puts the promise of the wrapped script into a holder. */
const HOLD = `(p=>{${HANDLE}(p);return{__proto__:null,p}})`;

const END = '\n';

const EXPRESSION: ScriptWrapper = {
  before: `${CALL}(()=>(`,
  after: `${END}))`,
  expression: true,
  waits: false,
  held: false,
};
const WAITING_EXPRESSION: ScriptWrapper = {
  before: `${HOLD}((async()=>${KEEP}((`,
  after: `${END})))())`,
  expression: true,
  waits: true,
  held: true,
};
const BODY: ScriptWrapper = { before: `${CALL}(()=>{`, after: `${END}})`, waits: false, held: false };
const WAITING_BODY: ScriptWrapper = { before: `${HOLD}((async()=>{`, after: `${END}})())`, waits: true, held: false };

/** A function is an expression too; other tools call it. */
const CALLED: ScriptWrapper = {
  before: `${CALL}(()=>((`,
  after: `${END})()))`,
  expression: true,
  waits: false,
  held: false,
};

/** The begin of a function or an arrow function, after comments; a generator is none, for a call does not run it. */
const FUNCTION =
  /^(?:\s|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*(?:async\b\s*)?(?:function\b(?!\s*\*)|[\w$]+\s*=>|\([^()]*\)\s*=>)/;

/** How far a function may begin from the begin of a script. */
const HEAD = 2000;

/**
 * The texts around a script that must compile for a wrapper to fit: two pairs of brackets. A script that compiles in the
 * first pair only closes the wrapper's bracket and opens another.
 */
const PROOFS: Map<ScriptWrapper, [string, string, string]> = new Map([
  [EXPRESSION, ['[()=>(', `${END}),()=>[`, `${END}]]`]],
  [WAITING_EXPRESSION, ['[async()=>(', `${END}),async()=>[`, `${END}]]`]],
  [BODY, ['[()=>{', `${END}},{m(){`, `${END}}}]`]],
  [WAITING_BODY, ['[async()=>{', `${END}},{async m(){`, `${END}}}]`]],
  [CALLED, ['[()=>(0?', `${END}:0),()=>[0?`, `${END}:0]]`]], // between ? and : is no comma: it is one function
]);

const WRAPPERS = [EXPRESSION, WAITING_EXPRESSION, BODY, WAITING_BODY];

/** The wrappers to try, in this order. */
export function wrappersFor(script: string): ScriptWrapper[] {
  if (FUNCTION.test(bare(script).slice(0, HEAD))) return [CALLED, ...othersFor(script)];
  return othersFor(script);
}

function othersFor(script: string): ScriptWrapper[] {
  const [first, second] = [WRAPPERS, WRAPPERS.filter(({ waits }) => waits)];
  if (!/\bawait\b/.test(script)) return first; // without `async`, `await (x)` is a call
  return [...second, ...first.filter(({ waits }) => !waits)];
}

/** Wrap a script; `name` is its address in stack traces. */
export function wrapped(wrapper: ScriptWrapper, script: string, name: string): string {
  return `${wrapper.before}${sourceOf(wrapper, script)}${wrapper.after}\n//# sourceURL=${name}`;
}

/** Give the text that must compile for a wrapper to fit, and the part of it before the script, in its first line. */
export function proofFor(wrapper: ScriptWrapper, script: string): { before: string; text: string } {
  const [before, between, after] = PROOFS.get(wrapper) as [string, string, string];
  const body = wrapper === CALLED ? bare(script) : sourceOf(wrapper, script);
  return { before, text: before + body + between + body + after };
}

/** An expression is often sent as a statement: the semicolons at its end become spaces. */
function sourceOf({ expression }: ScriptWrapper, script: string) {
  if (!expression) return script;
  let end = script.length;
  while (/[\s;]/.test(script[end - 1] ?? '')) end--;
  return script.slice(0, end) + script.slice(end).replaceAll(';', ' ');
}

/** Give a script without the semicolons at its end and the one pair of brackets that may be around it. */
function bare(script: string): string {
  const source = sourceOf(EXPRESSION, script).trim();
  return source.startsWith('(') && source.endsWith(')') && FUNCTION.test(source.slice(1, HEAD))
    ? source.slice(1, -1)
    : source;
}

/** The wrapper whose errors are those of statements that await or return. */
export const LAST_WRAPPER = WAITING_BODY;
