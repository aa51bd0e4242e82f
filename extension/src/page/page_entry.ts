// The bundle of the page's own world, which runs before the page's first script: captures what only that world sees.

import './natives.ts';
import './channel.ts';
import './dialog_calls.ts'; // first: a dialog that is not reported blocks an action
import './user_prompts.ts';
import './console.ts';
import './errors.ts';
import './websocket.ts';
import './fetch.ts';
import './xhr.ts';
import './beacon.ts';
