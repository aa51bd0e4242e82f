// Chooses the wrapper in which a script compiles, or explains its syntax error in the script's own lines.

import { type Details, placeIn, SCRIPT } from './exceptions.ts';
import { LAST_WRAPPER, proofFor, type ScriptWrapper, wrappersFor } from './script_wrappers.ts';

type Compile = (text: string) => Promise<Details | undefined>;

type SyntaxFault = { error: string; stack: string };

type Attempt = { before: string; fault: Details };

const UNMATCHED = { error: 'SyntaxError: The brackets of the script do not match.', stack: '' };

/** `compile` gives the details of the exception, undefined without one. */
export async function chooseWrapper(script: string, compile: Compile): Promise<ScriptWrapper | SyntaxFault> {
  let last: Attempt | undefined;
  for (const wrapper of wrappersFor(script)) {
    const { before, text } = proofFor(wrapper, script);
    const fault = await compile(text);
    if (!fault) return wrapper;
    if (wrapper === LAST_WRAPPER) last = { before, fault };
  }
  return syntaxFault(script, compile, last);
}

/** The error of the script by itself, unless that is only that it awaits or returns outside of a function. */
async function syntaxFault(script: string, compile: Compile, last: Attempt | undefined): Promise<SyntaxFault> {
  const bare = await compile(script);
  const isOwn = bare && !/await|return/i.test(firstLine(bare));
  const { before, fault } = isOwn || !last ? { before: '', fault: bare } : last;
  if (!fault) return UNMATCHED;
  const { line, column } = placeIn(before, fault);
  if (line < 0) return { error: firstLine(fault), stack: '' }; // too deep to be parsed
  const isAtEnd = line >= script.split('\n').length;
  if (isAtEnd && !(await compile(`async()=>{${script}`))) return UNMATCHED; // its own bracket closed the wrapper's
  const error = isAtEnd ? 'SyntaxError: Unexpected end of input' : firstLine(fault);
  return { error, stack: `    at ${SCRIPT}:${line + 1}:${Math.max(column, 0) + 1}` };
}

function firstLine({ exception }: Details) {
  return (exception?.description ?? 'SyntaxError').split('\n')[0] ?? '';
}
