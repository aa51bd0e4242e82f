// Turns any value of the page into JSON of bounded size; it must call nothing of the page's: no getter, no toJSON.

import { natives } from './natives.ts';

/** How much room is left, and whether something was left out; `begun` and `until`: when, in ms since the page's start. */
export type Budget = {
  left: number;
  cut: boolean;
  depth: number;
  keys: number;
  items: number;
  begun: number;
  until: number;
};

export type Describe = {
  value: (value: any, budget: Budget) => any;
  budget: () => Budget;
  settle: (left: Budget) => void;
  bigintText: (value: bigint) => string;
  nameOf: (fault: any) => string | undefined;
  messageOf: (fault: any) => string;
  stackOf: (fault: any) => string | undefined;
  isError: (value: any) => boolean;
  clip: (text: string, limit: number, budget: Budget) => string;
  dataOf: (object: any, name: PropertyKey) => any;
  mayFormat: () => boolean;
  sourceOf: (stack: string) => string | undefined;
};

const { apply, asIntN, elapsed, getOwnPropertyDescriptor, getPrototypeOf, getter, hasOwn, indexOf, inherits } = natives;
const {
  CHAIN,
  isArray,
  isFinite,
  ownKeys,
  lastIndexOf,
  list,
  mapGet,
  method,
  of,
  slice,
  startsWith,
  typed,
  typedLength,
  viewLength,
  bufferLength,
} = natives;

/** Levels, keys of an object, items of a list, characters of a string, and of it all. */
const DEPTH = 4;
const KEYS = 50;
const ITEMS = 100;
const STRING = 8 * 1024;
const WHOLE = 16 * 1024;

/** Names of an object that are looked at for each key that is shown: not every property is enumerable. */
const LOOKED = 10;

/** Characters of a stack that are searched, and of the classes of an element. */
const STACK = 64 * 1024;
const CLASSES = 1024;

/** Bits of a bigint that is shown: to make text of one with a million digits takes seconds. */
const BITS = 4096;

/**
 * Milliseconds that describing may take: 1 for each line, and what the lines before have left of theirs. What a line
 * takes beyond them, in a trap of the page's or over a million keys, the next lines go without: their objects are
 * named only. It is made good by a share of the time, too: a busy machine takes time that no line has used.
 */
const LINE_MS = 1;
const TIME_SHARE = 0.05;
const SAVED_MS = 100;
const OWED_MS = -1000;
let savedMs = SAVED_MS;
let settledAt = 0;

const NativeError = Error;
const { prototype: ofError } = Error;
const { prototype: ofDomException } = DOMException;
const { isError: isNativeError } = natives;
const symbolText = method(Symbol.prototype.toString);
const typedName = getter(typed, Symbol.toStringTag);

const budget: Describe['budget'] = () => {
  const begun = elapsed();
  const more = savedMs + LINE_MS + (begun - settledAt) * TIME_SHARE;
  savedMs = more < SAVED_MS ? more : SAVED_MS;
  return { left: WHOLE, cut: false, depth: DEPTH, keys: KEYS, items: ITEMS, begun, until: begun + savedMs };
};

/** Take the time that a line has taken from what its successors may take. */
const settle: Describe['settle'] = ({ begun }) => {
  settledAt = elapsed();
  savedMs -= settledAt - begun;
  if (savedMs < OWED_MS) savedMs = OWED_MS;
};

const isLate: (left: Budget) => boolean = (left) => elapsed() >= left.until;
const isOver: (left: Budget) => boolean = (left) => left.left <= 0 || isLate(left);

const clip: Describe['clip'] = (text, limit, left) => {
  const most = left.left < limit ? left.left : limit;
  const kept = text.length > most ? slice(text, 0, most < 0 ? 0 : most) : text;
  if (kept.length < text.length) left.cut = true;
  left.left -= kept.length;
  return kept;
};

