// Puts together what the page and the network recorded of an action, in the shape that the diff worker takes.

import { isFault } from '../navigate/outcome.ts';
import { faultsOf, URL_CHARACTERS } from '../navigate/page_faults.ts';
import type { Exchange, TabRequests } from '../navigate/requests.ts';

/** `seen`: the page's own record, whose clock is used for all times; the time in which dialogs held it does not count. */
export function measuredOf(
  { timing, resources, console_errors, errors, websocket_frames, ...seen }: any,
  network: TabRequests,
  tookMs: number,
) {
  const shift = timing.start - network.begun;
  const requests = network.exchanges.map((exchange) => requestOf(exchange, shift, resources ?? []));
  const ends = requests.map(({ start, duration }) => start + (duration ?? 0));
  const end = Math.max(timing.end, ...ends);
  const start = Math.min(timing.start + timing.held, end);
  const open_requests = network.exchanges.filter(({ end }) => end === null).length;
  return {
    ...seen,
    timing: { start, end, settled: timing.start + tookMs },
    ...(resources && { requests }),
    effects: {
      ...faultsOf({ console_errors, errors }, network),
      ...(open_requests && { open_requests }),
      ...(websocket_frames && { websocket_frames }),
    },
  };
}

/** `shift`: from the worker's clock to the page's; `resources`: the page's timeline, which has the sizes. */
function requestOf({ url, method, start, end, status, bytes, error }: Exchange, shift: number, resources: any[]): any {
  const at = resources.findIndex((resource) => resource.url === url);
  const [resource] = at < 0 ? [] : resources.splice(at, 1);
  return {
    ...(bytes !== null && { encodedSize: bytes }),
    ...resource,
    url: url.slice(0, URL_CHARACTERS),
    method,
    status,
    start: rounded(start + shift),
    ...(end !== null && { duration: rounded(end - start) }),
    ...(isFault(error) && { error }),
  };
}

function rounded(value: number) {
  return Math.round(value * 10) / 10;
}
