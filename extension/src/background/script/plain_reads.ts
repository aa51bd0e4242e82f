// Decides which scripts only read, by their words alone, and wraps them for `chrome.userScripts`.
//
// Such a script may be evaluated a second time, by the debugger, when this way has no answer: a value that is no
// primitive, an exception (Chrome gives null for it, without an error), or a page that is busy. So nothing is in it that
// changes, begins or repeats anything: no assignment, no function, no block, no `new`, and no call but of the names below.

/** Reads of the DOM, of texts, of storage and of numbers. A page may have replaced one; so it has for the debugger. */
const CALLS = new Set(
  (
    'querySelector querySelectorAll getElementById getElementsByClassName getElementsByTagName getElementsByName ' +
    'getAttribute hasAttribute getAttributeNames closest matches contains elementFromPoint hasFocus matchMedia ' +
    'getComputedStyle getPropertyValue getBoundingClientRect getItem getEntriesByType getEntriesByName ' +
    'at charAt concat endsWith includes indexOf join lastIndexOf slice split startsWith substring toFixed toISOString ' +
    'toLowerCase toString toUpperCase trim isArray keys stringify Boolean Number String parseFloat parseInt isNaN ' +
    'isInteger abs ceil floor max min round now has'
  ).split(' '),
);

/** The words of the language that may stand in a script that reads. */
const OPERATORS = new Set(['typeof', 'in', 'instanceof', 'void']);

/** Words that begin what does more, or that mean nothing in an expression. */
const OTHER_WORDS = new Set(
  (
    'async await break case catch class const continue debugger default delete do else enum export extends finally for ' +
    'function if implements import interface let new package private protected public return static super switch throw ' +
    'try var while with yield arguments eval'
  ).split(' '),
);

/** A longer text is a program. */
const LENGTH = 1_000;

/** A longer text is cut, which the debugger's way does. */
const TEXT = 50_000;

/** A number, a name, a text without a line end or an escape, an operator that changes nothing, a bracket. */
const TOKEN =
  /\s*(?:(\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?(?![\w$]))|([A-Za-z_$][\w$]*)|('[^'\\\n\r]*'|"[^"\\\n\r]*")|(===|!==|==|!=|<=|>=|\?\?|\?\.|&&|\|\||\*\*|<<|>>>|>>|[.,?:!~+\-*%<>&|^/()[\]]))/y;

/** After these a `/` would begin a regular expression, and a bracket is none of a call. */
const OPENS = /^(?:[.,?:!~+\-*%<>&|^/([]|===|!==|==|!=|<=|>=|\?\?|\?\.|&&|\|\||\*\*|<<|>>>|>>)$/;

/** The expression that a script is, if all that it does is to read; else undefined. */
export function plainRead(script: string): string | undefined {
  if (script.length > LENGTH) return undefined;
  const source = script.replace(/[\s;]+$/, '').trim();
  return source && isRead(tokensOf(source)) ? source : undefined;
}

/**
 * Wrap it. It gives `v`, a primitive that JSON has, or `u` for undefined; nothing for all else, as after an exception.
 * `__proto__`: Chrome reads no member that the page has given to all objects. No name of ours is in the script's scope.
 */
export function wrappedRead(source: string): string {
  return (
    `(f=>{const v=f();` +
    `if(v===undefined)return{__proto__:null,u:true};` +
    `if(v===null||v===true||v===false||typeof v==='number'&&v-v===0&&(v!==0||1/v>0)||` +
    `typeof v==='string'&&v.length<=${TEXT})return{__proto__:null,v}})(()=>(${source}\n))`
  );
}

function tokensOf(source: string): string[] | undefined {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.length) {
    const found = TOKEN.exec(source);
    if (!found) return undefined;
    tokens.push(found[0].trim());
  }
  return tokens;
}

function isRead(tokens: string[] | undefined): boolean {
  if (!tokens) return false;
  const open: string[] = [];
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    const isMember = before === '.' || before === '?.';
    if (/^[A-Za-z_$]/.test(token) && !isMember && OTHER_WORDS.has(token)) return false;
    if ((token === '+' || token === '-') && before === token) return false; // ++ and --
    if (token === '/' && (before === undefined || OPENS.test(before) || OPERATORS.has(before))) return false;
    if (token === '(' && isCall(tokens, index) && !CALLS.has(tokens[index - 1] as string)) return false;
    if (token === '(' || token === '[') open.push(token === '(' ? ')' : ']');
    if ((token === ')' || token === ']') && open.pop() !== token) return false;
  }
  return !open.length;
}

/** Whether a bracket holds the arguments of a call: it follows a value. `a?.(b)` calls what it stands behind. */
function isCall(tokens: string[], index: number): boolean {
  const before = tokens[index - 1];
  if (before === undefined) return false;
  return before === '?.' || !(OPENS.test(before) || OPERATORS.has(before));
}
