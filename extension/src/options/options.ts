// The options page: shows the settings, and stores what the user switches; the service worker applies them.

import { followSettings } from '../shared/switches.ts';
import { followShortcuts } from './shortcuts.ts';
import { followSites } from './site_lists.ts';

const version = document.querySelector('#version') as HTMLElement;
version.textContent = chrome.runtime.getManifest().version;
await Promise.all([followSettings(), followSites(), followShortcuts()]);
