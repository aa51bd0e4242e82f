// Where it is stored that an assistant has asked something of this browser; it must not be read or written here.

/** The name in chrome.storage.local. */
export const ASKED = 'asked';
