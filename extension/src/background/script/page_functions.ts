// The functions that run in the page around a script, as text. `this` is a holder, an object that keeps a value in the page.
//
// The page may have replaced its built-ins: none is called.

/** Gives the value of a holder if it may be a thenable; a long text stays in the page. */
export const PEEK = "function(){const v=this.v;return typeof v==='object'||typeof v==='function'?v:undefined}";

const AWAIT =
  "if('then' in {})return;const v=this.v;try{if(typeof v.then!=='function')return}catch{return}" +
  'const p=(async()=>({__proto__:null,v:await v}))();(async()=>{try{await p}catch{}})();return p}';

/**
 * Awaits a thenable that is not a native promise (zone.js, Bluebird). Where Object.prototype has a `then`, its presence
 * means nothing.
 */
export const ADOPT = `function(){${AWAIT}`;

/** The same, but gives true for what may be a native promise: the `then` of a class of such may start something. */
export const ADOPT_OTHER = `function(){try{if(this.v[Symbol.toStringTag]==='Promise')return true}catch{return true}${AWAIT}`;

/** Puts a value into a holder. */
export const HOLD = 'function(){return {__proto__:null,v:this}}';

/** Whether a script gave a value; else it threw an error whose message is too long to be sent with it. */
export const HAS_VALUE = "function(){return'v'in this}";

/** Reads an error's name and message; the page may have replaced both by anything. */
export const ERROR_TEXT =
  'function(){const cut=t=>{let s="";for(let i=0;i<t.length&&i<2000;i++)s+=t[i];return t.length>2000?s+"…":s};' +
  "const e='e'in this?this.e:this.v;try{const n=e.name,m=e.message;const name=typeof n==='string'?n:'Error';" +
  "return cut(typeof m==='string'&&m!==''?name+': '+m:name)}catch{return'An error that cannot be read'}}";
