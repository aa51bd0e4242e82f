// Captures beacons and event streams: that they were sent, opened, lost; it must not read the streams.

import { channel, wrap, wrapClass } from './channel.ts';
import { type Head, http } from './http.ts';
import { natives } from './natives.ts';

const { apply, nth, of, quietly } = natives;
const { listen, now } = channel;
const { bodyOf, failed, bodyText, report, reportBody, urlOf } = http;

const sent: (args: any[], ts: number, queued: boolean) => void = (args, ts, queued) => {
  const headers = { __proto__: null };
  const asked = { api: 'beacon', method: 'POST', url: urlOf(nth(args, 0)), ts, headers, body: bodyOf(nth(args, 1)) };
  const head = failed(queued ? '' : 'Not queued: too large');
  report(asked, head);
  reportBody(asked, head, now(), bodyText(null));
};

wrap(Navigator.prototype, 'sendBeacon', (target, self, args) => {
  const ts = now();
  const queued = apply(target, self, args);
  quietly(sent, args, ts, queued);
  return queued;
});

const urlIn = of(EventSource)('url');
const { CLOSED } = EventSource;
const opened: Head = {
  status: 200,
  headers: undefined,
  contentType: 'text/event-stream',
  length: undefined,
  error: undefined,
};
const stateOf = of(EventSource)('readyState');

const watch: (source: any) => void = (source) => {
  let ts = now();
  const reportHead: (head: Head) => void = (head) => {
    report(
      { api: 'eventsource', method: 'GET', url: urlIn(source), ts, headers: { __proto__: null }, body: bodyText(null) },
      head,
    );
    ts = now();
  };
  listen(source, 'open', () => reportHead(opened));
  listen(source, 'error', () => {
    reportHead(failed(stateOf(source) === CLOSED ? 'Failed' : 'Interrupted, connecting again'));
  });
};

wrapClass(globalThis, 'EventSource', watch);
