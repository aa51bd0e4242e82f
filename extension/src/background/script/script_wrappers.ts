// The forms in which a script may be meant, and their wrapping for the page; it must not run anything.
//
// A script is an expression, else statements with `return`; each without `await`, else with it. The wrappers are syntax
// alone: no built-in is called, for the page may have replaced it, and no name of theirs is in the script's scope.
// Whatever stands before the script stands in its first line: only that line's columns have to be put right.

export interface Form {
  before: string;
  after: string;
  /** Whether the answer is a holder with a promise `p` in it, else a plain value or a holder with a value `v`, or with an error `e` that is too large to be thrown */
  waits: boolean;
  /** Whether the script is one */
  expression?: boolean;
  /** Whether that promise gives a holder in its turn */
  held: boolean;
}

/** The longest text that is answered at once; a longer one stays in the page until it has been cut. */
const AT_ONCE = 1000;

/** A message that is longer would be sent three times over with the exception: the error is handed out as it is. */
const MESSAGE = 10_000;

/**
 * Marks a promise as handled, or the page is told of a rejection that is none of its own. It reads the tag first: a
 * `then` of the page's own may start something each time that it is called.
 */
const HANDLE = "(async v=>{try{if(v[Symbol.toStringTag]==='Promise')await v}catch{}})";

/** Calls what the script became; a value that is short and no object is answered at once: the page may go away next. */
const CALL =
  `(f=>{let v;try{v=f()}catch(e){let m;try{m=e.message}catch{}if(typeof m==='string'&&m.length>${MESSAGE})` +
  `return{__proto__:null,e};throw e}const t=typeof v;` +
  `if(v===undefined||v===null||t==='boolean'||t==='number'||t==='string'&&v.length<=${AT_ONCE})return v;` +
  `${HANDLE}(v);return{__proto__:null,v}})`;

/** Holds what a script gave after it waited. */
const KEEP = `(v=>{${HANDLE}(v);return{__proto__:null,v}})`;

/** Holds the promise of what the script became. */
const HOLD = `(p=>{${HANDLE}(p);return{__proto__:null,p}})`;

const END = '\n';

const EXPRESSION: Form = { before: `${CALL}(()=>(`, after: `${END}))`, expression: true, waits: false, held: false };
const WAITING_EXPRESSION: Form = {
  before: `${HOLD}((async()=>${KEEP}((`,
  after: `${END})))())`,
  expression: true,
  waits: true,
  held: true,
};
const BODY: Form = { before: `${CALL}(()=>{`, after: `${END}})`, waits: false, held: false };
const WAITING_BODY: Form = { before: `${HOLD}((async()=>{`, after: `${END}})())`, waits: true, held: false };

/**
 * What has to compile for a script to have a form: the script in two pairs of brackets. One that only fits the first
 * closes the wrapper's bracket and opens another.
 */
const PROOFS: Map<Form, [string, string, string]> = new Map([
  [EXPRESSION, ['[()=>(', `${END}),()=>[`, `${END}]]`]],
  [WAITING_EXPRESSION, ['[async()=>(', `${END}),async()=>[`, `${END}]]`]],
  [BODY, ['[()=>{', `${END}},{m(){`, `${END}}}]`]],
  [WAITING_BODY, ['[async()=>{', `${END}},{async m(){`, `${END}}}]`]],
]);

/** The forms that are tried, the first that compiles is run. A script that has the word is not tried without. */
const FORMS = [EXPRESSION, WAITING_EXPRESSION, BODY, WAITING_BODY];

/** Give the forms that a script may have, in the order in which they count. */
export function formsOf(script: string): Form[] {
  const [first, second] = [FORMS, FORMS.filter(({ waits }) => waits)];
  if (!/\bawait\b/.test(script)) return first; // `await (x)` is a call where no one may wait
  return [...second, ...first.filter(({ waits }) => !waits)];
}

/**
 * Put a script into a form.
 * @param name what stack traces call it
 */
export function wrapped(form: Form, script: string, name: string): string {
  return `${form.before}${meant(form, script)}${form.after}\n//# sourceURL=${name}`;
}

/**
 * Give what has to compile for a script to have a form.
 * @returns before: what stands before the script in its first line
 */
export function proofOf(form: Form, script: string): { before: string; text: string } {
  const [before, between, after] = PROOFS.get(form) as [string, string, string];
  const body = meant(form, script);
  return { before, text: before + body + between + body + after };
}

/** An expression is often sent as a statement: the semicolons that it ends with become spaces. */
function meant({ expression }: Form, script: string) {
  if (!expression) return script;
  let end = script.length;
  while (/[\s;]/.test(script[end - 1] ?? '')) end--;
  return script.slice(0, end) + script.slice(end).replaceAll(';', ' ');
}

/** The form whose errors tell about statements that wait or return. */
export const LAST_FORM = WAITING_BODY;
