// The failures of tabs and frames to which Chrome gives extensions no access.

import type { Obstacle } from '../../shared/obstacles.ts';
import { Failure } from '../failure.ts';
import type { Tab } from './tabs.ts';

export function closedTo(tab: Tab, { reason, because, recovery }: Obstacle): Failure {
  return new Failure('tab_not_scriptable', `Extensions have no access to tab ${tab.id}: ${because}.`, {
    details: { tab_id: tab.id, url: (tab.url ?? '').slice(0, 500), reason },
    recovery,
  });
}

export function frameClosed(because: string): Failure {
  return new Failure('frame_not_scriptable', `Extensions have no access to this frame: ${because}.`, {
    details: { parameter: 'frame' },
  });
}
