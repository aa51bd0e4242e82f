// Captures what the page fetches; it must neither delay nor consume a body, nor hold the network longer than it has to.
//
// A clone keeps the network busy after the page has cancelled. So an answer is cloned at once only if it is short or an
// error, else when the page itself reads it whole, and of the clone no more is read than is told.

'use strict';

{
  const parts = /** @type {Parts} */ (Reflect.get(globalThis, Symbol.for('gasoline')));
  const { apply, follow, getter, method, nth, of, quietly, startsWith, weakDelete, weakGet, weakSet } = parts.natives;
  const { listen, now } = parts.channel;
  const { dataOf } = parts.describe;
  const { RESPONSE, binaryText, bodyOf, cut, eachHeader, faultText, headersOf, inherits, kindOf, lengthOf, methodOf } = parts.http;
  const { addHeader, failed, said, tell, tellBody, urlOf } = parts.http;

  /** Bytes of an answer that is cloned at once, and milliseconds that are spent on reading one. */
  const SHORT = 256 * 1024;
  const PATIENCE = 3000;

  const request = of(Request);
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
  const timeout = method(AbortSignal.timeout);
  const Decoder = TextDecoder;
  const Signal = AbortSignal;

  /** @type {any} */
  const more = { __proto__: null, stream: true };
  const ignore = () => undefined;

  /** What the page has not read yet, and how we read it then. */
  const pending = new WeakMap();

  /**
   * Read the beginning of a stream that is ours, then let go of it. By its reader: `pipeTo` calls the page's own `then`.
   * @param {any} stream
   * @param {number} limit
   * @param {(body: Said) => void} done
   */
  const readHead = (stream, limit, done) => {
    const reader = getReader(stream);
    const decoder = new Decoder();
    let text = '';
    let over = false;

    /** @param {boolean} whole */
    const finish = (whole) => {
      if (over) return;
      over = true;
      if (!whole) follow(cancel(reader), ignore, ignore);
      done(said(cut(text, limit).text, undefined, !whole || text.length > limit));
    };
    const next = () => follow(read(reader), (/** @type {any} */ step) => quietly(take, step), () => finish(false));
    const take = (/** @type {{value: any, done: boolean}} */ step) => {
      if (step.done) return finish(true);
      text += decode(decoder, step.value, more);
      if (text.length > limit) finish(false);
      else if (!over) next();
    };
    listen(timeout(Signal, PATIENCE), 'abort', () => finish(false));
    next();
  };

  /** @type {(reply: any, asked: Asked, head: Head, ended: number) => void} */
  const readNow = (reply, asked, head, ended) => {
    weakDelete(pending, reply);
    if (responseUsed(reply)) return;
    try {
      const stream = responseBody(cloneResponse(reply));
      if (stream === null) tellBody(asked, head, ended, said(null));
      else readHead(stream, RESPONSE, (body) => tellBody(asked, head, ended, body));
    } catch {
      // locked: the page reads it in its own way
    }
  };

  /** @type {(reply: any, asked: Asked, head: Head) => void} */
  const watchBody = (reply, asked, head) => {
    const ended = now();
    const kind = kindOf(head.contentType);
    if (kind === 'binary') tellBody(asked, head, ended, said(binaryText(head.length, head.contentType)));
    else if (kind === 'stream') tellBody(asked, head, ended, said('[Stream]'));
    else if (head.status >= 400 || (head.length !== undefined && head.length <= SHORT)) readNow(reply, asked, head, ended);
    else weakSet(pending, reply, () => readNow(reply, asked, head, ended));
  };

  /** @type {(reply: any) => Head} */
  const headOf = (reply) => {
    const headers = /** @type {any} */ ({ __proto__: null });
    eachHeader(responseHeaders(reply), (value, name) => {
      addHeader(headers, name, /** @type {any} */ (value));
    });
    const length = headers['content-encoding'] ? undefined : lengthOf(headers['content-length']);
    return { status: status(reply), headers, contentType: headers['content-type'] ?? null, length, error: undefined };
  };

  /** @type {(input: any, init: any) => Asked} */
  const describe = (input, init) => {
    const asked = /** @type {Asked} */ ({ api: 'fetch', ts: now(), method: 'GET', url: '', headers: undefined, body: said(null) });
    const isRequest = inherits(input, Request.prototype);
    const given = (/** @type {string} */ name) => (init === undefined || init === null ? undefined : dataOf(init, name));
    asked.url = isRequest ? requestUrl(input) : urlOf(input);
    asked.method = methodOf(given('method') ?? (isRequest ? requestMethod(input) : undefined));
    asked.headers = headersOf(given('headers') ?? (isRequest ? requestHeaders(input) : undefined));
    asked.body = bodyOf(given('body'));
    if (isRequest && asked.body.text === null && parts.channel.capture.bodies) readRequest(input, asked);
    return asked;
  };

  /** @type {(input: any, asked: Asked) => void}  only what is known to be text: a stream has no type of its own */
  const readRequest = (input, asked) => {
    const type = asked.headers['content-type'];
    if (asked.method === 'GET' || asked.method === 'HEAD' || requestUsed(input)) return;
    if (!type || kindOf(type) !== 'text') {
      asked.body = said(type ? binaryText(undefined, type) : null);
      return;
    }
    const stream = requestBody(cloneRequest(input));
    if (stream === null) return;
    readHead(stream, RESPONSE / 2, (body) => {
      asked.body = body;
    });
  };

  /** @type {(asked: Asked, reply: any) => void} */
  const answered = (asked, reply) => {
    const head = headOf(reply);
    if (!asked.url) asked.url = responseUrl(reply);
    tell(asked, head);
    if (parts.channel.capture.bodies) watchBody(reply, asked, head);
  };

  /** @type {(asked: Asked, fault: any) => void} */
  const refused = (asked, fault) => {
    const head = failed(faultText(fault));
    tell(asked, head);
    tellBody(asked, head, now(), said(null));
  };

  parts.wrap(globalThis, 'fetch', (target, self, args) => {
    const asked = parts.channel.capture.on && args.length > 0 ? quietly(describe, nth(args, 0), nth(args, 1)) : undefined;
    const promise = apply(target, self, args);
    if (!asked || startsWith(asked.url, 'chrome-extension:')) return promise;
    return follow(
      promise,
      (/** @type {any} */ reply) => {
        quietly(answered, asked, reply);
        return reply;
      },
      (/** @type {any} */ fault) => {
        quietly(refused, asked, fault);
        throw fault;
      },
    );
  });

  for (const name of ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text']) {
    parts.wrap(Response.prototype, name, (target, self, args) => {
      const readLate = weakGet(pending, self);
      if (readLate) quietly(readLate);
      return apply(target, self, args);
    });
  }

  parts.wrap(Response.prototype, 'clone', (target, self, args) => {
    const copy = apply(target, self, args);
    const read = weakGet(pending, self);
    if (read) weakSet(pending, copy, read);
    return copy;
  });
}
