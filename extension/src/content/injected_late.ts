// Marks this frame as one whose page ran scripts before ours: messages from the page's world may be forged then.

import { frame } from './frame.ts';

if (!frame.relay) {
  frame.injectedLate = true;
  frame.excluded = undefined; // the script that states it runs at the beginning of a page
}
