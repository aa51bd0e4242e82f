// Captures beacons and event streams: that they were sent, opened, lost; it must not read the streams.

'use strict';

{
  const parts = /** @type {Parts} */ (Reflect.get(globalThis, Symbol.for('gasoline')));
  const { apply, nth, of, quietly } = parts.natives;
  const { listen, now } = parts.channel;
  const { bodyOf, failed, said, tell, tellBody, urlOf } = parts.http;

  /** @type {(args: any[], ts: number, queued: boolean) => void} */
  const sent = (args, ts, queued) => {
    const headers = { __proto__: null };
    const asked = { api: 'beacon', method: 'POST', url: urlOf(nth(args, 0)), ts, headers, body: bodyOf(nth(args, 1)) };
    const head = failed(queued ? '' : 'Not queued: too large');
    tell(asked, head);
    tellBody(asked, head, now(), said(null));
  };

  parts.wrap(Navigator.prototype, 'sendBeacon', (target, self, args) => {
    const ts = now();
    const queued = apply(target, self, args);
    quietly(sent, args, ts, queued);
    return queued;
  });

  const urlIn = of(EventSource)('url');
  const { CLOSED } = EventSource;
  /** @type {Head} */
  const opened = { status: 200, headers: undefined, contentType: 'text/event-stream', length: undefined, error: undefined };
  const stateOf = of(EventSource)('readyState');

  /** @type {(source: any) => void} */
  const watch = (source) => {
    let ts = now();
    /** @type {(head: Head) => void} */
    const say = (head) => {
      tell({ api: 'eventsource', method: 'GET', url: urlIn(source), ts, headers: { __proto__: null }, body: said(null) }, head);
      ts = now();
    };
    listen(source, 'open', () => say(opened));
    listen(source, 'error', () => {
      say(failed(stateOf(source) === CLOSED ? 'Failed' : 'Interrupted, connecting again'));
    });
  };

  parts.wrapClass(globalThis, 'EventSource', watch);
}
