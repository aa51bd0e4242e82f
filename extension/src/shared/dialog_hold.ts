// How long a page is held before its dialog opens: in this time the service worker attaches its debugger.

/** Word and attaching together took 3 to 20 ms (measured), and once more than 120 on a busy machine. */
export const HELD_MS = 250;

/** Hold the page's thread for that time: a page has no other way to wait. */
export function holdPage() {
  const end = performance.now() + HELD_MS;
  while (performance.now() < end);
}
