// Switches the capture of network bodies on before the page's first request; it is registered only while the user wants it.

import { frame } from './frame.ts';

frame.relay?.preset({ bodies: true });
