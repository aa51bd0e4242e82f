// Captures what the page fetches; it must neither delay nor consume a body, nor hold the network longer than it has to.
//
// A clone keeps the network busy after the page has cancelled. So an answer is cloned at once only if it is short or an
// error, else when the page itself reads it whole, and of the clone no more is read than is captured. If the page reads it
// in its own way, or not at all, the body is captured without its text.

import { channel, wrap } from './channel.ts';
import { describer } from './describe_value.ts';
import { type Asked, type BodyText, type Head, http } from './http.ts';
import { natives } from './natives.ts';

const { apply, eachHeader, follow, getter, inherits, method, nth, of, quietly, setAdd, setDelete, setEach } = natives;
const { weakGet, weakSet } = natives;
const { listen, now } = channel;
const { dataOf } = describer;
const { RESPONSE, binaryText, bodyOf, cut, faultText, headersOf, kindOf, lengthOf, methodOf } = http;
const { addHeader, after, begun, failed, foreign, bodyText, report, reportBody, urlOf } = http;

/** Bytes of an answer that is cloned at once, and milliseconds that are spent on reading one. */
const SHORT = 256 * 1024;
const READ_MS = 3000;

const request = of(Request);
const { prototype: ofRequest } = Request;
const requestUrl = request('url');
const requestMethod = request('method');
const requestHeaders = request('headers');
const requestUsed = request('bodyUsed');
const cloneRequest = method(Request.prototype.clone);
const response = of(Response);
const status = response('status');
const responseUrl = response('url');
const responseHeaders = response('headers');
const responseUsed = response('bodyUsed');
const responseBody = response('body');
const cloneResponse = method(Response.prototype.clone);
const requestBody = getter(Request.prototype, 'body');
const getReader = method(ReadableStream.prototype.getReader);
const read = method(ReadableStreamDefaultReader.prototype.read);
const cancel = method(ReadableStreamDefaultReader.prototype.cancel);
const decode = method(TextDecoder.prototype.decode);
const Decoder = TextDecoder;

const more: any = { __proto__: null, stream: true };
const ignore = () => undefined;

/** What the page has not read yet, and how we read it then. */
const pending = new WeakMap();

/** What has to be captured at the latest when the page is left. */
const owed = new Set();

/** When the page is left, or our patience is at its end. */
const owe: (report: () => void) => void = (report) => {
  after(READ_MS, report);
  setAdd(owed, report);
};

/** Read the beginning of a stream that is ours, then cancel it. By its reader: `pipeTo` calls the page's own `then`. */
const readHead = (stream: any, limit: number, done: (body: BodyText) => void) => {
  const reader = getReader(stream);
  const decoder = new Decoder();
  let text = '';
  let over = false;

  const finish = (whole: boolean) => {
    if (over) return;
    over = true;
    setDelete(owed, giveUp);
    if (!whole) follow(cancel(reader), ignore, ignore);
    const kept = cut(text, limit);
    done(bodyText(kept.text, undefined, !whole || kept.cut));
  };
  const giveUp = () => finish(false);
  const next = () => follow(read(reader), (step: any) => quietly(take, step), giveUp);
  const take = (step: { value: any; done: boolean }) => {
    if (step.done) return finish(true);
    text += decode(decoder, step.value, more);
    if (text.length > limit) finish(false);
    else if (!over) next();
  };
  owe(giveUp);
  next();
};

/** Whether it can be read: what is locked cannot. */
const readNow: (reply: any, done: (body: BodyText) => void) => boolean = (reply, done) => {
  if (responseUsed(reply)) return false;
  try {
    readHead(responseBody(cloneResponse(reply)), RESPONSE, done);
    return true;
  } catch {
    return false;
  }
};

/** When the page reads it whole, if that is soon; `done` once. */
const readLater: (reply: any, done: (body: BodyText) => void) => void = (reply, done) => {
  let over = false;
  const giveUp = () => {
    setDelete(owed, giveUp);
    if (!over) done(bodyText('[Not read]'));
    over = true;
  };
  weakSet(pending, reply, (read: any) => {
    if (over || !readNow(read, done)) return;
    over = true;
    setDelete(owed, giveUp);
  });
  owe(giveUp);
};

const isShort: (asked: Asked, head: Head) => boolean = ({ method: asked }, { status: code, length }) => {
  return asked === 'HEAD' || code === 204 || code >= 400 || (length !== undefined && length <= SHORT);
};

