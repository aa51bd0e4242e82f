// Tells a packed copy, as from a store, from the folder that `gasoline extension install` makes.

/** The id of that folder, which Chrome derives from the manifest's `key`; a store gives another. */
export const FOLDER_ID = 'fejojhjieijgklidbojhmlbedkjghdjm';

/** The id of this copy if it is a packed one: it has no token beside it, and is paired by a code instead. */
export const packedId = (): string | undefined => (chrome.runtime.id === FOLDER_ID ? undefined : chrome.runtime.id);
