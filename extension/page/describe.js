// Turns any value of the page into JSON of bounded size; it must call nothing of the page's: no getter, no toJSON.

'use strict';

/**
 * How much may still be said, and whether something was left out.
 * @typedef {{left: number, cut: boolean, depth: number, keys: number, items: number}} Budget
 */

/**
 * @typedef {{value: (value: any, budget: Budget) => any, budget: () => Budget, nameOf: (fault: any) => string | undefined,
 *   messageOf: (fault: any) => string, stackOf: (fault: any) => string | undefined, isError: (value: any) => boolean,
 *   clip: (text: string, limit: number, budget: Budget) => string, dataOf: (object: any, name: PropertyKey) => any,
 *   mayFormat: () => boolean, sourceOf: (stack: string) => string | undefined}} Describe
 */

{
  const parts = /** @type {Parts} */ (Reflect.get(globalThis, Symbol.for('gasoline')));
  const { apply, getOwnPropertyDescriptor, getPrototypeOf, getter, hasOwn, indexOf, isArray, isFinite, keys } = parts.natives;
  const { lastIndexOf, list, mapGet, method, of, slice, startsWith, typed, typedLength, viewLength, bufferLength } = parts.natives;

  /** Levels, keys of an object, items of a list, characters of a string, and of it all. */
  const DEPTH = 4;
  const KEYS = 50;
  const ITEMS = 100;
  const STRING = 8 * 1024;
  const WHOLE = 16 * 1024;

  const NativeError = Error;
  const { isError: isNativeError } = parts.natives;
  const symbolText = method(Symbol.prototype.toString);
  const typedName = getter(typed, Symbol.toStringTag);

  /** @type {Describe['budget']} */
  const budget = () => ({ left: WHOLE, cut: false, depth: DEPTH, keys: KEYS, items: ITEMS });

  /** @type {Describe['clip']} */
  const clip = (text, limit, left) => {
    const most = left.left < limit ? left.left : limit;
    const kept = text.length > most ? slice(text, 0, most < 0 ? 0 : most) : text;
    if (kept.length < text.length) left.cut = true;
    left.left -= kept.length;
    return kept;
  };

  /** @type {Describe['dataOf']}  the first property of that name up the chain, if it is data */
  const dataOf = (object, name) => {
    for (let at = object; at !== null && at !== undefined; at = getPrototypeOf(at)) {
      const found = getOwnPropertyDescriptor(at, name);
      if (found) return hasOwn(found, 'value') ? found.value : undefined;
    }
    return undefined;
  };

  /** @type {(object: any, name: PropertyKey) => string | undefined} */
  const textOf = (object, name) => {
    const text = dataOf(object, name);
    return typeof text === 'string' ? text : undefined;
  };

  /** @type {(value: any) => string}  the name of what made it */
  const classOf = (value) => {
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

  /** @type {(value: any) => string} */
  const regExpText = (value) => {
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

  /** @type {(value: any) => string} */
  const elementText = (value) => {
    const id = attribute(value, 'id');
    const names = attribute(value, 'class');
    let text = `<${localName(value)}`;
    if (id) text += `#${id}`;
    for (let i = 0, name = ''; names && i <= names.length; i++) {
      const end = i === names.length || names[i] === ' ' || names[i] === '\n' || names[i] === '\t';
      if (end && name) text += `.${name}`;
      name = end ? '' : name + names[i];
    }
    return `${text}>`;
  };

  /**
   * @param {any} next  of its iterator
   * @param {string} name
   * @param {(entry: any, left: Budget, path: any) => any} put
   * @param {Budget} left
   * @param {any} path
   */
  const entriesOf = (next, name, put, left, path) => {
    const items = list();
    for (let step = next(); !step.done; step = next()) {
      if (items.length >= left.keys || left.left <= 0) {
        left.cut = true;
        break;
      }
      items[items.length] = put(step.value, left, path);
    }
    const whole = /** @type {any} */ ({ __proto__: null });
    whole[name] = items;
    return whole;
  };
  const mapEntries = method(Map.prototype.entries);
  const mapNext = method(getPrototypeOf(new Map().entries()).next);
  const setValues = method(Set.prototype.values);
  const setNext = method(getPrototypeOf(new Set().values()).next);

  /** @type {(value: any, left: Budget, path: any) => any} */
  const describeMap = (value, left, path) => {
    const iterator = mapEntries(value);
    const pair = (/** @type {any} */ entry) => {
      const two = list();
      two[0] = describe(entry[0], left, path);
      two[1] = describe(entry[1], left, path);
      return two;
    };
    return entriesOf(() => mapNext(iterator), '[[Map]]', pair, left, path);
  };

  /** @type {(value: any, left: Budget, path: any) => any} */
  const describeSet = (value, left, path) => {
    const iterator = setValues(value);
    return entriesOf(() => setNext(iterator), '[[Set]]', describe, left, path);
  };

  /**
   * Who describes what inherits from a prototype, in place of its properties. It throws if it was only made to inherit.
   * @type {Map<object, (value: any, left: Budget, path: any) => any>}
   */
  const kinds = new Map(/** @type {[object, (value: any, left: Budget, path: any) => any][]} */ ([
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
    [URL.prototype, (value) => parts.natives.href(value)],
    [URLSearchParams.prototype, (value) => parts.natives.urlText(value)],
    [Element.prototype, elementText],
    [Node.prototype, (value) => nodeName(value)],
    [Event.prototype, (value) => `[${classOf(value)}: ${eventType(value)}]`],
    [Window.prototype, () => '[Window]'],
  ]));

  /** @type {Describe['isError']} */
  const isError = (value) => {
    if (typeof value !== 'object' || value === null) return false;
    if (isNativeError(value)) return true;
    for (let at = getPrototypeOf(value); at !== null; at = getPrototypeOf(at)) if (at === NativeError.prototype) return true;
    return false;
  };

  /** @type {(value: any, read: (value: any) => string) => string | undefined} */
  const domText = (value, read) => {
    for (let at = getPrototypeOf(value); at !== null; at = getPrototypeOf(at)) {
      if (at === DOMException.prototype) return read(value);
    }
    return undefined;
  };

  /** @type {Describe['nameOf']} */
  const nameOf = (fault) => domText(fault, domName) ?? textOf(fault, 'name') ?? classOf(fault);

  /** @type {Describe['messageOf']} */
  const messageOf = (fault) => domText(fault, domMessage) ?? textOf(fault, 'message') ?? '';

  /** @type {Describe['mayFormat']}  a stack is formatted when it is first read, by the page's own function if it has one */
  const mayFormat = () => !('prepareStackTrace' in NativeError);

  const { get: nativeGet } = getOwnPropertyDescriptor(new Error(), 'stack') ?? { get: undefined };

  /** @type {Describe['stackOf']} */
  const stackOf = (fault) => {
    const found = getOwnPropertyDescriptor(fault, 'stack');
    if (!found || !mayFormat()) return undefined;
    const own = hasOwn(found, 'value') ? found.value : undefined;
    const stack = hasOwn(found, 'get') && found.get === nativeGet ? apply(found.get, fault, list()) : own;
    return typeof stack === 'string' ? stack : undefined;
  };

  /** @type {(fault: any) => string} */
  const errorText = (fault) => {
    const stack = stackOf(fault);
    if (stack) return stack;
    const message = messageOf(fault);
    return (nameOf(fault) ?? 'Error') + (message ? `: ${message}` : '');
  };

  /** @type {Describe['sourceOf']}  the first place of a stack */
  const sourceOf = (stack) => {
    const at = indexOf(stack, '\n    at ');
    if (at < 0) return undefined;
    const end = indexOf(stack, '\n', at + 1);
    const line = slice(stack, at + 8, end < 0 ? stack.length : end);
    const open = lastIndexOf(line, '(');
    const place = open < 0 ? line : slice(line, open + 1, line.length - 1);
    return startsWith(place, 'async ') ? slice(place, 6) : place;
  };

  /** @type {(value: any, left: Budget, path: any) => any} */
  const describeList = (value, left, path) => {
    const { value: length } = getOwnPropertyDescriptor(value, 'length');
    const items = list();
    for (let i = 0; i < length; i++) {
      if (i >= left.items || left.left <= 0) {
        left.cut = true;
        break;
      }
      items[i] = describeProperty(getOwnPropertyDescriptor(value, i), left, path);
    }
    return items;
  };

  /** @type {(found: any, left: Budget, path: any) => any} */
  const describeProperty = (found, left, path) => {
    if (!found) return null;
    if (hasOwn(found, 'value')) return describe(found.value, left, path);
    left.left -= 8;
    return '[Getter]';
  };

  /** @type {(value: any, left: Budget, path: any) => any} */
  const describeObject = (value, left, path) => {
    const names = keys(value);
    if (names.length === 0 && classOf(value) !== 'Object') return `[${classOf(value)}]`;
    const shown = /** @type {any} */ ({ __proto__: null });
    for (let i = 0; i < names.length; i++) {
      if (i >= left.keys || left.left <= 0) {
        left.cut = true;
        break;
      }
      const name = clip(names[i], 200, left);
      left.left -= 4;
      shown[name] = describeProperty(getOwnPropertyDescriptor(value, names[i]), left, path);
    }
    return shown;
  };

  /** @type {(value: any, left: Budget, path: any) => any} */
  const describeKind = (value, left, path) => {
    if (isNativeError(value)) return clip(errorText(value), STRING, left);
    for (let at = getPrototypeOf(value); at !== null; at = getPrototypeOf(at)) {
      const kind = mapGet(kinds, at);
      if (!kind || at === value) continue;
      const said = kind(value, left, path);
      return typeof said === 'string' ? clip(said, STRING, left) : said;
    }
    return undefined;
  };

  /** @type {(value: any, left: Budget, path: any) => any} */
  const describeThing = (value, left, path) => {
    for (let i = 0; i < path.length; i++) if (path[i] === value) return '[Circular]';
    const isList = isArray(value);
    if (path.length >= left.depth) {
      left.cut = true;
      left.left -= 8;
      return isList ? '[Array]' : describeKind(value, left, path) ?? '[Object]';
    }
    path[path.length] = value;
    try {
      if (isList) return describeList(value, left, path);
      return describeKind(value, left, path) ?? describeObject(value, left, path);
    } finally {
      path.length -= 1;
    }
  };

  /** @type {(value: any) => string} */
  const functionText = (value) => {
    const name = textOf(value, 'name');
    return name ? `[Function: ${name}]` : '[Function]';
  };

  /** @type {Record<string, (value: any, left: Budget, path: any) => any>} */
  const types = /** @type {any} */ ({
    __proto__: null,
    string: (/** @type {string} */ value, /** @type {Budget} */ left) => clip(value, STRING, left),
    number: (/** @type {number} */ value) => (isFinite(value) ? value : `${value}`),
    boolean: (/** @type {boolean} */ value) => value,
    undefined: () => 'undefined',
    bigint: (/** @type {bigint} */ value, /** @type {Budget} */ left) => clip(`${value}n`, STRING, left),
    symbol: (/** @type {symbol} */ value, /** @type {Budget} */ left) => clip(symbolText(value), STRING, left),
    function: (/** @type {any} */ value, /** @type {Budget} */ left) => clip(functionText(value), STRING, left),
    object: describeThing,
  });

  /** @type {(value: any, left: Budget, path: any) => any} */
  const describe = (value, left, path) => {
    if (value === null) return null;
    left.left -= 2;
    try {
      return /** @type {any} */ (types[typeof value])(value, left, path);
    } catch {
      return '[Unreadable]'; // a window of another origin, a revoked Proxy, something made to inherit from what it is not
    }
  };

  parts.describe = {
    value: (value, left) => describe(value, left, list()),
    budget,
    nameOf,
    messageOf,
    stackOf,
    isError,
    clip,
    dataOf,
    mayFormat,
    sourceOf,
  };
}
