// Describes a value of the page as JSON, level by level, as the inspector sees it.
//
// JSON's own values are unchanged. Others: undefined and what JSON omits is omitted (null in an array); NaN, Infinity,
// -0 "NaN", "Infinity", "-0"; 10n "10n"; Symbol(x) "Symbol(x)"; functions and classes "[Function: name]"; Date its ISO
// string ("Invalid Date"); RegExp "/a/g"; Error "TypeError: message"; nodes "<button#save.primary>"; Map
// {"[Map]": [[key, value], …]}; Set {"[Set]": [value, …]}; NodeList and other lists as arrays; objects with a toJSON (URL,
// DOMRect, a moment) by it; other platform objects by their attributes; an ancestor again "[Circular]"; opaque objects
// "[Promise]", "[Uint8Array(9)]", "[Window]". A Proxy is described by its target, a getter that threw by "[Threw: …]".
// Cuts are marked in place with "…".
//
// A date comes from the inspector's own serialisation, not from toISOString, which the page may have replaced. A level
// costs two calls for any number of objects, the last one a single call: its members come with it, in the inspector's
// serialisation, as long as none of them is an object. Each map, set and unusual proxy costs one more, all dates
// together one.

import { Failure } from '../failure.ts';
import { flattenInPage, type Kind } from './flatten_in_page.ts';
import { PEEK } from './page_functions.ts';

export type Remote = {
  type: string;
  subtype?: string;
  className?: string;
  description?: string;
  value?: any;
  unserializableValue?: string;
  objectId?: string;
};

export type Ask = (method: string, params?: Record<string, any>) => Promise<any>;

export type Node = {
  index: number;
  kind: Kind;
  object: any;
  objectId: string;
  place: [any, string | number];
  keys?: string[];
  entries?: string;
  proxy?: boolean;
};

/** Enough for data that is read; component trees and circular stores are deeper. */
const DEPTH = 12;

/** Some 60 ms of the page's and the inspector's time, and more than 100 KB of JSON in most cases. */
const NODES = 8000;

/** Some 25,000 tokens: the most that an assistant reads at once. */
const BYTES = 100_000;

/** One text must not use up the whole room. */
const TEXT = 50_000;

/** Each map costs a call of its own. */
const MAPS = 200;

const DESCRIPTION = 200;

const FLATTEN = String(flattenInPage);
const STATE =
  'function(){const o={__proto__:null,0:this,1:this.v},up={__proto__:null,0:-1,1:0};return {__proto__:null,o,up,n:2}}';
const LIST = 'function(...dates){const h={__proto__:null};for(let i=0;i<dates.length;i++)h[i]=dates[i];return h}';

const ONE_LEVEL = { serializationOptions: { serialization: 'deep', maxDepth: 1 } };

/** How an object is read, by its subtype. */
const KINDS: Record<string, Kind> = { array: 'array', map: 'map', set: 'set', error: 'error' };

/** What the inspector's serialisation says of a member. */
type Serialized = { type: string; value?: any };

/** An object costs as much of the room as its member in a holder does: a short key, and brackets. */
const OBJECT_BYTES = 15;

/** The description of the value `v` of a holder, which begins at once. `group`: for the objects that this creates. */
export class Description {
  /** The value, if it is an object or a function. */
  readonly value: Promise<Remote>;
  #walk;
  #holder;
  #state: Promise<any>;

  constructor(ask: Ask, holder: string, group: string) {
    this.#walk = new Walk(ask, group);
    this.#holder = holder;
    this.value = this.#walk.call(holder, PEEK).then(({ result }) => result);
    this.#state = this.#walk.call(holder, STATE);
    this.#state.catch(() => {}); // it may not be read
  }