/** The first property of that name up the chain, if it is data. */
const dataOf: Describe['dataOf'] = (object, name) => {
  let at = object;
  for (let i = 0; at !== null && at !== undefined && i < CHAIN; i++) {
    const found = getOwnPropertyDescriptor(at, name);
    if (found) return hasOwn(found, 'value') ? found.value : undefined;
    at = getPrototypeOf(at);
  }
  return undefined;
};

const textOf: (object: any, name: PropertyKey) => string | undefined = (object, name) => {
  const text = dataOf(object, name);
  return typeof text === 'string' ? text : undefined;
};

/** The name of what made it. */
const classOf: (value: any) => string = (value) => {
  const maker = dataOf(value, 'constructor');
  return (typeof maker === 'function' && textOf(maker, 'name')) || 'Object';
};

const flags = ['hasIndices', 'global', 'ignoreCase', 'multiline', 'dotAll', 'unicode', 'unicodeSets', 'sticky'];
const letters = 'dgimsuvy';
const readFlags = list();
for (let i = 0; i < flags.length; i++) {
  if (hasOwn(RegExp.prototype, flags[i])) readFlags[readFlags.length] = [letters[i], of(RegExp)(flags[i])];
}
const patternOf = of(RegExp)('source');

const regExpText: (value: any) => string = (value) => {
  let text = `/${patternOf(value)}/`;
  for (let i = 0; i < readFlags.length; i++) if (readFlags[i][1](value)) text += readFlags[i][0];
  return text;
};

const isoText = method(Date.prototype.toISOString);
const timeOf = method(Date.prototype.getTime);
const domName = of(DOMException)('name');
const domMessage = of(DOMException)('message');
const nodeName = of(Node)('nodeName');
const localName = of(Element)('localName');
const attribute = method(Element.prototype.getAttribute);
const eventType = of(Event)('type');

const elementText: (value: any) => string = (value) => {
  const id = attribute(value, 'id');
  const names = slice(attribute(value, 'class') ?? '', 0, CLASSES);
  let text = `<${localName(value)}`;
  if (id) text += `#${id}`;
  for (let i = 0, name = ''; names && i <= names.length; i++) {
    const end = i === names.length || names[i] === ' ' || names[i] === '\n' || names[i] === '\t';
    if (end && name) text += `.${name}`;
    name = end ? '' : name + names[i];
  }
  return `${text}>`;
};

/** `next` is that of its iterator. */
const entriesOf = (
  next: any,
  name: string,
  put: (entry: any, left: Budget, path: any) => any,
  left: Budget,
  path: any,
) => {
  const items = list();
  for (let step = next(); !step.done; step = next()) {
    if (items.length >= left.keys || isOver(left)) {
      left.cut = true;
      break;
    }
    items[items.length] = put(step.value, left, path);
  }
  const whole = { __proto__: null } as any;
  whole[name] = items;
  return whole;
};
const mapEntries = method(Map.prototype.entries);
const mapNext = method(getPrototypeOf(new Map().entries()).next);
const setValues = method(Set.prototype.values);
const setNext = method(getPrototypeOf(new Set().values()).next);

const describeMap: (value: any, left: Budget, path: any) => any = (value, left, path) => {
  const iterator = mapEntries(value);
  const pair = (entry: any) => {
    const two = list();
    two[0] = describe(entry[0], left, path);
    two[1] = describe(entry[1], left, path);
    return two;
  };
  return entriesOf(() => mapNext(iterator), '[[Map]]', pair, left, path);
};

const describeSet: (value: any, left: Budget, path: any) => any = (value, left, path) => {
  const iterator = setValues(value);
  return entriesOf(() => setNext(iterator), '[[Set]]', describe, left, path);
};

/**
 * The functions that describe what inherits from a prototype, in place of its properties. They throw if it was only
 * made to inherit.
 */
