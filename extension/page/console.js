// Captures what the page writes to its console; it must write there itself nothing at all.

'use strict';

{
  const parts = /** @type {Parts} */ (Reflect.get(globalThis, Symbol.for('gasoline')));
  const { apply, captureStackTrace, includes, indexOf, list, nth, parseFloat, parseInt, slice, trunc } = parts.natives;
  const { admits, emit, now } = parts.channel;
  const { budget, clip, mayFormat, sourceOf, value } = parts.describe;

  /** Describing a Proxy of the page runs its traps: what they write to the console is not captured. */
  let busy = false;
  /** Labels of `time` and of `count` that are remembered. */
  const LABELS = 1000;
  let labels = 0;
  const counts = /** @type {any} */ ({ __proto__: null });
  const times = /** @type {any} */ ({ __proto__: null });

  /** @type {(given: any, parse: (text: string) => number) => string} */
  const numberText = (given, parse) => {
    if (typeof given === 'bigint') return `${given}n`;
    return typeof given === 'number' || typeof given === 'string' ? `${parse(`${given}`)}` : 'NaN';
  };

  /**
   * How an argument is put into a format (https://console.spec.whatwg.org/#formatter).
   * @type {Record<string, (given: any, left: Budget) => string>}
   */
  const specifiers = /** @type {any} */ ({
    __proto__: null,
    s: (/** @type {any} */ given, /** @type {Budget} */ left) => shownText(given, left),
    d: (/** @type {any} */ given) => numberText(given, (text) => trunc(parseInt(text, 10))),
    i: (/** @type {any} */ given) => numberText(given, (text) => trunc(parseInt(text, 10))),
    f: (/** @type {any} */ given) => numberText(given, parseFloat),
    o: (/** @type {any} */ given, /** @type {Budget} */ left) => shownText(given, left),
    O: (/** @type {any} */ given, /** @type {Budget} */ left) => shownText(given, left),
    c: () => '',
  });

  /** @type {(given: any, left: Budget) => string} */
  const shownText = (given, left) => {
    const shown = value(given, left);
    return typeof shown === 'string' ? shown : parts.natives.stringify(shown);
  };

  /**
   * @param {any} args
   * @param {number} from  where the format stands
   * @param {Budget} left
   * @param {any} said  gets the text
   * @returns {number}  how many arguments it has used, itself included
   */
  const format = (args, from, left, said) => {
    const template = args[from];
    let text = '';
    let used = from + 1;
    let at = 0;
    for (let mark = indexOf(template, '%'); mark >= 0; mark = indexOf(template, '%', at)) {
      const letter = slice(template, mark + 1, mark + 2);
      const put = specifiers[letter];
      const known = letter === '%' || (put && used < args.length);
      text += slice(template, at, mark) + (known ? '' : `%${letter}`);
      if (letter === '%') text += '%';
      else if (put && known) text += put(args[used++], left);
      at = mark + 1 + letter.length;
      if (text.length > left.left) break;
    }
    said[0] = clip(text + slice(template, at), 8 * 1024, left);
    return used;
  };

  /** @type {(args: any, from: number, left: Budget) => any} */
  const describeArgs = (args, from, left) => {
    const said = list();
    let used = from;
    const first = nth(args, from);
    if (typeof first === 'string' && args.length > from + 1 && includes(first, '%')) used = format(args, from, left, said);
    for (let i = used; i < args.length; i++) {
      if (said.length >= left.items || left.left <= 0) {
        left.cut = true;
        break;
      }
      said[said.length] = value(args[i], left);
    }
    return said;
  };

  /**
   * @param {string} level
   * @param {string | undefined} method
   * @param {any} args
   * @param {number} from
   * @param {any} trap  whose callers are the stack
   */
  const tell = (level, method, args, from, trap) => {
    const left = budget();
    const event = /** @type {any} */ ({ __proto__: null, type: 'console', ts: now(), level, args: describeArgs(args, from, left) });
    if (method) event.method = method;
    if (mayFormat()) place(event, trap, level === 'error' || level === 'warn' || method === 'trace');
    if (left.cut) event.truncated = true;
    emit(event);
  };

  /** @type {(event: any, trap: any, whole: boolean) => void} */
  const place = (event, trap, whole) => {
    const holder = /** @type {any} */ ({ __proto__: null });
    captureStackTrace(holder, trap);
    const { stack } = holder;
    if (typeof stack !== 'string') return;
    const source = sourceOf(stack);
    if (source) event.source = source;
    const from = indexOf(stack, '\n');
    if (whole && from >= 0) event.stack = slice(stack, from + 1, from + 8 * 1024);
  };

  /** @type {(level: string, method: string | undefined, args: any, from: number, trap: any) => void} */
  const capture = (level, method, args, from, trap) => {
    if (busy || !admits('console')) return;
    busy = true;
    try {
      tell(level, method, args, from, trap);
    } catch {
      // the page has filled the stack: its own call to the console is next, and says so
    } finally {
      busy = false;
    }
  };

  /** @type {(name: string, level: string, method?: string) => void} */
  const watch = (name, level, method) => {
    parts.wrap(console, name, function trap(target, self, args) {
      capture(level, method, args, 0, trap);
      return apply(target, self, args);
    });
  };

  for (const level of ['debug', 'log', 'info', 'warn', 'error']) watch(level, level);
  for (const name of ['trace', 'table', 'dir', 'dirxml', 'group', 'groupCollapsed']) watch(name, 'log', name);

  parts.wrap(console, 'assert', function trap(target, self, args) {
    if (!nth(args, 0)) capture('error', 'assert', args, 1, trap);
    return apply(target, self, args);
  });

  /** @type {(args: any) => string}  a label that is an object is not read: that could run code of the page */
  const labelOf = (args) => {
    const label = nth(args, 0);
    if (label === undefined) return 'default';
    return typeof label === 'object' || typeof label === 'function' || typeof label === 'symbol' ? '[Object]' : `${label}`;
  };

  /** @type {(memory: any, label: string, value: number) => void} */
  const remember = (memory, label, now) => {
    if (!(label in memory) && ++labels > LABELS) return;
    memory[label] = now;
  };

  /** @type {(name: string, act: (label: string) => string | undefined) => void} */
  const watchLabel = (name, act) => {
    parts.wrap(console, name, function trap(target, self, args) {
      const text = act(labelOf(args));
      if (text !== undefined) {
        const said = list();
        said[0] = text;
        for (let i = 1; i < args.length; i++) said[i] = args[i];
        capture('log', name, said, 0, trap);
      }
      return apply(target, self, args);
    });
  };

  /** @type {(label: string) => string | undefined} */
  const sinceText = (label) => (label in times ? `${label}: ${trunc((now() - times[label]) * 1000) / 1000} ms` : undefined);
  watchLabel('count', (label) => {
    remember(counts, label, (counts[label] ?? 0) + 1);
    return label in counts ? `${label}: ${counts[label]}` : undefined;
  });
  watchLabel('countReset', (label) => {
    if (label in counts) counts[label] = 0;
    return undefined;
  });
  watchLabel('time', (label) => {
    if (!(label in times)) remember(times, label, now());
    return undefined;
  });
  watchLabel('timeLog', sinceText);
  watchLabel('timeEnd', (label) => {
    const text = sinceText(label);
    if (delete times[label] && text) labels -= 1;
    return text;
  });
}
