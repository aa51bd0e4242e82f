// Shows the settings and stores what the human switches; it must not put them into effect: the worker does.

import { followSettings } from '../shared/switches.ts';

const version = document.querySelector('#version') as HTMLElement;
version.textContent = chrome.runtime.getManifest().version;
await followSettings();