const kinds: Map<object, (value: any, left: Budget, path: any) => any> = new Map([
  [Error.prototype, (value) => errorText(value)],
  [DOMException.prototype, (value) => errorText(value)],
  [Map.prototype, describeMap],
  [Set.prototype, describeSet],
  [Date.prototype, (value) => (timeOf(value) === timeOf(value) ? isoText(value) : 'Invalid Date')],
  [RegExp.prototype, regExpText],
  [Promise.prototype, () => '[Promise]'],
  [ArrayBuffer.prototype, (value) => `[ArrayBuffer: ${bufferLength(value)} bytes]`],
  [DataView.prototype, (value) => `[DataView: ${viewLength(value)} bytes]`],
  [typed, (value) => `[${typedName(value)}: ${typedLength(value)} bytes]`],
  [URL.prototype, (value) => natives.href(value)],
  [URLSearchParams.prototype, (value) => natives.urlText(value)],
  [Element.prototype, elementText],
  [Node.prototype, (value) => nodeName(value)],
  [Event.prototype, (value) => `[${classOf(value)}: ${eventType(value)}]`],
  [Window.prototype, () => '[Window]'],
] as [object, (value: any, left: Budget, path: any) => any][]);

const isError: Describe['isError'] = (value) => {
  if (typeof value !== 'object' || value === null) return false;
  return isNativeError(value) || inherits(value, ofError);
};

const domText: (value: any, read: (value: any) => string) => string | undefined = (value, read) =>
  inherits(value, ofDomException) ? read(value) : undefined;

const nameOf: Describe['nameOf'] = (fault) => domText(fault, domName) ?? textOf(fault, 'name') ?? classOf(fault);

const messageOf: Describe['messageOf'] = (fault) => domText(fault, domMessage) ?? textOf(fault, 'message') ?? '';

const { prototype: ofFunction } = Function;
const { prototype: ofObject } = Object;
const FORMATTER = 'prepareStackTrace';

/**
 * A stack is formatted when it is first read, by the page's own function if it has one. Where `Error` inherits from
 * something else, that can be a Proxy: it is not asked.
 */
const mayFormat: Describe['mayFormat'] = () =>
  getPrototypeOf(NativeError) === ofFunction &&
  getPrototypeOf(ofFunction) === ofObject &&
  !(hasOwn(NativeError, FORMATTER) || hasOwn(ofFunction, FORMATTER) || hasOwn(ofObject, FORMATTER));

const { get: nativeGet } = getOwnPropertyDescriptor(new Error(), 'stack') ?? { get: undefined };

const stackOf: Describe['stackOf'] = (fault) => {
  const found = getOwnPropertyDescriptor(fault, 'stack');
  if (!found || !mayFormat()) return undefined;
  const own = hasOwn(found, 'value') ? found.value : undefined;
  const stack = hasOwn(found, 'get') && found.get === nativeGet ? apply(found.get, fault, list()) : own;
  return typeof stack === 'string' ? slice(stack, 0, STACK) : undefined;
};

const errorText: (fault: any) => string = (fault) => {
  const stack = stackOf(fault);
  if (stack) return stack;
  const message = messageOf(fault);
  return (nameOf(fault) ?? 'Error') + (message ? `: ${message}` : '');
};

/** The first place of a stack. */
const sourceOf: Describe['sourceOf'] = (stack) => {
  const at = indexOf(stack, '\n    at ');
  if (at < 0) return undefined;
  const end = indexOf(stack, '\n', at + 1);
  const line = slice(stack, at + 8, end < 0 ? stack.length : end);
  const open = lastIndexOf(line, '(');
  const place = open < 0 ? line : slice(line, open + 1, line.length - 1);
  return startsWith(place, 'async ') ? slice(place, 6) : place;
};

const describeList: (value: any, left: Budget, path: any) => any = (value, left, path) => {
  const { value: length } = getOwnPropertyDescriptor(value, 'length');
  const items = list();
  for (let i = 0; i < length; i++) {
    if (i >= left.items || isOver(left)) {
      left.cut = true;
      break;
    }
    items[i] = describeProperty(getOwnPropertyDescriptor(value, i), left, path);
  }
  return items;
};

const describeProperty: (found: any, left: Budget, path: any) => any = (found, left, path) => {
  if (!found) return null;
  if (hasOwn(found, 'value')) return describe(found.value, left, path);
  left.left -= 8;
  return '[Getter]';
};

