// Hands events to the content script over a node that the page cannot reach; it must send none if the relay does not answer.
//
// The relay listens on the document, once, before the page's first script: a later listener gets nothing, and what is sent
// later reaches none. From then on both talk over the node, synchronously, in strings.

import { natives, type Parts } from './natives.ts';

export type Channel = {
  connected: boolean;
  capture: { on: boolean; websockets: boolean; bodies: boolean };
  now: () => number;
  admits: (type: string) => boolean;
  /** Kinds: an event that is captured, a dialog, a request that is asked for. */
  emit: (event: object, kind?: 'e' | 'd' | 'a') => void;
  listen: (target: any, type: string, handle: (event: any) => void) => void;
};

const { apply, addEventListener, elapsed, getOwnPropertyDescriptor, hasOwn, keys, list, of, parse, quietly } = natives;
const { stringify, world } = natives;
const { dispatchEvent } = EventTarget.prototype;
const NodeEvent = CustomEvent;
const detailOf = of(CustomEvent)('detail');
const { timeOrigin } = performance;
const node = document.createElement('i');
const Observer = MutationObserver;
const { observe } = MutationObserver.prototype;
const root = document;

/** Events a second and frame, and at once. */
const RATE = 1000;
let tokens = RATE;
let filled = 0;
let lost = { __proto__: null } as any;
let losing = false;

const now = () => timeOrigin + elapsed();

const emit: Channel['emit'] = (event, kind = 'e') => {
  try {
    apply(dispatchEvent, node, [new NodeEvent(kind, { __proto__: null, detail: stringify(event) } as any)]);
  } catch {
    // the page has filled the stack: it gets its own error, at its own next call
  }
};

/** Report how many events the limit has dropped. */
const reportLost = () => {
  if (!losing) return;
  const types = keys(lost);
  for (let i = 0; i < types.length; i++) {
    emit({ __proto__: null, type: 'dropped', ts: now(), of: types[i], count: lost[types[i]], why: 'rate' });
  }
  lost = { __proto__: null };
  losing = false;
};

const admits: Channel['admits'] = (type) => {
  if (!channel.capture.on) return false;
  const at = elapsed();
  tokens += ((at - filled) * RATE) / 1000;
  if (tokens > RATE) tokens = RATE;
  filled = at;
  if (tokens < 1) {
    lost[type] = (lost[type] ?? 0) + 1;
    losing = true;
    return false;
  }
  tokens -= 1;
  reportLost();
  return true;
};

const listen: Channel['listen'] = (target, type, handle) => {
  apply(addEventListener, target, [type, handle, true]);
};

/** The functions that listen to the window again. */
const ofWindow = list();

/**
 * `document.open()` drops the listeners of the window, with the document's root: an observer is called when the script
 * that calls it is over, so what throws within its `document.write` is lost. None is added twice.
 */
const listenAgain = () => {
  for (let i = 0; i < ofWindow.length; i++) ofWindow[i]();
};

export const channel: Channel = {
  connected: false,
  capture: { on: true, websockets: true, bodies: false },
  now,
  admits,
  emit,
  listen: (target, type, handle) => {
    if (!channel.connected) return;
    const handler = (event: any) => quietly(handle, event);
    listen(target, type, handler);
    if (target === world) ofWindow[ofWindow.length] = () => listen(target, type, handler);
  },
};

listen(node, 'c', (event) => {
  channel.capture = parse(detailOf(event));
  channel.connected = true;
});
const hello = { __proto__: null, relatedTarget: node } as any;
apply(dispatchEvent, document, [new MouseEvent('gasoline', hello)]);
channel.listen(globalThis, 'pagehide', reportLost);
if (channel.connected) {
  apply(observe, new Observer(listenAgain), [root, { __proto__: null, childList: true } as any]);
}

export const wrap: Parts['wrap'] = (owner, name, trap) => {
  if (!channel.connected || !hasOwn(owner, name)) return;
  owner[name] = new Proxy(owner[name], { __proto__: null, apply: trap } as any);
};

export const wrapClass: Parts['wrapClass'] = (owner, name, made) => {
  if (!channel.connected || !getOwnPropertyDescriptor(owner, name)) return;
  const { construct } = natives;
  const wrapped = new Proxy(owner[name], {
    __proto__: null,
    construct(target: any, args: any[], newTarget: any) {
      const instance = construct(target, args, newTarget === wrapped ? target : newTarget);
      made(instance);
      return instance;
    },
  } as any);
  owner[name] = wrapped;
  wrapped.prototype.constructor = wrapped;
};
