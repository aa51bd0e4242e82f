// The bundle of every frame's isolated world: captures what the page does, and answers what no command is needed for.
//
// The page's world connects to the relay before the page's own scripts run, and tries once: this file must be there by then.

import { startDialogWatch } from './capture/dialog_watch.ts';
import { startFirstListeners } from './capture/first_listeners.ts';
import { startHumanActivity } from './capture/human_activity.ts';
import { startOwnTimers } from './capture/own_timers.ts';
import { startPersistentListeners } from './capture/persistent_listeners.ts';
import { startPressGuard } from './capture/press_guard.ts';
import { startRelay } from './capture/relay.ts';
import { startRoutes } from './capture/routes.ts';
import { startTimeline } from './capture/timeline.ts';
import { startUserActions } from './capture/user_actions.ts';
import { startViolations } from './capture/violations.ts';
import { startTypeObserver } from './dom/fields.ts';
import { startEach, startOnce } from './frame.ts';
import { startMessageHandlers } from './message_handlers.ts';
import { startRecorder } from './record/recorder.ts';
import { startPageResults, startResults } from './record/step_results.ts';

startOnce('capture', () =>
  startEach(
    startOwnTimers, // first: the others wait by them
    startPersistentListeners,
    startRelay,
    startMessageHandlers, // commands are answered, whatever becomes of the rest
    startPressGuard,
    startHumanActivity,
    startDialogWatch,
    startTypeObserver,
    startViolations,
    startTimeline,
    startRoutes,
    startUserActions,
    startRecorder,
    startResults,
    startPageResults,
    startFirstListeners, // last: those above see what an overlay takes
  ),
);
