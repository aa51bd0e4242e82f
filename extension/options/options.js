// Shows the settings and stores what the human switches; it must not put them into effect: the worker does.

import { followSettings } from '../popup/switches.js';

const version = /** @type {HTMLElement} */ (document.querySelector('#version'));
version.textContent = chrome.runtime.getManifest().version;
await followSettings();
