// Cuts, joins and rounds what a page gives, so that it may leave this world, and reads a label without its marks.

const SENT_CHARACTERS = 2_000;

/** The longest name that is listed. */
export const LISTED_NAME = 80;

/**
 * Cut a string of the page at a number of characters, never inside one, and make it well-formed Unicode: a lone half of
 * a surrogate pair is an error to most readers of JSON.
 */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text.toWellFormed();
  const cut = text.slice(0, limit);
  return (/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut).toWellFormed();
}

/** A word of so many characters may be a secret; one in Chinese or Japanese has no spaces, and is a sentence. */
const SECRET_CHARACTERS = 16;

/** Cut a string at a number of characters, and never in a long word: redaction does not know a secret by half of it. */
export function clipWhole(text: string, limit: number): string {
  if (text.length <= limit) return text.toWellFormed();
  const start = text.slice(0, limit).search(/[!-~]*$/);
  const [word = ''] = /^[!-~]*/.exec(text.slice(start, limit + SECRET_CHARACTERS)) ?? [];
  return clip(text, word.length >= SECRET_CHARACTERS ? start : limit);
}

/** The same for a text that is quoted: what is nothing but a long word is shown to be left out. */
export function excerpt(text: string, limit: number): string {
  return clipWhole(text, limit).trimEnd() || (text && '…');
}

/** What a field holds, as far as it is sent: redaction sees it before the diff worker cuts it to what is shown. */
export function sentValue(text: string): string {
  return excerpt(text, SENT_CHARACTERS);
}

/** Round to two decimals. */
export function rounded(value: number): number {
  return Number.isFinite(value) ? Math.round(value * 100) / 100 : 0;
}

export function oneLine(text: string) {
  return text.trim().replace(/\s+/g, ' ');
}

export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** What forms write beside a label: it is required, and what it labels follows. */
const LABEL_MARKS = /^[\s*]+|[\s*:：]+$/g;

export function withoutMarks(label: string): string {
  return label.replace(LABEL_MARKS, '');
}
