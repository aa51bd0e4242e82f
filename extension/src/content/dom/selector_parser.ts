// Takes apart a selector that crosses borders; it must know no page: text in, text out.
//
// `my-card >>> button.save` is `my-card`, then `button.save` inside the shadow root or the frame that it opens. The first
// step is looked for everywhere, every further one only directly inside what the step before it opens.
// An empty first step is the page's own document, so that `>>> #x` is an `#x` in no root or frame.

/** Split a selector at each `>>>` outside of strings, brackets and escapes. Return the steps, trimmed; at least one. */
export function stepsOf(selector: string): string[] {
  const steps = [''];
  // An escape, a string (its end may be missing, as at the end of a style sheet), the border, or any one character.
  const pieces = selector.match(/\\[^]|"(?:\\[^]|[^"\\])*"?|'(?:\\[^]|[^'\\])*'?|>>>|[^]/g) ?? [];
  let depth = 0;
  for (const piece of pieces) {
    if (piece === '[' || piece === '(') depth++;
    if (piece === ']' || piece === ')') depth--;
    if (piece === '>>>' && depth === 0) steps.push('');
    else steps[steps.length - 1] += piece;
  }
  return steps.map((step) => step.trim());
}