const watchBody: (reply: any, asked: Asked, head: Head) => void = (reply, asked, head) => {
  const ended = now();
  const kind = kindOf(head.contentType);
  const done = (body: BodyText) => {
    const reportIt = () => reportBody(asked, head, ended, body);
    if (asked.reading)
      asked.afterwards = reportIt; // the answer of a server nearby can be there first
    else reportIt();
  };
  if (kind === 'binary') done(bodyText(binaryText(head.length, head.contentType)));
  else if (kind === 'stream') done(bodyText('[Stream]'));
  else if (responseBody(reply) === null) done(bodyText(null));
  else if (isShort(asked, head)) readNow(reply, done) || done(bodyText('[Not read]'));
  else readLater(reply, done);
};

const headOf: (reply: any) => Head = (reply) => {
  const headers = { __proto__: null } as any;
  eachHeader(responseHeaders(reply), (value: string, name: string) => addHeader(headers, name, value));
  const length = headers['content-encoding'] ? undefined : lengthOf(headers['content-length']);
  return { status: status(reply), headers, contentType: headers['content-type'] ?? null, length, error: undefined };
};

const describe: (input: any, init: any) => Asked = (input, init) => {
  const asked = {
    __proto__: null,
    api: 'fetch',
    ts: now(),
    method: 'GET',
    url: '',
    headers: undefined,
    body: bodyText(null),
    reading: false,
    afterwards: undefined,
    ended: false,
  } as Asked;
  const isRequest = inherits(input, ofRequest);
  const option = (name: string) => (init === undefined || init === null ? undefined : dataOf(init, name));
  asked.url = isRequest ? requestUrl(input) : urlOf(input);
  asked.method = methodOf(option('method') ?? (isRequest ? requestMethod(input) : undefined));
  asked.headers = headersOf(option('headers') ?? (isRequest ? requestHeaders(input) : undefined));
  asked.body = bodyOf(option('body'));
  if (isRequest && asked.body.text === null && channel.capture.bodies) readRequest(input, asked);
  return asked;
};

/** Only what is known to be text: a stream has no type of its own. */
const readRequest: (input: any, asked: Asked) => void = (input, asked) => {
  const type = asked.headers['content-type'];
  if (asked.method === 'GET' || asked.method === 'HEAD' || requestUsed(input)) return;
  if (!type || kindOf(type) !== 'text') {
    asked.body = bodyText(type ? binaryText(undefined, type) : null);
    return;
  }
  const stream = requestBody(cloneRequest(input));
  if (stream === null) return;
  asked.reading = true;
  readHead(stream, RESPONSE / 2, (body) => {
    asked.body = body;
    asked.reading = false;
    asked.afterwards?.();
  });
};

const answered: (asked: Asked, reply: any) => void = (asked, reply) => {
  const head = headOf(reply);
  if (!asked.url) asked.url = responseUrl(reply);
  report(asked, head);
  if (channel.capture.bodies) watchBody(reply, asked, head);
};

const refused: (asked: Asked, fault: any) => void = (asked, fault) => {
  const head = failed(faultText(fault));
  report(asked, head);
  reportBody(asked, head, now(), bodyText(null));
};

wrap(globalThis, 'fetch', (target, self, args) => {
  const asked = channel.capture.on && args.length > 0 ? quietly(describe, nth(args, 0), nth(args, 1)) : undefined;
  const promise = apply(target, self, args);
  if (!asked || foreign(asked.url)) return promise;
  quietly(begun, asked);
  return follow(
    promise,
    (reply: any) => {
      quietly(answered, asked, reply);
      return reply;
    },
    (fault: any) => {
      quietly(refused, asked, fault);
      throw fault;
    },
  );
});

listen(globalThis, 'pagehide', () => setEach(owed, (report: () => void) => quietly(report)));

for (const name of ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text']) {
  wrap(Response.prototype, name, (target, self, args) => {
    const readLate = weakGet(pending, self);
    if (readLate) quietly(readLate, self);
    return apply(target, self, args);
  });
}

wrap(Response.prototype, 'clone', (target, self, args) => {
  const copy = apply(target, self, args);
  const read = weakGet(pending, self);
  if (read) weakSet(pending, copy, read);
  return copy;
});
