// Decides how a picture is taken: from the window as it is, or by the debugger; and which pixels it has. Pure.

export type Box = { x: number; y: number; width: number; height: number };

type Size = { width: number; height: number };

/** What the page measures; `area` and `sight`, what the window shows, in its viewport, all in its pixels. */
export type Place = {
  url: string;
  title: string;
  area: Box;
  sight: Box;
  viewport: Size;
  page: Size;
  scroll: { x: number; y: number };
  hidden: boolean;
};

/** The longest side that Chrome draws (the size of a texture on the GPU), in pixels of the picture. */
const EDGE_PX = 16_384;

/** The store's bound is 64 million; a picture of more pixels takes seconds to code. */
const PIXELS = 60_000_000;

/** Whether all of the area is in sight. */
export function isInSight({ area, sight }: Place): boolean {
  const [x, y] = [area.x - sight.x, area.y - sight.y];
  return x >= -0.5 && y >= -0.5 && x + area.width <= sight.width + 0.5 && y + area.height <= sight.height + 0.5;
}

/** The area in the pixels of a picture of all that is in sight: all pixels that it touches. */
export function partOf({ area, sight }: Place, scale: number, picture: Size): Box {
  const [left, top] = [(area.x - sight.x) * scale, (area.y - sight.y) * scale];
  const [right, bottom] = [left + area.width * scale, top + area.height * scale];
  const [x, y] = [Math.max(0, Math.floor(left + 0.01)), Math.max(0, Math.floor(top + 0.01))];
  const width = Math.min(picture.width, Math.ceil(right - 0.01)) - x;
  const height = Math.min(picture.height, Math.ceil(bottom - 0.01)) - y;
  return { x, y, width: Math.max(1, width), height: Math.max(1, height) };
}

/** How much of the viewport's height a strip has: the debugger's bar takes some, at a time of its own. */
const STRIP = 0.6;

/** The parts of an area, lower than the viewport each: Chrome repeats what is in sight where a part is higher. */
export function stripsOf(area: Box, viewportHeight: number): Box[] {
  const height = Math.max(1, Math.floor(viewportHeight * STRIP));
  const count = Math.ceil(area.height / height);
  return Array.from({ length: count }, (_, at) => ({
    ...area,
    y: area.y + at * height,
    height: Math.min(height, area.height - at * height),
  }));
}

/**
 * The area from the corner of the page, as far as Chrome can draw it, in the debugger's pixels, of which a page that the
 * user has zoomed has fewer. `scale`: the picture's pixels for each of the debugger's.
 */
export function clipOf({ area, scroll }: Place, zoom: number, scale: number): Box & { truncated: boolean } {
  const whole = { width: Math.ceil(area.width * zoom), height: Math.ceil(area.height * zoom) };
  const width = Math.max(1, Math.min(whole.width, Math.floor(EDGE_PX / scale)));
  const most = Math.min(Math.floor(EDGE_PX / scale), Math.floor(PIXELS / (width * scale * scale)));
  const height = Math.max(1, Math.min(whole.height, most));
  const truncated = width < whole.width || height < whole.height;
  return { x: (area.x + scroll.x) * zoom, y: (area.y + scroll.y) * zoom, width, height, truncated };
}
