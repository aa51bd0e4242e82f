// Refuses what is asked about a frame of a site that the user keeps Gasoline out of.

import { siteExcluded } from '../shared/site_excluded.ts';
import { hostOf, siteAmong } from '../shared/sites.ts';
import { type Fault, frame } from './frame.ts';

/** Whether this frame may be read and acted in; the service worker is asked where that is not known yet. */
export async function isOpen(): Promise<boolean> {
  if (frame.excluded === undefined) await frame.relay?.ask();
  return !(frame.excluded ??= true); // no worker has answered
}

export function closedSite(): Fault {
  return siteExcluded(hostOf(siteAmong([self.origin, location.href, ...location.ancestorOrigins])));
}
