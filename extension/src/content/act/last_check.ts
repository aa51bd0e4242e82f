// The check of the last action: whether what it did still holds when the page has come to rest.

type Check = () => object | void;

/** `run` is undefined where there is nothing to check. */
export const lastCheck: { run: Check | undefined } = { run: undefined };
