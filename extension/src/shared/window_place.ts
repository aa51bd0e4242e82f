// Finds where among all windows of a page a window is. It runs by its text in pages too: it must use nothing from outside.

type PlacedWindow = { parent: PlacedWindow; length: number; [index: number]: PlacedWindow };

/**
 * Return the place of a window, its own by default: its number among its parent's, from the page's own down; -1 for one
 * in a shadow root, which no window lists. Windows of any origin may be compared. `url` is of the own window alone.
 */
export function windowPlace(window?: object): { place: number[]; url: string } {
  const own = globalThis as unknown as PlacedWindow & { location: { href: string } };
  const place = [];
  for (let at = (window ?? own) as PlacedWindow; at !== at.parent; at = at.parent) {
    const { parent } = at;
    let number = parent.length - 1;
    while (number >= 0 && parent[number] !== at) number--;
    place.unshift(number);
  }
  return { place, url: window ? '' : own.location.href };
}
