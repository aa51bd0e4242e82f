// The errors of a page, as the page counts them and the service worker reports them.

/** How many there were, and the first of them in words. */
export type PageFaults = { console_errors: number; errors: string[] };
