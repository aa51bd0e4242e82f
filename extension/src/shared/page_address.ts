// Tells pages apart by their addresses: the query or the fragment may be a page's state.

/** Return the address without its query and fragment; undefined if it is none. */
export function pageOf(address = ''): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { origin, protocol, pathname } = new URL(address);
  return (origin === 'null' ? protocol : origin) + pathname;
}
