// Recognizes our script of the page's world as the place that Chrome names, in whose calls the page's own arrive there.

/** Its name in stacks begins so (extension/build.mjs); of such an address a policy's report has only this. */
const SCHEME = 'gasoline';

export function isOwnSource(source: string): boolean {
  return source === SCHEME || source.startsWith(`${SCHEME}:`);
}
