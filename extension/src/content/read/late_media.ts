// Finds out whether fonts and images of a page are still on their way; it must only ever read the page.
//
// Frames of the same origin are looked into, others are not.

import { getterOf, isHtml, matchesIn, nodes } from '../dom/nodes.ts';
import { search, type Tree } from '../dom/search.ts';

/** The longest that a picture waits for fonts: by then Chrome shows text in another one (CSS Fonts 4, 11.1: 3 s). */
const FONTS_MS = 3_000;

/** Through the getter: an element of the page may be called so. */
const fontsOf = getterOf(() => Document, 'fonts');
const isComplete = getterOf(() => HTMLImageElement, 'complete');

/** Wait until the fonts that the page uses are there. */
export async function fontsLoaded(): Promise<void> {
  const late = lateFonts(documentsIn(document));
  if (!late.length) return;
  const all = Promise.all(late.map(({ ready }) => ready));
  await Promise.race([all, new Promise((done) => setTimeout(done, FONTS_MS))]);
}

/** Whether a font or an image that is to be seen has not come. */
export function isMediaLate(trees: Tree[]): boolean {
  return lateFonts(documentsIn(document)).length > 0 || hasLateImage(trees);
}

function lateFonts(documents: Document[]): FontFaceSet[] {
  return documents.map(fontsOf).filter(({ status }) => status === 'loading');
}

/** A document and those of its frames, but for frames in shadow roots: to look for those would be to visit every element. */
function documentsIn(root: Document): Document[] {
  const inner = frames(root).map((one) => nodes.frameDocument(one));
  return [root, ...inner.flatMap((one) => (one ? documentsIn(one) : []))];
}

/** What has the tag alone, in another namespace, has no document. */
function frames(root: Document): HTMLIFrameElement[] {
  return [...matchesIn(root, 'iframe')].filter((one) => isHtml(one, 'iframe')) as HTMLIFrameElement[];
}

function hasLateImage(trees: Tree[]): boolean {
  const images = [...search(trees, 'img').values()].flatMap((found) => [...found]);
  const real = images.filter((one) => isHtml(one, 'img')) as HTMLImageElement[];
  return real.some((image) => !isComplete(image) && !isPutOff(image));
}

/** Whether Chrome requests an image only once it comes near the window. */
function isPutOff(image: HTMLImageElement): boolean {
  if (nodes.attribute(image, 'loading')?.toLowerCase() !== 'lazy') return false;
  const { top, bottom, width, height } = nodes.box(image);
  return top > innerHeight || bottom < 0 || !(width || height);
}
