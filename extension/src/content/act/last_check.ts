// The check of the last action: whether what it did still holds when the page has come to rest.

type Check = () => object | void;

/** `run` is undefined where there is nothing to check; `field`: whose state is reported, `focus`: where that has gone too. */
export const lastCheck: { run: Check | undefined; field?: Element | undefined; focus?: boolean } = { run: undefined };