  async read(): Promise<{ result: unknown; type: string; cuts: string[] }> {
    const [value, { result: state }] = await Promise.all([this.value, this.#state]);
    return this.#walk.run(this.#holder, value, state.objectId);
  }
}

/** Describe a value that has no members to read. */
export function describePlain(remote: Remote): { result: unknown; cuts: string[] } {
  const cuts = [] as string[];
  const value = plainOf(remote);
  if (typeof value !== 'string' || value.length <= TEXT) return { result: wellFormed(value), cuts };
  return { result: cutText(value.slice(0, TEXT), value.length, cuts), cuts };
}

class Walk {
  cuts: string[] = [];
  #nodes: Map<number, Node> = new Map();
  #room = { nodes: NODES, bytes: BYTES, text: TEXT };
  #dates = [] as Node[];
  #maps = 0;
  #ask;
  #group;

  constructor(ask: Ask, group: string) {
    this.#ask = ask;
    this.#group = group;
  }

  async run(holder: string, value: Remote, state: string) {
    const top = { __proto__: null } as any;
    const isObject = value.type === 'object' && value.objectId !== undefined;
    let level = isObject ? await this.#first(value, top) : [this.#holding(holder, top)];
    for (let depth = isObject ? 1 : 0; level.length && depth <= DEPTH; depth++)
      level = await this.#flatten(state, level);
    for (const node of level) this.#close(node);
    await this.#date(state);
    return { result: top.v ?? null, type: 'v' in top ? 'object' : 'undefined', cuts: this.cuts };
  }

  /** The value itself, if it is to be read: no member of its holder has to be. */
  async #first(value: Remote, top: any): Promise<Node[]> {
    this.#room.nodes -= 1;
    this.#room.bytes -= OBJECT_BYTES;
    const place: [any, string] = [top, 'v'];
    replace({ place } as Node, null);
    const node = await this.#open({ index: 1, kind: 'object', object: value, objectId: value.objectId ?? '', place });
    return node ? [node] : [];
  }

  #holding(holder: string, top: any): Node {
    const node: Node = { index: 0, kind: 'plain', object: top, objectId: holder, place: [{}, ''] };
    this.#nodes.set(0, node);
    return node;
  }

