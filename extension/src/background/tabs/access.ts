// The failures of tabs and frames to which Chrome gives extensions no access.

import type { Obstacle } from '../../shared/obstacles.ts';
import { siteExcluded } from '../../shared/site_excluded.ts';
import { Failure } from '../failure.ts';
import type { Tab } from './tabs.ts';

export function closedTo(tab: Tab, { reason, because, recovery }: Obstacle): Failure {
  return new Failure('tab_not_scriptable', `Extensions have no access to tab ${tab.id}: ${because}.`, {
    details: { tab_id: tab.id, url: (tab.url ?? '').slice(0, 500), reason },
    recovery,
  });
}

/** A tab or frame of a site that the user keeps Gasoline out of. */
export function siteClosed(host: string): Failure {
  return Failure.of(siteExcluded(host));
}

export function frameClosed(because: string): Failure {
  return new Failure('frame_not_scriptable', `Extensions have no access to this frame: ${because}.`, {
    details: { parameter: 'frame' },
  });
}
