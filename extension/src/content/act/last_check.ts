// The check of the last action: whether what it did still holds when the page has come to rest.

type Check = () => object | void;

/**
 * `run` is undefined where there is nothing to check; `field`: whose state is reported, `focus`: where that has gone too,
 * `list`: a list was opened and chosen in, whose texts are no messages.
 */
export const lastCheck: { run: Check | undefined; field?: Element | undefined; focus?: boolean; list?: boolean } = {
  run: undefined,
};
