// Tells whether a page has written a day that was entered in its own way: 2026-12-24 as 12/24/2026, or 24. Dez. 26.

/** The year may be short, and the month a name in one of the languages, which may be no languages. */
export function isSameDay(shown: string, entered: string, languages: string[]): boolean {
  const wanted = numbersIn(entered);
  const year = wanted.find((one) => one.length === 4);
  const [one, other] = wanted.filter((number) => number !== year).map(Number) as [number, number];
  const left = numbersIn(shown);
  const at = year ? left.findIndex((number) => number === year || number === year.slice(2)) : -1;
  if (wanted.length !== 3 || at < 0) return false;
  left.splice(at, 1);
  const rest = left.map(Number);
  const is = (numbers: number[]) => numbers.join() === rest.join();
  if (rest.length > 1) return is([one, other]) || is([other, one]);
  const isYearFirst = wanted[0] === year; // then the month is second
  return (
    (is([other]) && isMonthIn(shown, one, languages)) ||
    (!isYearFirst && is([one]) && isMonthIn(shown, other, languages))
  );
}

function numbersIn(text: string): string[] {
  return text.match(/\d+/g) ?? [];
}

/** Whether a text has the name of a month, or at least three letters of it. */
function isMonthIn(text: string, month: number, languages: string[]): boolean {
  const words = (text.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => word.length > 2);
  return languages.some((language) => words.some((word) => nameOf(month, language).startsWith(word)));
}

function nameOf(month: number, language: string): string {
  try {
    const format = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
    return format.format(Date.UTC(2000, month - 1)).toLowerCase();
  } catch {
    return ''; // it is no language
  }
}
