// Captures the page's XMLHttpRequests when they are over; it must not listen to uploads, which would change the request.

'use strict';

{
  const parts = /** @type {Parts} */ (Reflect.get(globalThis, Symbol.for('gasoline')));
  const { apply, blobSize, bufferLength, indexOf, lower, method, nth, of, quietly, slice, stringify, trim, weakGet, weakSet } = parts.natives;
  const { listen, now } = parts.channel;
  const { budget, value } = parts.describe;
  const { RESPONSE, addHeader, binaryText, bodyOf, cut, failed, faultText, kindOf, lengthOf, methodOf, said, tell, tellBody, urlOf } = parts.http;

  const request = of(XMLHttpRequest);
  const status = request('status');
  const response = request('response');
  const responseType = request('responseType');
  const allHeaders = method(XMLHttpRequest.prototype.getAllResponseHeaders);
  const stateOf = request('readyState');
  const { DONE } = XMLHttpRequest;
  const eventType = of(Event)('type');

  /** @type {WeakMap<object, {asked: Asked, sent: boolean}>} */
  const requests = new WeakMap();

  /** @type {(text: string) => any}  of `name: value` lines */
  const headersIn = (text) => {
    const headers = /** @type {any} */ ({ __proto__: null });
    for (let from = 0, end = indexOf(text, '\r\n'); end >= 0; from = end + 2, end = indexOf(text, '\r\n', from)) {
      const line = slice(text, from, end);
      const colon = indexOf(line, ':');
      if (colon > 0) addHeader(headers, lower(slice(line, 0, colon)), trim(slice(line, colon + 1)));
    }
    return headers;
  };

  /** @type {(xhr: any) => Head} */
  const headOf = (xhr) => {
    const headers = headersIn(allHeaders(xhr));
    const length = headers['content-encoding'] ? undefined : lengthOf(headers['content-length']);
    return { status: status(xhr), headers, contentType: headers['content-type'] ?? null, length, error: undefined };
  };

  /** @type {(parsed: any) => Said}  what the browser has parsed for the page, as text again */
  const jsonText = (parsed) => {
    const left = { ...budget(), depth: 32, keys: 10_000, items: 10_000 };
    const body = cut(stringify(value(parsed, left)), RESPONSE);
    if (left.cut) body.cut = true;
    return body;
  };

  /** @type {Record<string, (xhr: any, head: Head) => Said>}  by `responseType` */
  const bodies = /** @type {any} */ ({
    __proto__: null,
    '': (/** @type {any} */ xhr) => cut(response(xhr), RESPONSE),
    text: (/** @type {any} */ xhr) => cut(response(xhr), RESPONSE),
    json: (/** @type {any} */ xhr) => jsonText(response(xhr)),
    document: () => said('[Document]'),
    blob: (/** @type {any} */ xhr, /** @type {Head} */ head) => sized(blobSize(response(xhr)), head),
    arraybuffer: (/** @type {any} */ xhr, /** @type {Head} */ head) => sized(bufferLength(response(xhr)), head),
  });

  /** @type {(size: number | undefined, head: Head) => Said} */
  const sized = (size, head) => said(binaryText(size, head.contentType));

  /** @type {(xhr: any, head: Head) => Said} */
  const bodyIn = (xhr, head) => {
    const kind = kindOf(head.contentType);
    const type = responseType(xhr);
    if (kind === 'binary' && (type === '' || type === 'text')) return sized(head.length, head);
    return kind === 'stream' ? said('[Stream]') : /** @type {any} */ (bodies[type])(xhr, head);
  };

  /** @type {(xhr: any, outcome: string) => void} */
  const ended = (xhr, outcome) => {
    const known = weakGet(requests, xhr);
    if (!known?.sent) return;
    known.sent = false;
    const head = outcome === 'load' ? headOf(xhr) : failed(outcome);
    tell(known.asked, head);
    if (parts.channel.capture.bodies) tellBody(known.asked, head, now(), head.error ? said(null) : bodyIn(xhr, head));
  };

  /** @type {Record<string, string>} */
  const outcomes = /** @type {any} */ ({ __proto__: null, load: 'load', error: 'Failed', abort: 'Aborted', timeout: 'Timed out' });

  /** @type {(xhr: any) => void} */
  const watch = (xhr) => {
    // a page that has opened it again, in a listener before this one, has had the end of the former request told by `open`
    const hear = (/** @type {any} */ event) => stateOf(xhr) === DONE && ended(xhr, outcomes[eventType(event)] ?? 'Failed');
    listen(xhr, 'load', hear);
    listen(xhr, 'error', hear);
    listen(xhr, 'abort', hear);
    listen(xhr, 'timeout', hear);
  };

  /** @type {(self: any, args: any[]) => void} */
  const opened = (self, args) => {
    const headers = { __proto__: null };
    const asked = /** @type {Asked} */ ({ api: 'xhr', method: methodOf(args[0]), url: urlOf(args[1]), ts: now(), headers, body: said(null) });
    const known = weakGet(requests, self);
    if (!known) watch(self);
    ended(self, 'Aborted'); // the browser drops a request that is under way, and fires no event
    weakSet(requests, self, { asked, sent: false });
  };

  /** @type {(self: any) => void}  one whose answer is there, before it is overwritten: its `load` is still to come */
  const finish = (self) => {
    if (weakGet(requests, self)?.sent && stateOf(self) === DONE) ended(self, status(self) ? 'load' : 'Failed');
  };

  parts.wrap(XMLHttpRequest.prototype, 'open', (target, self, args) => {
    quietly(finish, self);
    const answer = apply(target, self, args);
    quietly(opened, self, args);
    return answer;
  });

  parts.wrap(XMLHttpRequest.prototype, 'setRequestHeader', (target, self, args) => {
    const answer = apply(target, self, args);
    const known = weakGet(requests, self);
    if (known) quietly(addHeader, known.asked.headers, nth(args, 0), nth(args, 1));
    return answer;
  });

  /** @type {(self: any, body: any) => any} */
  const begin = (self, body) => {
    const known = weakGet(requests, self);
    if (!known || known.sent || !parts.channel.capture.on) return undefined;
    known.asked.ts = now();
    known.asked.body = bodyOf(body);
    known.sent = true;
    return known;
  };

  parts.wrap(XMLHttpRequest.prototype, 'send', (target, self, args) => {
    const known = quietly(begin, self, nth(args, 0));
    try {
      return apply(target, self, args);
    } catch (fault) {
      if (known?.sent) {
        known.sent = false;
        quietly(tell, known.asked, failed(faultText(fault)));
      }
      throw fault;
    }
  });
}
