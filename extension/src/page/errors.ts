// Captures what goes wrong in the page: uncaught errors, unhandled rejections, what could not be loaded; it must handle none.

import { channel } from './channel.ts';
import { type Budget, describer } from './describe_value.ts';
import { natives } from './natives.ts';

const { absolute, getter, indexOf, method, of, slice, stringify, world } = natives;
const { admits, emit, listen, now } = channel;
const { budget, clip, isError, messageOf, nameOf, settle, sourceOf, stackOf, value } = describer;

const MESSAGE = 4 * 1024;
const STACK = 8 * 1024;
const targetOf = of(Event)('target');
const messageIn = of(ErrorEvent)('message');
const fileIn = of(ErrorEvent)('filename');
const lineIn = of(ErrorEvent)('lineno');
const columnIn = of(ErrorEvent)('colno');
const errorIn = of(ErrorEvent)('error');
const reasonOf = getter(PromiseRejectionEvent.prototype, 'reason');
const localName = of(Element)('localName');
const attribute = method(Element.prototype.getAttribute);

const addFault: (event: any, fault: any, left: Budget) => void = (event, fault, left) => {
  event.name = clip(nameOf(fault) ?? 'Error', 200, left);
  event.message = clip(messageOf(fault), MESSAGE, left);
  const stack = stackOf(fault);
  if (!stack) return;
  event.stack = clip(stack, STACK, left);
  const source = indexOf(stack, '\n    at ') < 0 ? undefined : sourceOf(stack);
  if (source) event.source = clip(source, 2048, left);
};

const textOf: (fault: any, left: Budget) => string = (fault, left) => {
  const shown = value(fault, left);
  return slice(typeof shown === 'string' ? shown : stringify(shown), 0, MESSAGE);
};

const capture: (kind: string, describe: (event: any, left: Budget) => void) => void = (kind, describe) => {
  if (!admits('error')) return;
  const left = budget();
  const event = { __proto__: null, type: 'error', kind, ts: now(), message: '' } as any;
  describe(event, left);
  settle(left);
  if (left.cut) event.truncated = true;
  emit(event);
};

/** What the element wanted. */
const wanted: (target: any) => string | null = (target) =>
  attribute(target, 'src') ?? attribute(target, 'href') ?? attribute(target, 'data');

const failedToLoad: (element: any) => void = (element) => {
  const tag = localName(element);
  const url = wanted(element);
  capture('resource', (event, left) => {
    event.tag = clip(tag, 200, left);
    event.message = `<${event.tag}> could not be loaded`;
    if (url) event.target = clip(absolute(url), 8 * 1024, left);
  });
};

const threw: (happened: any) => void = (happened) => {
  capture('error', (event, left) => {
    const fault = errorIn(happened);
    if (isError(fault)) addFault(event, fault, left);
    else event.message = clip(messageIn(happened), MESSAGE, left);
    const file = fileIn(happened);
    if (file) event.source = clip(`${file}:${lineIn(happened)}:${columnIn(happened)}`, 2048, left);
  });
};

listen(globalThis, 'error', (happened) => {
  const target = targetOf(happened);
  if (target === world) threw(happened);
  else if (happened.isTrusted) failedToLoad(target);
});

listen(globalThis, 'unhandledrejection', (happened) => {
  capture('rejection', (event, left) => {
    const reason = reasonOf(happened);
    if (isError(reason)) addFault(event, reason, left);
    else event.message = textOf(reason, left);
  });
});
