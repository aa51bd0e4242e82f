// Captures the page's XMLHttpRequests when they are over; it must not listen to uploads, which would change the request.

import { channel, wrap } from './channel.ts';
import { describer } from './describe_value.ts';
import { type Asked, type BodyText, type Head, http } from './http.ts';
import { natives } from './natives.ts';

const {
  apply,
  blobSize,
  bufferLength,
  indexOf,
  lower,
  method,
  nth,
  of,
  quietly,
  slice,
  stringify,
  trim,
  weakGet,
  weakSet,
} = natives;
const { listen, now } = channel;
const { budget, value } = describer;
const {
  RESPONSE,
  addHeader,
  begun,
  binaryText,
  bodyOf,
  cut,
  failed,
  faultText,
  kindOf,
  lengthOf,
  methodOf,
  bodyText,
  report,
  reportBody,
  urlOf,
} = http;

const request = of(XMLHttpRequest);
const status = request('status');
const response = request('response');
const responseType = request('responseType');
const allHeaders = method(XMLHttpRequest.prototype.getAllResponseHeaders);
const stateOf = request('readyState');
const { DONE } = XMLHttpRequest;
const eventType = of(Event)('type');

/** What the browser has parsed holds no trap of the page's. */
const END_OF_TIME = Number.POSITIVE_INFINITY;

const requests: WeakMap<object, { asked: Asked; sent: boolean }> = new WeakMap();

/** Of `name: value` lines. */
const headersIn: (text: string) => any = (text) => {
  const headers = { __proto__: null } as any;
  for (let from = 0, end = indexOf(text, '\r\n'); end >= 0; from = end + 2, end = indexOf(text, '\r\n', from)) {
    const line = slice(text, from, end);
    const colon = indexOf(line, ':');
    if (colon > 0) addHeader(headers, lower(slice(line, 0, colon)), trim(slice(line, colon + 1)));
  }
  return headers;
};

const headOf: (xhr: any) => Head = (xhr) => {
  const headers = headersIn(allHeaders(xhr));
  const length = headers['content-encoding'] ? undefined : lengthOf(headers['content-length']);
  return { status: status(xhr), headers, contentType: headers['content-type'] ?? null, length, error: undefined };
};

/** What the browser has parsed for the page, as text again. */
const jsonText: (parsed: any) => BodyText = (parsed) => {
  const left = { ...budget(), depth: 32, keys: 10_000, items: 10_000, until: END_OF_TIME };
  const body = cut(stringify(value(parsed, left)), RESPONSE);
  if (left.cut) body.cut = true;
  return body;
};

/** By `responseType` */
const bodies: Record<string, (xhr: any, head: Head) => BodyText> = {
  __proto__: null,
  '': (xhr: any) => cut(response(xhr), RESPONSE),
  text: (xhr: any) => cut(response(xhr), RESPONSE),
  json: (xhr: any) => jsonText(response(xhr)),
  document: () => bodyText('[Document]'),
  blob: (xhr: any, head: Head) => sized(blobSize(response(xhr)), head),
  arraybuffer: (xhr: any, head: Head) => sized(bufferLength(response(xhr)), head),
} as any;

const sized: (size: number | undefined, head: Head) => BodyText = (size, head) =>
  bodyText(binaryText(size, head.contentType));

const bodyIn: (xhr: any, head: Head) => BodyText = (xhr, head) => {
  const kind = kindOf(head.contentType);
  const type = responseType(xhr);
  if (kind === 'binary' && (type === '' || type === 'text')) return sized(head.length, head);
  return kind === 'stream' ? bodyText('[Stream]') : (bodies[type] as any)(xhr, head);
};

const ended: (xhr: any, outcome: string) => void = (xhr, outcome) => {
  const known = weakGet(requests, xhr);
  if (!known?.sent) return;
  known.sent = false;
  const head = outcome === 'load' ? headOf(xhr) : failed(outcome);
  report(known.asked, head);
  if (channel.capture.bodies) reportBody(known.asked, head, now(), head.error ? bodyText(null) : bodyIn(xhr, head));
};

const outcomes: Record<string, string> = {
  __proto__: null,
  load: 'load',
  error: 'Failed',
  abort: 'Aborted',
  timeout: 'Timed out',
} as any;

const watch: (xhr: any) => void = (xhr) => {
  // a page that has opened it again, in a listener before this one: `open` has captured the end of the former request
  const handle = (event: any) => stateOf(xhr) === DONE && ended(xhr, outcomes[eventType(event)] ?? 'Failed');
  listen(xhr, 'load', handle);
  listen(xhr, 'error', handle);
  listen(xhr, 'abort', handle);
  listen(xhr, 'timeout', handle);
};

const opened: (self: any, args: any[]) => void = (self, args) => {
  const headers = { __proto__: null };
  const asked = {
    api: 'xhr',
    method: methodOf(args[0]),
    url: urlOf(args[1]),
    ts: now(),
    headers,
    body: bodyText(null),
    ended: false,
  } as Asked;
  const known = weakGet(requests, self);
  if (!known) watch(self);
  ended(self, 'Aborted'); // the browser drops a request that is under way, and fires no event
  weakSet(requests, self, { asked, sent: false });
};

/** Capture an answer that is there, before it is overwritten: its `load` is still to come. */
const finish: (self: any) => void = (self) => {
  if (weakGet(requests, self)?.sent && stateOf(self) === DONE) ended(self, status(self) ? 'load' : 'Failed');
};

wrap(XMLHttpRequest.prototype, 'open', (target, self, args) => {
  quietly(finish, self);
  const answer = apply(target, self, args);
  quietly(opened, self, args);
  return answer;
});

wrap(XMLHttpRequest.prototype, 'setRequestHeader', (target, self, args) => {
  const answer = apply(target, self, args);
  const known = weakGet(requests, self);
  if (known) quietly(addHeader, known.asked.headers, nth(args, 0), nth(args, 1));
  return answer;
});

const begin: (self: any, body: any) => any = (self, body) => {
  const known = weakGet(requests, self);
  if (!known || known.sent || !channel.capture.on) return undefined;
  known.asked.ts = now();
  known.asked.body = bodyOf(body);
  known.sent = true;
  begun(known.asked);
  return known;
};

wrap(XMLHttpRequest.prototype, 'send', (target, self, args) => {
  const known = quietly(begin, self, nth(args, 0));
  try {
    return apply(target, self, args);
  } catch (fault) {
    if (known?.sent) {
      known.sent = false;
      quietly(report, known.asked, failed(faultText(fault)));
    }
    throw fault;
  }
});