  /** Read the objects of a level; give those of the next one. */
  async #flatten(state: string, level: Node[]): Promise<Node[]> {
    await Promise.all(level.filter(({ kind }) => kind === 'map' || kind === 'set').map((node) => this.#enter(node)));
    const open = level.filter(({ kind, entries }) => entries || (kind !== 'map' && kind !== 'set'));
    const jobs = open.map(({ index, kind, keys = false }) => ({ index, kind, keys })); // Chrome leaves out what is null
    const entries = open.flatMap(({ entries }) => (entries ? [{ objectId: entries }] : []));
    const args = [{ value: jobs }, { value: this.#room }, ...entries];
    const { result: flat } = await this.call(state, FLATTEN, args, ONE_LEVEL);
    const next = [] as Node[];
    for (const [name, value] of plainMembers(flat) ?? (await this.#members(flat.objectId)))
      this.#take(name, value, next);
    return (await Promise.all(next.map((node) => this.#open(node)))).filter((node) => node !== undefined);
  }

  async #members(objectId: string): Promise<[string, Remote][]> {
    const { result } = await this.#ask('Runtime.getProperties', { objectId, ownProperties: true });
    return result.flatMap(({ name, value }: any) => (value ? [[name, value]] : []));
  }

  #take(name: string, value: Remote, next: Node[]) {
    const [head = '', number = ''] = name.split(':', 2);
    if (head === 'room') this.#room.nodes = value.value;
    else if (head === 'bytes') this.#room.bytes = value.value;
    else {
      const key = name.slice(head.length + number.length + 2);
      const node = this.#nodes.get(Number(head.slice(1))) as Node;
      this.#takers[head[0] as string]?.(node, key, value, number, next);
    }
  }

  #takers: Record<string, (node: Node, key: string, value: Remote, number: string, next: Node[]) => void> = {
    v: (node, key, value) => put(node, key, wellFormed(plainOf(value))),
    c: (node, key) => put(node, key, '[Circular]'),
    f: (node, key, { value }) => put(node, key, value ? `[Function: ${wellFormed(value)}]` : '[Function]'),
    s: (node, key, { value }, number) => put(node, key, cutText(value, Number(number), this.cuts)),
    t: (node, key, { value }, what) => {
      if (what === 'big') put(node, key, `[BigInt: ${value}]`);
      else if (what === 'self') replace(node, `[Threw: ${wellFormed(value)}]`);
      else put(node, key, `[Threw: ${wellFormed(value)}]`);
    },
    m: (node, key, _, number) => this.#leaveOut(node, Number(key), Number(number)),
    e: (node, _, { value }) => replace(node, wellFormed(value)),
    o: (node, key, value, number, next) => {
      const place = put(node, key, null);
      next.push({ index: Number(number), kind: 'object', object: value, objectId: value.objectId ?? '', place });
    },
    x: (node, _, value, number, next) => {
      if (number === '') replace(node, wellFormed(plainOf(value)));
      else
        next.push({
          index: Number(number),
          kind: 'plain',
          object: value,
          objectId: value.objectId ?? '',
          place: node.place,
        });
    },
    r: (node, _, { value }, __, next) => {
      if (node.keys === undefined && !node.proxy) next.push({ ...node, keys: [], object: null });
      else replace(node, `[Threw: ${wellFormed(value)}]`);
    },
  };

  /** Decide how an object is read; undefined for one that is not. */
  async #open(node: Node): Promise<Node | undefined> {
    this.#nodes.set(node.index, node);
    if (node.object === null) return this.#byKeys(node);
    const remote = node.object as Remote;
    const { subtype = '', className = '', description = '' } = remote;
    if (subtype === 'proxy') return this.#through(node, description);
    const kind = KINDS[subtype];
    if (subtype === 'date') this.#dates.push(node);
    else if (kind) return this.#opened(node, kind);
    else if (subtype || className === 'Window') replace(node, opaque(remote));
    else return this.#opened(node, node.kind === 'plain' ? 'plain' : className === 'Object' ? 'object' : 'other');
    return undefined;
  }

  #opened(node: Node, kind: Kind) {
    if ((kind === 'map' || kind === 'set') && ++this.#maps > MAPS) {
      this.cuts.push(`no more than ${MAPS} maps and sets`);
      replace(node, opaque(node.object));
      return undefined;
    }
    node.kind = kind;
    const list = [] as any[];
    const object =
      kind === 'array'
        ? list
        : kind === 'map' || kind === 'set'
          ? { [kind === 'map' ? '[Map]' : '[Set]']: list }
          : { __proto__: null };
    node.object = { remote: node.object, list, value: object };
    replace(node, object);
    return node;
  }

  async #through(node: Node, description: string) {
    if (description === 'Proxy(Object)' || description === 'Proxy(Array)') {
      const opened = this.#opened(node, description === 'Proxy(Array)' ? 'array' : 'object');
      return opened && Object.assign(opened, { proxy: true });
    }
    const target = await this.#internal(node.objectId, '[[Target]]');
    if (target?.subtype && target.subtype !== 'proxy' && target.subtype !== 'null') {
      node.object = target;
      node.objectId = target.objectId ?? '';
      return this.#open(node);
    }
    if (target?.objectId && target.subtype !== 'proxy') return this.#opened(node, 'other');
    replace(node, `[${description}]`);
    return undefined;
  }

  /** Read an object key by key that could not be read at once. */
  async #byKeys(node: Node) {
    const { result } = await this.#ask('Runtime.getProperties', { objectId: node.objectId, ownProperties: true });
    const own = result.filter(({ enumerable, symbol }: any) => enumerable && !symbol);
    node.keys = own.slice(0, NODES).map(({ name }: any) => name);
    node.kind = 'plain';
    node.object = { value: { __proto__: null }, list: [] };
    replace(node, node.object.value);
    return node;
  }

  async #enter(node: Node) {
    const entries = await this.#internal(node.objectId, '[[Entries]]');
    if (entries?.objectId) node.entries = entries.objectId;
  }

