// A function that runs in the page, as text, and puts the members of many objects into one flat object.
//
// The page may have replaced every built-in, so it uses syntax alone: objects without prototype, spread, `for…in`,
// indexes, `===`, and nothing from outside. A field is read only where it surely exists: else the page's Object.prototype
// would give it. Reading may run the page's getters and traps, as JSON would; one that throws costs its own value.
//
// `this` holds the objects so far: `o` by number, `up` the number of each one's parent, `n` the next number. The
// result is one object, each member's name `kind` + parent + `:` + number + `:` + key:
//   v a value   o an object to look into (number: its own)   c an ancestor again   f a function (value: its name)
//   s a text, cut (number: its length)   t a getter threw (value: what)   m more was left out (number: how many)
//   x what toJSON gave in the object's place   e an error's text   r reading the object threw: to be read by its keys

export type Kind = 'object' | 'plain' | 'other' | 'array' | 'map' | 'set' | 'error';

type Job = { index: number; kind: Kind; keys: string[] | false };

type Room = { nodes: number; bytes: number; text: number };

/** `room`: the most values, bytes of JSON and characters of a text; `entries`: of the maps and sets among the jobs. */
export function flattenInPage(this: any, jobs: Job[], room: Room, ...entries: any[]): object {
  const out = { __proto__: null } as any;
  const big = 2n ** 4096n;
  let { nodes, bytes } = room;
  let entry = 0;

  // How much of a text fits into so many bytes of JSON.
  const fitting = (text: string, most: number) => {
    let cost = 2;
    let at = 0;
    for (; at < text.length && at < room.text; at++) {
      const c = text[at] as string;
      cost += c === '"' || c === '\\' ? 2 : c < ' ' || (c >= '\ud800' && c <= '\udfff') ? 6 : c < '\x80' ? 1 : 3;
      if (cost > most) break;
    }
    return { at, cost };
  };
  const cut = (text: string, to: number) => {
    let short = '';
    for (let at = 0; at < to; at++) short += text[at];
    return short;
  };
  const textOf = (fault: any) => {
    try {
      if (typeof fault === 'string') return fault.length <= 200 ? fault : cut(fault, 200) + '…';
      if (fault === null || (typeof fault !== 'object' && typeof fault !== 'symbol' && typeof fault !== 'function'))
        return `${fault}`;
      const { name, message } = fault;
      const text =
        (typeof name === 'string' ? name : 'Error') +
        (typeof message === 'string' && message !== '' ? ': ' + message : '');
      return text.length <= 2000 ? text : cut(text, 2000) + '…';
    } catch {
      return 'an exception that cannot be read';
    }
  };
  const isObject = (value: any) => typeof value === 'object' && value !== null;
  const isAbove = (value: any, index: number) => {
    for (let at = index; at !== -1; at = this.up[at]) if (this.o[at] === value) return true;
    return false;
  };
  const number = (value: any, parent: number) => {
    this.o[this.n] = value;
    this.up[this.n] = parent;
    return this.n++;
  };
  const put = (index: number, name: string, value: any, keyed = true) => {
    const key = name.length > 200 ? cut(name, 200) + '…' : name;
    nodes--;
    bytes -= keyed ? fitting(key, bytes).cost + 2 : 1;
    if (typeof value === 'string') {
      const { at, cost } = fitting(value, bytes);
      bytes -= cost;
      if (at < value.length) out[`s${index}:${value.length}:${key}`] = cut(value, at);
      else out[`v${index}::${key}`] = value;
    } else if (typeof value === 'function') {
      bytes -= 25;
      let name = '';
      try {
        name = value.name;
      } catch {}
      out[`f${index}::${key}`] = typeof name === 'string' ? cut(name, name.length < 100 ? name.length : 100) : '';
    } else if (isObject(value)) {
      bytes -= 10;
      if (isAbove(value, index)) out[`c${index}::${key}`] = 0;
      else out[`o${index}:${number(value, index)}:${key}`] = value;
    } else if (typeof value === 'bigint' && (value > big || value < -big)) {
      out[`t${index}:big:${key}`] = 'more than 4,096 bits';
    } else {
      bytes -= 8;
      out[`v${index}::${key}`] = value;
    }
  };
  const threw = (index: number, key: string, fault: any) => {
    nodes--;
    bytes -= 40;
    out[`t${index}::${key}`] = textOf(fault);
  };
  // Takes members until the share is used up; objects cost more, for they have members themselves.
  const take = (index: number, count: any, each: (at: number) => void, share: number) => {
    const before = nodes;
    const first = this.n;
    const most = share / 8 > 10 ? share / 8 : 10;
    let at = 0;
    while (at < count && nodes > 0 && bytes > 0 && before - nodes < share && this.n - first < most) each(at++);
    if (at < count) out[`m${index}:${count - at}:${at}`] = 0;
  };
  const takeKeys = (index: number, from: any, names: any, count: number, share: number) =>
    take(
      index,
      count,
      (at) => {
        const key = names[at];
        try {
          const value = from[key];
          if (value !== undefined) put(index, key, value);
        } catch (fault) {
          threw(index, key, fault);
        }
      },
      share,
    );
  const namesIn = (from: any, wanted: (key: string) => boolean) => {
    const names = { __proto__: null } as any;
    let count = 0;
    for (const key in from) if (wanted(key)) names[count++] = key;
    return { names, count };
  };

  const readArray = ({ index }: Job, from: any, share: number) => {
    let length = 0;
    try {
      length = from.length;
    } catch (fault) {
      return threw(index, '0', fault);
    }
    if (typeof length !== 'number') length = 0;
    take(
      index,
      length,
      (at) => {
        try {
          put(index, `${at}`, from[at], false);
        } catch (fault) {
          threw(index, `${at}`, fault);
        }
      },
      share,
    );
  };
  const readEntries = ({ index, kind }: Job, _: any, share: number) => {
    const list = entries[entry++];
    take(
      index,
      list.length,
      (at) => {
        if (kind === 'map') put(index, `${at}k`, list[at].key, false);
        put(index, `${at}v`, list[at].value, false);
      },
      share,
    );
  };
  const readError = ({ index }: Job, from: any) => {
    out[`e${index}::`] = textOf(from);
    bytes -= 100;
  };
  const replaced = ({ index, kind }: Job, from: any) => {
    if (kind === 'plain' || 'toJSON' in {}) return false; // one that every object has means nothing
    try {
      if (typeof from.toJSON !== 'function') return false;
      const json = from.toJSON('');
      if (json === from) return false;
      if (isObject(json)) out[`x${index}:${number(json, this.up[index])}:`] = json;
      else out[`x${index}::`] = typeof json === 'string' && json.length > 1000 ? cut(json, 1000) + '…' : json;
      bytes -= typeof json === 'string' ? json.length : 10;
    } catch (fault) {
      out[`t${index}:self:`] = textOf(fault);
    }
    return true;
  };
  const readObject = (job: Job, from: any, share: number) => {
    const { index, kind, keys } = job;
    if (keys) return takeKeys(index, from, keys, keys.length, share);
    if (replaced(job, from)) return;
    let own: any;
    try {
      own = { __proto__: null, ...from } as any;
    } catch (fault) {
      out[`r${index}::`] = textOf(fault);
      return;
    }
    const { names, count } = namesIn(own, () => true);
    if (count || kind !== 'other') return takeKeys(index, own, names, count, share);
    // a platform object: its attributes are on its prototype
    const seen = namesIn(from, (key) => {
      try {
        return !(key in {}) && typeof from[key] !== 'function';
      } catch {
        return false;
      }
    });
    takeKeys(index, from, seen.names, seen.count, share);
  };

  const readers = {
    __proto__: null,
    object: readObject,
    plain: readObject,
    other: readObject,
    array: readArray,
    map: readEntries,
    set: readEntries,
    error: readError,
  };
  for (let at = 0; at < jobs.length; at++) {
    const job = jobs[at] as Job;
    const share = nodes / (jobs.length - at);
    readers[job.kind](job, this.o[job.index], share < 1 ? 1 : share);
  }
  out['room::'] = nodes;
  out['bytes::'] = bytes;
  return out;
}
