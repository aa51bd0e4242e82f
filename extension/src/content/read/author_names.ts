// Finds what the author of a page calls an element that has no name for people; it must not return what was generated.

import { nodes } from '../dom/nodes.ts';

/** How libraries of icons begin the class of one. */
const ICON_CLASS = /^(lucide|fa|bi|mdi|ti|ri|tabler-icon|codicon|icon|anticon|material-icons?)-/;

const SIGNS = 'i, svg, img, span[class*="material-icons"], span[class*="material-symbols"]';

/** Classes that name a style and not a thing. */
const STYLE_WORDS =
  /^(absolute|block|border|btn|button|container|contents|disabled|fixed|flex|grid|group|hidden|icon|inline|item|items|link|lucide|peer|relative|rounded|sticky|svg|text|w-full|h-full|inline-(flex|block)|(bg|border|cursor|flex|font|gap|items|justify|leading|m[trblxy]?|p[trblxy]?|outline|ring|rounded|select|shadow|space|text|tracking|transition)-.*)$/;

/** Return what its author calls it, else the sign that it shows, else its style. */
export function authorName(element: Element): string {
  const written = ['id', 'name', 'data-testid'].flatMap((name) => (nodes.attribute(element, name) ?? '').split(/\s+/));
  const style = (nodes.attribute(element, 'class') ?? '').split(/\s+/);
  return [...written, ...signsOf(element), ...style].find(isLegible) ?? '';
}

/** Return what the icon in an element is called: by a library of icons, in a sprite, or in its own file. */
function signsOf(element: Element): string[] {
  const sign = nodes.within(element, SIGNS)[0];
  if (!sign) return [];
  const use = nodes.within(sign, 'use')[0];
  const named = ['data-icon', 'data-testid', 'id', 'name'].map((name) => nodes.attribute(sign, name) ?? '');
  const drawn = (use && (nodes.attribute(use, 'href') ?? nodes.attribute(use, 'xlink:href'))) || '';
  const file = nodes.attribute(sign, 'src') ?? '';
  const styles = (nodes.attribute(sign, 'class') ?? '').split(/\s+/);
  const icons = styles.filter((style) => ICON_CLASS.test(style)).map((style) => style.replace(ICON_CLASS, ''));
  const word = nodes.tag(sign) === 'svg' ? '' : (nodes.text(sign) ?? '').trim(); // that a font draws as a picture
  return [...icons, word, ...named, drawn.replace(/^.*#/, ''), file.replace(/^.*\/|\.\w+$/g, ''), ...styles];
}

/** Whether a name is an author's, and was neither generated nor is a word of every style sheet. */
function isLegible(text: string): boolean {
  return (
    !STYLE_WORDS.test(text) &&
    !/^_r_\w+_$/.test(text) && // of React's useId
    /^_?[a-z][a-z_-]{2,}\d{0,2}$/i.test(text) &&
    !/[A-Z]{2}|[a-z][A-Z][a-z]?[A-Z]/.test(text)
  );
}
