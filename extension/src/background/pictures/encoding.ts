// Cuts, shrinks and codes pictures; it must ask nothing of a page.

import type { Box } from './areas.ts';

/** Seed 004, Risks: a larger picture is reduced. */
export const PICTURE_BYTES = 2 * 1024 * 1024;

/** How much smaller than need be each next try is: a picture's bytes do not follow its area. */
const MARGIN = 0.9;

const HEADER = 24; // signature, length and name of the first chunk, width, height (https://www.w3.org/TR/png-3/#11IHDR)

/** `base64`: the same bytes as text, if they came so. */
export type Png = { bytes: Uint8Array<ArrayBuffer>; width: number; height: number; base64?: string };

/** A loop: `Uint8Array.from` takes ten times as long, 11 ms for 150 KB. */
export function fromBase64(base64: string): Png {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return { ...sized(bytes), base64 };
}

/** Return the bytes as text, in pieces that a call can take. */
export function toBase64({ bytes, base64 }: Png): string {
  if (base64 !== undefined) return base64;
  let binary = '';
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}

/** Cut a part out of a picture, in its pixels. */
export async function cut(png: Png, part: Box): Promise<Png> {
  return drawn(png, part, { width: part.width, height: part.height });
}

/** Make a picture smaller until it has so many bytes at most; give by how much its sides shrank. */
export async function reduced(png: Png, most: number = PICTURE_BYTES): Promise<{ png: Png; factor: number }> {
  let now = png;
  while (now.bytes.length > most && Math.max(now.width, now.height) > 1) {
    const factor = Math.min(MARGIN, Math.sqrt(most / now.bytes.length) * MARGIN);
    const size = { width: smaller(now.width, factor), height: smaller(now.height, factor) };
    now = await drawn(png, { x: 0, y: 0, width: png.width, height: png.height }, size);
  }
  return { png: now, factor: now.width / png.width };
}

const smaller: (side: number, factor: number) => number = (side, factor) => Math.max(1, Math.floor(side * factor));

/** Join pictures of one width, each below the one before. */
export async function joined(strips: Png[]): Promise<Png> {
  const [first] = strips as [Png];
  if (strips.length === 1) return first;
  const canvas = new OffscreenCanvas(
    first.width,
    strips.reduce((sum, { height }) => sum + height, 0),
  );
  const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
  let top = 0;
  for (const { bytes, height } of strips) {
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    context.drawImage(image, 0, top);
    image.close();
    top += height;
  }
  return coded(canvas);
}

/** Paint on a picture in Base64. */
export async function painted(
  picture: string,
  draw: (pen: OffscreenCanvasRenderingContext2D) => void,
): Promise<string> {
  const { bytes, width, height } = fromBase64(picture);
  const canvas = new OffscreenCanvas(width, height);
  const pen = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  pen.drawImage(image, 0, 0);
  image.close();
  draw(pen);
  return toBase64(await coded(canvas));
}

async function coded(canvas: OffscreenCanvas): Promise<Png> {
  const blob = await canvas.convertToBlob({ type: 'image/png' });
  return sized(new Uint8Array(await blob.arrayBuffer()));
}

async function drawn(png: Png, part: Box, size: { width: number; height: number }): Promise<Png> {
  const image = await createImageBitmap(new Blob([png.bytes], { type: 'image/png' }));
  const canvas = new OffscreenCanvas(size.width, size.height);
  const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, part.x, part.y, part.width, part.height, 0, 0, size.width, size.height);
  image.close();
  return coded(canvas);
}

function sized(bytes: Uint8Array<ArrayBuffer>): Png {
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER);
  return { bytes, width: view.getUint32(16), height: view.getUint32(20) };
}
