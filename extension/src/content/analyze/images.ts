// Measures the images of a page: their own pixels, the room that they have, and where they are.

import { nameOf } from '../dom/naming.ts';
import { nodes } from '../dom/nodes.ts';
import { search, type Tree } from '../dom/search.ts';
import { rounded } from '../dom/text.ts';
import { bareAddress } from './addresses.ts';

const IMAGES = 300;

/** How far its sides may be from its own proportion (Lighthouse, image-aspect-ratio), in px. */
const TOLERANCE_PX = 2;

export function imagesOf(trees: Tree[]): object[] {
  const all = [...search(trees, 'img').values()].flatMap((found) => [...found] as HTMLImageElement[]);
  return all
    .filter((image) => image.naturalWidth > 0 && bareAddress(image.currentSrc) !== '')
    .slice(0, IMAGES)
    .map(measured);
}

function measured(image: HTMLImageElement) {
  const { naturalWidth, naturalHeight, width, height } = image;
  const isShown = nodes.isRendered(image);
  const box = nodes.box(image);
  return {
    selector: nameOf(image),
    address: bareAddress(image.currentSrc),
    width: naturalWidth,
    height: naturalHeight,
    shown_width: isShown ? width : 0,
    shown_height: isShown ? height : 0,
    below_px: isShown ? rounded(Math.max(0, box.top + scrollY - innerHeight)) : 0,
    is_lazy: nodes.attribute(image, 'loading') === 'lazy',
    is_sized: !isShown || hasRoom(image),
    is_stretched: isShown && isStretched(image),
    is_vector: /\.svg$/i.test(new URL(image.currentSrc).pathname),
  };
}

/** Whether it has its room before it is loaded: by its own height or proportion, or that of what it is in. */
function hasRoom(image: HTMLImageElement): boolean {
  const { position, aspectRatio } = getComputedStyle(image);
  if (position === 'absolute' || position === 'fixed' || /\d/.test(aspectRatio)) return true;
  const around = nodes.parent(image);
  return isFixed(image) || (around instanceof Element && isFixed(around));
}

/** The computed height, before layout: a length, or `auto`. */
function isFixed(element: Element) {
  return String(element.computedStyleMap().get('height')) !== 'auto';
}

/** Whether it is drawn out of its proportion, and not cut to fit. */
function isStretched(image: HTMLImageElement): boolean {
  const { naturalWidth, naturalHeight, width, height } = image;
  if (!width || !height || getComputedStyle(image).objectFit !== 'fill') return false;
  const isWrong = (side: number, meant: number) => Math.abs(side - meant) > TOLERANCE_PX;
  return (
    isWrong(height, (width * naturalHeight) / naturalWidth) && isWrong(width, (height * naturalWidth) / naturalHeight)
  );
}
