// Takes apart a selector that has steps; it must know no page: text in, text out.
//
// `my-card >>> button.save` is `my-card`, then `button.save` inside the shadow root or the frame that it opens. The first
// step is looked for everywhere, every further one only directly inside what the step before it opens.
// An empty first step is the page's own document, so that `>>> #x` is an `#x` in no root or frame.
// `[role=dialog] >> text=Save` is any selector, then any other one within what that has found.

/** Split a selector at each `>>>` outside of strings, brackets and escapes. Return the steps, trimmed; at least one. */
export function stepsOf(selector: string): string[] {
  return split(selector, '>>>');
}

/** Split a selector at each `>>`, each part to be looked for within the one before; at a border without a part, not at all. */
export function partsOf(selector: string): string[] {
  const parts = split(selector, '>>');
  return parts.every(Boolean) ? parts : [selector];
}

function split(selector: string, border: string): string[] {
  const parts = [''];
  // An escape, a string (its end may be missing, as at the end of a style sheet), a border, or any one character.
  const pieces = selector.match(/\\[^]|"(?:\\[^]|[^"\\])*"?|'(?:\\[^]|[^'\\])*'?|>>>?|[^]/g) ?? [];
  let depth = 0;
  for (const piece of pieces) {
    if (piece === '[' || piece === '(') depth++;
    if (piece === ']' || piece === ')') depth--;
    if (piece === border && depth === 0) parts.push('');
    else parts[parts.length - 1] += piece;
  }
  return parts.map((part) => part.trim());
}
