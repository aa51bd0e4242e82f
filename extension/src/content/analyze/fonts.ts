// Finds the fonts without which text is invisible while they load: used ones from an address, without font-display.

import { getterOf } from '../dom/nodes.ts';
import { clip } from '../dom/text.ts';

/** Through the getters: an element of the page may be called so. */
const fontsOf = getterOf(() => Document, 'fonts');
const sheetsOf = getterOf(() => Document, 'styleSheets');

const FONTS = 50;
const FAMILY_CHARACTERS = 100;

export function fontsWithoutDisplay(): string[] {
  const used = new Set(
    [...fontsOf(document)].filter(({ status }) => status !== 'unloaded').map(({ family }) => bare(family)),
  );
  const families = [...sheetsOf(document)].flatMap(fontRulesOf).filter(isBlocking).map(familyOf);
  return [...new Set(families)].filter((family) => used.has(family)).slice(0, FONTS);
}

/** A style sheet of another origin hides its rules. */
function fontRulesOf(sheet: CSSStyleSheet): CSSFontFaceRule[] {
  try {
    return [...sheet.cssRules].filter((rule) => rule instanceof CSSFontFaceRule);
  } catch {
    return [];
  }
}

function isBlocking({ style }: CSSFontFaceRule) {
  const display = style.getPropertyValue('font-display');
  return /url\(\s*["']?(?!data:)/.test(style.getPropertyValue('src')) && ['', 'auto'].includes(display);
}

function familyOf({ style }: CSSFontFaceRule) {
  return bare(style.getPropertyValue('font-family'));
}

function bare(family: string) {
  return clip(family.replace(/^["']|["']$/g, ''), FAMILY_CHARACTERS);
}
