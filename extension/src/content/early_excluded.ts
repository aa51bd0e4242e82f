// Keeps Gasoline out of a page before its first script; it is registered only for the sites that the user has excluded.

import { frame } from './frame.ts';

frame.excluded = true;
frame.relay?.preset({ on: false });
