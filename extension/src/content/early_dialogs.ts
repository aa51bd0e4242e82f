// Has a new page hold its first dialogs, for an action may have led to it; it is registered only while actions are allowed.

import { frame } from './frame.ts';

frame.holdEarlyDialogs?.();
