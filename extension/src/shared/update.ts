// What to do where the server, the service worker and a page's scripts are of different versions.

export const UPDATE =
  'Ask the user to run `gasoline extension install` and to reload the extension on chrome://extensions.';