const describeObject: (value: any, left: Budget, path: any) => any = (value, left, path) => {
  const names = ownKeys(value);
  const shown = { __proto__: null } as any;
  let count = 0;
  let looked = 0;
  for (; looked < names.length; looked++) {
    if (count >= left.keys || looked >= left.keys * LOOKED || isOver(left)) {
      left.cut = true;
      break;
    }
    const found = typeof names[looked] === 'string' ? getOwnPropertyDescriptor(value, names[looked]) : undefined;
    if (!found?.enumerable) continue;
    const name = clip(names[looked], 200, left);
    left.left -= 4;
    shown[name] = describeProperty(found, left, path);
    count++;
  }
  return count > 0 || looked < names.length ? shown : emptyObject(value);
};

const emptyObject: (value: any) => any = (value) => {
  const name = classOf(value);
  return name === 'Object' ? ({ __proto__: null } as any) : `[${name}]`;
};

const describeKind: (value: any, left: Budget, path: any) => any = (value, left, path) => {
  if (isNativeError(value)) return clip(errorText(value), STRING, left);
  let at = value;
  for (let i = 0; i < CHAIN && !isLate(left); i++) {
    at = getPrototypeOf(at);
    if (at === null) return undefined;
    const kind = mapGet(kinds, at);
    if (!kind || at === value) continue;
    const described = kind(value, left, path);
    return typeof described === 'string' ? clip(described, STRING, left) : described;
  }
  return undefined;
};

const describeThing: (value: any, left: Budget, path: any) => any = (value, left, path) => {
  for (let i = 0; i < path.length; i++) if (path[i] === value) return '[Circular]';
  const isList = isArray(value);
  if (isLate(left)) return describeLate(value, isList, left);
  if (path.length >= left.depth) {
    left.cut = true;
    left.left -= 8;
    return isList ? '[Array]' : (describeKind(value, left, path) ?? '[Object]');
  }
  path[path.length] = value;
  try {
    if (isList) return describeList(value, left, path);
    return describeKind(value, left, path) ?? describeObject(value, left, path);
  } finally {
    path.length -= 1;
  }
};

/** Of what no time is left for: an error's own text, for that asks the page nothing. */
const describeLate: (value: any, isList: boolean, left: Budget) => string = (value, isList, left) => {
  left.cut = true;
  if (isNativeError(value)) return clip(errorText(value), STRING, left);
  left.left -= 8;
  return isList ? '[Array]' : '[Object]';
};

const bigintText: Describe['bigintText'] = (value) => (asIntN(BITS, value) === value ? `${value}n` : '[BigInt]');

const functionText: (value: any) => string = (value) => {
  const name = textOf(value, 'name');
  return name ? `[Function: ${name}]` : '[Function]';
};

const types: Record<string, (value: any, left: Budget, path: any) => any> = {
  __proto__: null,
  string: (value: string, left: Budget) => clip(value, STRING, left),
  number: (value: number) => (isFinite(value) ? value : `${value}`),
  boolean: (value: boolean) => value,
  undefined: () => 'undefined',
  bigint: (value: bigint, left: Budget) => clip(bigintText(value), STRING, left),
  symbol: (value: symbol, left: Budget) => clip(symbolText(value), STRING, left),
  function: (value: any, left: Budget) => clip(functionText(value), STRING, left),
  object: describeThing,
} as any;

const describe: (value: any, left: Budget, path: any) => any = (value, left, path) => {
  if (value === null) return null;
  left.left -= 2;
  try {
    return (types[typeof value] as any)(value, left, path);
  } catch {
    return '[Unreadable]'; // a window of another origin, a revoked Proxy, something made to inherit from what it is not
  }
};

export const describer: Describe = {
  value: (value, left) => describe(value, left, list()),
  budget,
  settle,
  bigintText,
  nameOf,
  messageOf,
  stackOf,
  isError,
  clip,
  dataOf,
  mayFormat,
  sourceOf,
};
