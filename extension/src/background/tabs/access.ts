// Makes the errors of tabs and frames that Chrome closes to extensions.

import type { Obstacle } from '../../shared/obstacles.ts';
import { Failure } from '../failure.ts';
import type { Tab } from './tabs.ts';

/** Make the refusal that tells why a tab is closed to us. */
export function closedTo(tab: Tab, { reason, because, recovery }: Obstacle): Failure {
  return new Failure('tab_not_scriptable', `Extensions have no access to tab ${tab.id}: ${because}.`, {
    details: { tab_id: tab.id, url: (tab.url ?? '').slice(0, 500), reason },
    recovery,
  });
}

/** Make the refusal that tells why a frame is closed to us. */
export function frameClosed(because: string): Failure {
  return new Failure('frame_not_scriptable', `Extensions have no access to this frame: ${because}.`, {
    details: { parameter: 'frame' },
    recovery: 'See that the iframe has loaded a web page (http or https), then try again.',
  });
}