  async #internal(objectId: string, name: string): Promise<Remote | undefined> {
    const { internalProperties = [] } = await this.#ask('Runtime.getProperties', { objectId, ownProperties: true });
    return internalProperties.find((property: any) => property.name === name)?.value;
  }

  async #date(state: string) {
    const dates = this.#dates;
    if (!dates.length) return;
    const args = dates.map(({ objectId }) => ({ objectId }));
    const { result } = await this.call(state, LIST, args, ONE_LEVEL);
    for (const [at, { value }] of result.deepSerializedValue.value) replace(dates[Number(at)] as Node, value);
  }

  #leaveOut({ kind, object }: Node, taken: number, left: number) {
    const what = kind === 'array' || kind === 'set' ? 'items' : kind === 'map' ? 'entries' : 'members';
    const mark = `… ${amount(left)} more ${what}`;
    this.cuts.push(`${amount(taken)} of ${amount(taken + left)} ${what}`);
    if (kind === 'array' || kind === 'map' || kind === 'set') object.list.push(mark);
    else object.value['…'] = mark;
  }

  #close(node: Node) {
    this.cuts.push(`nothing deeper than ${DEPTH} levels`);
    replace(node, `${opaque(node.object.remote ?? { type: 'object', description: 'Object' })} …`);
  }

  /** Call a function of ours with an object of the page as `this`. */
  async call(objectId: string, functionDeclaration: string, args: object[] = [], more: object = {}) {
    const params = { objectId, functionDeclaration, arguments: args, objectGroup: this.#group, silent: true, ...more };
    const answer = await this.#ask('Runtime.callFunctionOn', params);
    if (answer.exceptionDetails) throw new Failure('internal_error', 'The page did not let its value be read.');
    return answer;
  }
}

/** The members of an object that the inspector has serialised; undefined if one of them has to be looked into. */
function plainMembers({ deepSerializedValue }: any): [string, Remote][] | undefined {
  const members = [] as [string, Remote][];
  for (const [name, member] of deepSerializedValue.value as [string, Serialized][]) {
    const value = plainRemote(member);
    if (!value) return undefined;
    members.push([name, value]);
  }
  return members;
}

/** What the inspector says of a value without members, from its serialisation; undefined for all else. */
function plainRemote({ type, value }: Serialized): Remote | undefined {
  if (type === 'string' || type === 'boolean') return { type, value };
  if (type === 'number') return typeof value === 'number' ? { type, value } : { type, unserializableValue: value };
  if (type === 'bigint') return { type, unserializableValue: `${value}n` };
  if (type === 'null') return { type: 'object', subtype: 'null', value: null };
  return type === 'undefined' ? { type } : undefined;
}

/** Add a member; give its place, at which it can be replaced. */
function put({ kind, object, index }: Node, key: string, value: unknown): [any, string | number] {
  if (index === 0) object[key] = value;
  if (index === 0) return [object, key];
  if (kind === 'array') return at(object.list, Number(key), value ?? null);
  if (kind === 'set') return at(object.list, Number.parseInt(key, 10), value ?? null);
  if (kind === 'map')
    return at((object.list[Number.parseInt(key, 10)] ??= []), key.endsWith('k') ? 0 : 1, value ?? null);
  return at(object.value, wellFormed(key), value);
}

function at(container: any, key: string | number, value: unknown): [any, string | number] {
  container[key] = value;
  return [container, key];
}

function replace({ place: [container, key] }: Node, value: unknown) {
  container[key] = value;
}

/** The description of a value without members. */
function plainOf({ type, subtype, value, unserializableValue, description, objectId }: Remote): unknown {
  if (objectId && type !== 'symbol')
    return opaque({ type, ...(subtype && { subtype }), ...(description && { description }) });
  if (unserializableValue !== undefined) return unserializableValue;
  if (type === 'symbol') return description?.slice(0, DESCRIPTION);
  return type === 'undefined' ? null : value;
}

function opaque({ subtype, description = '' }: Remote): string {
  const text = wellFormed(description.slice(0, DESCRIPTION));
  if (subtype === 'node') return `<${text}>`;
  return subtype === 'regexp' ? text : `[${text}]`;
}

function cutText(text: string, length: number, cuts: string[]) {
  cuts.push(`${amount(text.length)} of ${amount(length)} characters`);
  return `${wellFormed(text)}… (${amount(length - text.length)} more characters)`;
}

/** Remove half characters from a text, which other languages cannot read. */
function wellFormed<T>(value: T): T {
  return typeof value === 'string' ? (value.toWellFormed() as any) : value;
}

function amount(count: number) {
  return count.toLocaleString('en-US');
}
