// The bundle of the top frame's isolated world: measures the load of the page, which a frame's is not.

import { pageLoad, startVitals } from './capture/vitals.ts';
import { startOnce } from './frame.ts';
import { addHandlers } from './message_handlers.ts';

startOnce('vitals', () => {
  startVitals();
  addHandlers({ page_load: pageLoad });
});
