// Captures what the page writes to its console; it must write there itself nothing at all.

import { channel, wrap } from './channel.ts';
import { type Budget, describer } from './describe_value.ts';
import { natives } from './natives.ts';

const { apply, captureStackTrace, includes, indexOf, list, nth, parseFloat, parseInt, slice, trunc } = natives;
const { admits, emit, now } = channel;
const { bigintText, budget, clip, mayFormat, settle, sourceOf, value } = describer;

/** Describing a Proxy of the page runs its traps: what they write to the console is not captured. */
let busy = false;
/** Labels of `time` and of `count` that are remembered. */
const LABELS = 1000;
let labels = 0;
const counts = { __proto__: null } as any;
const times = { __proto__: null } as any;

const numberText: (input: any, parse: (text: string) => number) => string = (input, parse) => {
  if (typeof input === 'bigint') return bigintText(input);
  return typeof input === 'number' || typeof input === 'string' ? `${parse(`${input}`)}` : 'NaN';
};

/** How an argument is put into a format (https://console.spec.whatwg.org/#formatter). */
const specifiers: Record<string, (input: any, left: Budget) => string> = {
  __proto__: null,
  s: (input: any, left: Budget) => shownText(input, left),
  d: (input: any) => numberText(input, (text) => trunc(parseInt(text, 10))),
  i: (input: any) => numberText(input, (text) => trunc(parseInt(text, 10))),
  f: (input: any) => numberText(input, parseFloat),
  o: (input: any, left: Budget) => shownText(input, left),
  O: (input: any, left: Budget) => shownText(input, left),
  c: () => '',
} as any;

const shownText: (input: any, left: Budget) => string = (input, left) => {
  const shown = value(input, left);
  return typeof shown === 'string' ? shown : natives.stringify(shown);
};

/**
 * Put the arguments after the format at `from` into it, and the text into `result`. Return how many arguments it has
 * used, itself included.
 */
const format = (args: any, from: number, left: Budget, result: any): number => {
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
  result[0] = clip(text + slice(template, at), 8 * 1024, left);
  return used;
};

const describeArgs: (args: any, from: number, left: Budget) => any = (args, from, left) => {
  const result = list();
  let used = from;
  const first = nth(args, from);
  if (typeof first === 'string' && args.length > from + 1 && includes(first, '%'))
    used = format(args, from, left, result);
  for (let i = used; i < args.length; i++) {
    if (result.length >= left.items || left.left <= 0) {
      left.cut = true;
      break;
    }
    result[result.length] = value(args[i], left);
  }
  return result;
};

/** The stack is that of the callers of `trap`. */
const report = (level: string, method: string | undefined, args: any, from: number, trap: any) => {
  const left = budget();
  const event = { __proto__: null, type: 'console', ts: now(), level, args: describeArgs(args, from, left) } as any;
  settle(left);
  if (method) event.method = method;
  if (mayFormat()) place(event, trap, level === 'error' || level === 'warn' || method === 'trace');
  if (left.cut) event.truncated = true;
  emit(event);
};

const place: (event: any, trap: any, whole: boolean) => void = (event, trap, whole) => {
  const holder = { __proto__: null } as any;
  captureStackTrace(holder, trap);
  const { stack } = holder;
  if (typeof stack !== 'string') return;
  const source = sourceOf(stack);
  if (source) event.source = source;
  const from = indexOf(stack, '\n');
  if (whole && from >= 0) event.stack = slice(stack, from + 1, from + 8 * 1024);
};

const capture: (level: string, method: string | undefined, args: any, from: number, trap: any) => void = (
  level,
  method,
  args,
  from,
  trap,
) => {
  if (busy || !admits('console')) return;
  busy = true;
  try {
    report(level, method, args, from, trap);
  } catch {
    // the page has filled the stack: its own call to the console is next, and reports it
  } finally {
    busy = false;
  }
};

const watch: (name: string, level: string, method?: string) => void = (name, level, method) => {
  wrap(console, name, function trap(target, self, args) {
    capture(level, method, args, 0, trap);
    return apply(target, self, args);
  });
};

for (const level of ['debug', 'log', 'info', 'warn', 'error']) watch(level, level);
for (const name of ['trace', 'table', 'dir', 'dirxml', 'group', 'groupCollapsed']) watch(name, 'log', name);

wrap(console, 'assert', function trap(target, self, args) {
  if (!nth(args, 0)) capture('error', 'assert', args, 1, trap);
  return apply(target, self, args);
});

/** A label that is an object is not read: that could run code of the page. */
const labelOf: (args: any) => string = (args) => {
  const label = nth(args, 0);
  if (label === undefined) return 'default';
  return typeof label === 'object' || typeof label === 'function' || typeof label === 'symbol'
    ? '[Object]'
    : `${label}`;
};

const remember: (memory: any, label: string, value: number) => void = (memory, label, now) => {
  if (!(label in memory) && ++labels > LABELS) return;
  memory[label] = now;
};

const watchLabel: (name: string, act: (label: string) => string | undefined) => void = (name, act) => {
  wrap(console, name, function trap(target, self, args) {
    const text = act(labelOf(args));
    if (text !== undefined) {
      const result = list();
      result[0] = text;
      for (let i = 1; i < args.length; i++) result[i] = args[i];
      capture('log', name, result, 0, trap);
    }
    return apply(target, self, args);
  });
};

const sinceText: (label: string) => string | undefined = (label) =>
  label in times ? `${label}: ${trunc((now() - times[label]) * 1000) / 1000} ms` : undefined;
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
