// The fault of a call about a site that the user keeps Gasoline out of; it names the host and nothing else of the page.

/** `host`: as in an address. */
export function siteExcluded(host: string): {
  code: 'site_excluded';
  message: string;
  details: { host: string };
} {
  const where = host || 'this site';
  return {
    code: 'site_excluded',
    message: `The user keeps Gasoline out of ${where}: nothing is captured, read or done there.`,
    details: { host },
  };
}
