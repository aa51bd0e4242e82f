// The script by which every frame of a page reports its place to the service worker, each by itself: one may hang.

import { windowPlace } from '../shared/window_place.ts';

chrome.runtime.sendMessage({ name: 'frame_placed', ...windowPlace() }).catch(() => {});
