// Switches the capture of WebSockets off before the page's first one; it is registered only while the user wants it.

import { frame } from './frame.ts';

frame.relay?.preset({ websockets: false });
