// The errors of a page and the requests of its scripts, as the page knows them and the service worker reports them.

/** How many errors there were, and the first of them in words; `requests`: of its scripts, where they are known. */
export type PageFaults = { console_errors: number; errors: string[]; requests?: PageRequest[] };

/** A request that is over. `ts`: ms since the epoch; `status`: 0 where there was no answer; `error`: why, as a script gets it. */
export type PageRequest = {
  url: string;
  method: string;
  ts: number;
  duration: number;
  status: number;
  size?: number;
  error?: string;
};
