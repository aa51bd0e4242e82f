// The tabs with frames from which something came: one in a shadow root is not in `window.length`.

const framed: Set<number> = new Set();

/** Note who has sent captured events. */
export function noteFrame({ tab, frame }: { tab: number; frame: number }) {
  if (frame) framed.add(tab);
}

/** Whether other frames of a tab than the page's own have sent something, of this page or of one before it. */
export function hasFrames(tab: number): boolean {
  return framed.has(tab);
}
