// Captures beacons and event streams: that they were sent, opened, lost; it must not read the streams.

import { channel, wrap, wrapClass } from './channel.ts';
import { type Head, http } from './http.ts';
import { natives } from './natives.ts';

const { apply, nth, of, quietly } = natives;
const { listen, now } = channel;
const { bodyOf, failed, said, tell, tellBody, urlOf } = http;

const sent: (args: any[], ts: number, queued: boolean) => void = (args, ts, queued) => {
  const headers = { __proto__: null };
  const asked = { api: 'beacon', method: 'POST', url: urlOf(nth(args, 0)), ts, headers, body: bodyOf(nth(args, 1)) };
  const head = failed(queued ? '' : 'Not queued: too large');
  tell(asked, head);
  tellBody(asked, head, now(), said(null));
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
  const say: (head: Head) => void = (head) => {
    tell(
      { api: 'eventsource', method: 'GET', url: urlIn(source), ts, headers: { __proto__: null }, body: said(null) },
      head,
    );
    ts = now();
  };
  listen(source, 'open', () => say(opened));
  listen(source, 'error', () => {
    say(failed(stateOf(source) === CLOSED ? 'Failed' : 'Interrupted, connecting again'));
  });
};

wrapClass(globalThis, 'EventSource', watch);
