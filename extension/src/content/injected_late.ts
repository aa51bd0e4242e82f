// Marks this frame as one whose page ran scripts before ours: what speaks from the page's world may be anybody then.

import { frame } from './frame.ts';

if (!frame.relay) frame.injectedLate = true;
