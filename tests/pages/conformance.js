// Reports what a page sees of its platform, check by check, as JSON: with and without an extension it must be the same.

/** @type {Record<string, () => unknown>} */
const checks = {};

const WRAPPED = { window: ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest', 'Response', 'Request', 'alert', 'confirm', 'prompt', 'open', 'print'], WebSocket: ['send', 'close'],
  XMLHttpRequest: ['open', 'send', 'setRequestHeader', 'abort'], Navigator: ['sendBeacon'], Response: ['text', 'json', 'clone', 'blob', 'arrayBuffer', 'formData', 'bytes'] };

const flagsOf = ({ writable, enumerable, configurable }) => [writable, enumerable, configurable].map((flag) => (flag === undefined ? '-' : Number(flag))).join('');

/** Names in their order, with flags, type, length and name of what stands there. */
const shape = (owner) => Reflect.ownKeys(owner).map((key) => {
  const found = Object.getOwnPropertyDescriptor(owner, key);
  const it = found.value ?? found.get;
  return [String(key), flagsOf(found), typeof found.value, typeof it === 'function' ? `${it.name}/${it.length}` : ''].join(' ');
});

const thrown = (act) => {
  try {
    return `no error, ${String(act())}`;
  } catch (fault) {
    return `${fault?.constructor?.name} ${fault?.name}: ${fault?.message}`;
  }
};
const rejected = (promise) => promise.then((value) => `no error, ${value}`, (fault) => `${fault?.constructor?.name} ${fault?.name}: ${fault?.message}`);
const once = (target, type) => new Promise((done) => target.addEventListener(type, done, { once: true }));
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const socketUrl = location.href.replace(/^http/, 'ws').replace(/[^/]*$/, 'api/socket');
const wordy = (fault) => `${fault?.name}: ${fault?.message}`;

const connected = async (...args) => {
  const socket = new WebSocket(socketUrl, ...args);
  await Promise.race([once(socket, 'open'), once(socket, 'error').then(() => { throw new Error('refused'); })]);
  return socket;
};

/** Replace something for as long as an act takes. */
const replaced = async (owner, name, value, act) => {
  const found = Object.getOwnPropertyDescriptor(owner, name);
  Object.defineProperty(owner, name, { __proto__: null, configurable: true, writable: true, value });
  try {
    return await act();
  } finally {
    if (found) Object.defineProperty(owner, name, found);
    else delete owner[name];
  }
};

/** A little of everything that is captured. */
const useAll = async () => {
  console.debug('used', { a: [1] });
  const socket = new WebSocket(socketUrl);
  const xhr = new XMLHttpRequest();
  xhr.open('GET', 'api/echo');
  xhr.send();
  const reply = fetch('api/echo').then((answer) => answer.text()).catch(wordy);
  await Promise.all([once(xhr, 'loadend'), reply, Promise.race([once(socket, 'open'), once(socket, 'error')])]);
  socket.close();
};

// the globals, and what stands in them
checks['names of window'] = () => Object.getOwnPropertyNames(window).filter((name) => !Number.isInteger(Number(name)));
checks['names of window at first'] = () => window.firstNames;
checks['symbols of window'] = () => Object.getOwnPropertySymbols(window).map(String);
checks['enumerable of window'] = () => Object.keys(window);
checks['size of the markup at first'] = () => window.firstMarkup;
checks['attributes of html'] = () => document.documentElement.getAttributeNames();
checks['scripts of the document'] = () => [...document.scripts].map((script) => script.src.slice(location.origin.length));
checks['own names of document'] = () => Reflect.ownKeys(document).map(String);
checks['window.event outside a listener'] = () => String(window.event);
checks['handlers of window'] = () => [onerror, onunhandledrejection, onpagehide, onmessage].map(String);
checks['shape of fetch in window'] = () => shape(window).filter((line) => /^(fetch|WebSocket|EventSource|XMLHttpRequest|console|Proxy|Promise|JSON|alert|confirm|prompt) /.test(line));
checks['shape of console'] = () => shape(console);
checks['shape of WebSocket'] = () => shape(WebSocket);
checks['shape of WebSocket.prototype'] = () => shape(WebSocket.prototype);
checks['shape of XMLHttpRequest.prototype'] = () => shape(XMLHttpRequest.prototype);
checks['shape of EventSource'] = () => [shape(EventSource), shape(EventSource.prototype)];
checks['shape of Navigator.prototype'] = () => shape(Navigator.prototype);
checks['shape of Response.prototype'] = () => shape(Response.prototype);
checks['shape of Request.prototype'] = () => shape(Request.prototype);
checks['shape of EventTarget.prototype'] = () => shape(EventTarget.prototype);
checks['shape of Error'] = () => shape(Error);
checks['shape of Promise.prototype'] = () => shape(Promise.prototype);
checks['shape of history'] = () => [shape(History.prototype), Reflect.ownKeys(history)];
checks['order of for-in over a socket'] = () => { const names = []; for (const name in WebSocket.prototype) names.push(name); return names; };
checks['shape of wrapped functions'] = () => [fetch, WebSocket, WebSocket.prototype.send, XMLHttpRequest.prototype.open, console.log, alert, confirm, prompt].map(shape);
checks['prototypes of functions'] = () => [fetch, WebSocket, EventSource, console.log, alert, prompt].map((it) => Object.getPrototypeOf(it)?.name ?? String(Object.getPrototypeOf(it)));
checks['functions have no prototype of their own'] = () => [fetch, console.log, XMLHttpRequest.prototype.send, confirm].map((it) => 'prototype' in it);
checks['tags of functions'] = () => [fetch, WebSocket, console].map((it) => Object.prototype.toString.call(it));
checks['extensible'] = () => [window, console, fetch, WebSocket, WebSocket.prototype].map(Object.isExtensible);

// toString: the one thing that a Proxy cannot keep
checks['toString'] = () => Object.fromEntries(Object.entries(WRAPPED).flatMap(([owner, names]) => names.map((name) => [`${owner}.${name}`,
  String((owner === 'window' ? window : window[owner].prototype)[name])])).concat(['log', 'error', 'assert', 'count', 'clear'].map((name) => [`console.${name}`, String(console[name])])));
checks['toString is native'] = () => Object.entries(WRAPPED).every(([owner, names]) => names.every((name) => /\{ \[native code\] \}$/.test((owner === 'window' ? window : window[owner].prototype)[name])));

// classes
checks['constants of WebSocket'] = () => [WebSocket.CONNECTING, WebSocket.OPEN, WebSocket.CLOSING, WebSocket.CLOSED, EventSource.CLOSED];
checks['constructor of the prototype'] = () => [WebSocket.prototype.constructor === WebSocket, EventSource.prototype.constructor === EventSource];
checks['instanceof'] = () => {
  const socket = new WebSocket(socketUrl);
  socket.close();
  return [socket instanceof WebSocket, socket instanceof EventTarget, socket.constructor === WebSocket, Object.getPrototypeOf(socket) === WebSocket.prototype,
    Reflect.ownKeys(socket), socket.readyState, socket.bufferedAmount, socket.binaryType];
};
checks['subclass of WebSocket'] = () => {
  class Loud extends WebSocket {
    #hidden = 7;
    constructor(url) { super(url); this.target = new.target.name; }
    get hidden() { return this.#hidden; }
    send(data) { return super.send(data); }
  }
  const socket = new Loud(socketUrl);
  const told = [socket instanceof Loud, socket instanceof WebSocket, socket.constructor.name, socket.target, socket.hidden, Loud.OPEN, thrown(() => socket.send('x'))];
  socket.close();
  return told;
};
checks['subclass of XMLHttpRequest'] = () => {
  class Own extends XMLHttpRequest { open(...args) { super.open(...args); return 'opened'; } }
  const xhr = new Own();
  return [xhr instanceof XMLHttpRequest, xhr.open('GET', 'api/echo'), xhr.readyState];
};
checks['construct with another target'] = () => {
  function Other() {}
  Other.prototype = Object.create(WebSocket.prototype);
  const socket = Reflect.construct(WebSocket, [socketUrl], Other);
  socket.close();
  return [socket instanceof Other, Object.getPrototypeOf(socket) === Other.prototype];
};
checks['old-style inheritance'] = () => {
  function Old(url) { const it = new WebSocket(url); Object.setPrototypeOf(it, Old.prototype); return it; }
  Old.prototype = Object.create(WebSocket.prototype, { constructor: { value: Old } });
  const socket = new Old(socketUrl);
  socket.close();
  return [socket instanceof Old, socket.constructor === Old];
};

// illegal calls
checks['WebSocket without new'] = () => thrown(() => WebSocket(socketUrl));
checks['EventSource without new'] = () => thrown(() => EventSource('x'));
checks['WebSocket without address'] = () => thrown(() => new WebSocket());
checks['WebSocket with a bad address'] = () => ['http://[', 'ftp://x', 'ws://x/#f', ''].map((url) => thrown(() => new WebSocket(url)?.close()));
checks['WebSocket with bad protocols'] = () => thrown(() => new WebSocket(socketUrl, ['a', 'a']));
checks['WebSocket with a symbol'] = () => thrown(() => new WebSocket(Symbol('x')));
checks['address is made text once'] = () => {
  let count = 0;
  const socket = new WebSocket({ toString() { count += 1; return socketUrl; } });
  socket.close();
  return [count, socket.url.slice(-11)];
};
checks['send before open'] = () => { const socket = new WebSocket(socketUrl); const told = thrown(() => socket.send('x')); socket.close(); return told; };
checks['send after close'] = () => { const socket = new WebSocket(socketUrl); socket.close(); return thrown(() => socket.send('x')); };
checks['send on what is no socket'] = () => [thrown(() => WebSocket.prototype.send.call({}, 'x')), thrown(() => WebSocket.prototype.send('x'))];
checks['send without data'] = () => { const socket = new WebSocket(socketUrl); const told = thrown(() => socket.send()); socket.close(); return told; };
checks['close with a bad code'] = () => { const socket = new WebSocket(socketUrl); const told = thrown(() => socket.close(1)); socket.close(); return told; };
checks['getter on the prototype'] = () => thrown(() => WebSocket.prototype.url);
checks['fetch as a constructor'] = () => thrown(() => new fetch('x'));
checks['fetch of nothing'] = () => rejected(fetch());
checks['fetch of a bad address'] = () => rejected(fetch('http://['));
checks['fetch on another object'] = () => rejected(fetch.call({}, 'api/echo'));
checks['fetch with a bad method'] = () => rejected(fetch('api/echo', { method: 'TRACE' }));
checks['fetch with a body on GET'] = () => rejected(fetch('api/echo', { body: 'x' }));
checks['fetch with bad init'] = () => rejected(fetch('api/echo', 5));
checks['fetch returns a promise of its own'] = () => { const it = fetch('api/echo'); it.catch(() => 0); return [it instanceof Promise, it.constructor === Promise, Reflect.ownKeys(it), Object.prototype.toString.call(it)]; };
checks['init is read once'] = async () => {
  const read = [];
  const init = { get method() { read.push('method'); return 'POST'; }, get body() { read.push('body'); return 'x'; }, get headers() { read.push('headers'); return undefined; } };
  await fetch('api/echo', init).catch(() => 0);
  return read.sort();
};
checks['xhr in the wrong state'] = () => [thrown(() => new XMLHttpRequest().send()), thrown(() => new XMLHttpRequest().setRequestHeader('a', 'b')), thrown(() => new XMLHttpRequest().open()),
  thrown(() => new XMLHttpRequest().open('GET')), thrown(() => new XMLHttpRequest().open('TRACE', 'x')), thrown(() => new XMLHttpRequest().open('GET', 'http://[')),
  thrown(() => XMLHttpRequest.prototype.send.call({})), thrown(() => XMLHttpRequest())];
checks['beacon illegally'] = () => [thrown(() => navigator.sendBeacon()), thrown(() => navigator.sendBeacon('data:x')), thrown(() => Navigator.prototype.sendBeacon.call({}, 'x'))];
checks['response illegally'] = () => Promise.all([rejected(Response.prototype.text.call({})), thrown(() => Response.prototype.clone.call({}))]);
checks['console without this'] = () => { const { debug } = console; return [String(debug('x')), String(console.assert(true)), String(console.debug())]; };
checks['console as a constructor'] = () => thrown(() => new console.log());

// requests
checks['reply of fetch'] = async () => {
  const reply = await fetch('api/echo', { method: 'POST', body: '{"a":1}', headers: { 'Content-Type': 'application/json' } });
  const before = reply.bodyUsed;
  const value = await reply.json();
  return [reply.constructor === Response, reply.status, reply.type, before, value, reply.bodyUsed, await rejected(reply.text()), thrown(() => reply.clone())];
};
checks['reply is cloned'] = async () => { const reply = await fetch('api/echo', { method: 'POST', body: 'twice' }); const copy = reply.clone(); return [await copy.text(), reply.bodyUsed, await reply.text()]; };
checks['body of a reply'] = async () => { const reply = await fetch('api/echo', { method: 'POST', body: 'x' }); return [reply.body instanceof ReadableStream, reply.body.locked, reply.bodyUsed]; };
checks['every way to read'] = async () => {
  const ask = () => fetch('api/echo', { method: 'POST', body: 'a=1', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } });
  return [await (await ask()).text(), (await (await ask()).blob()).size, (await (await ask()).arrayBuffer()).byteLength, (await (await ask()).formData()).get('a')];
};
checks['request object'] = async () => {
  const request = new Request('api/echo', { method: 'POST', body: 'once' });
  const copy = request.clone();
  const before = request.bodyUsed;
  const text = await (await fetch(request)).text();
  return [before, request.bodyUsed, copy.bodyUsed, text, await rejected(fetch(request)), await (await fetch(copy)).text()];
};
checks['redirect'] = async () => { const reply = await fetch('api/redirect'); return [reply.redirected, reply.url.slice(-8), await rejected(fetch('api/redirect', { redirect: 'error' }))]; };
checks['status of an error'] = async () => { const reply = await fetch('api/echo?status=500'); return [reply.ok, reply.status, await reply.text()]; };
checks['headers of a reply'] = async () => [...(await fetch('api/echo')).headers.keys()].sort();
checks['no connection'] = () => rejected(fetch('http://127.0.0.1:9/'));
checks['first chunk comes first'] = async () => {
  const name = String(Math.random());
  const reader = (await fetch(`api/stream?name=${name}`)).body.getReader();
  const first = new TextDecoder().decode((await reader.read()).value);
  await fetch(`api/open?name=${name}`);
  return [first, new TextDecoder().decode((await reader.read()).value), (await reader.read()).done];
};
checks['abort before'] = () => rejected(fetch('api/echo', { signal: AbortSignal.abort() }));
checks['abort with a reason'] = () => { const reason = { mine: true }; return fetch('api/echo', { signal: AbortSignal.abort(reason) }).catch((fault) => fault === reason); };
checks['abort during'] = () => { const ended = new AbortController(); setTimeout(() => ended.abort(), 50); return rejected(fetch('api/slow', { signal: ended.signal })); };
checks['abort while the body comes'] = async () => {
  const ended = new AbortController();
  const reply = await fetch(`api/stream?name=${Math.random()}`, { signal: ended.signal });
  setTimeout(() => ended.abort(), 50);
  return rejected(reply.text());
};
checks['abort after'] = async () => { const ended = new AbortController(); const text = await (await fetch('api/echo', { signal: ended.signal })).text(); ended.abort(); return text; };
checks['cancelled stream'] = async () => { const reply = await fetch(`api/stream?name=${Math.random()}`); await reply.body.cancel(); return [reply.bodyUsed, await rejected(reply.text())]; };
checks['rejection without a handler'] = async () => {
  const happened = new Promise((done) => addEventListener('unhandledrejection', (event) => { event.preventDefault(); done(event); }, { once: true }));
  const promise = fetch('http://127.0.0.1:9/');
  const event = await happened;
  return [event.promise === promise, wordy(event.reason)];
};
checks['rejection with a handler'] = async () => {
  let count = 0;
  const count1 = (event) => { event.preventDefault(); count += 1; };
  addEventListener('unhandledrejection', count1);
  await fetch('http://127.0.0.1:9/').catch(() => 0);
  await pause(50);
  removeEventListener('unhandledrejection', count1);
  return count;
};
checks['uncaught error'] = async () => {
  const told = [];
  window.onerror = (message, source, line, column, fault) => { told.push(message, source.slice(-14), wordy(fault)); return true; };
  const happened = once(window, 'error');
  setTimeout(() => { throw new RangeError('planned'); });
  const event = await happened;
  await pause(0);
  window.onerror = null;
  return [told, event.message, event.defaultPrevented];
};
checks['order of microtasks'] = async () => { const order = []; const it = Promise.resolve().then(() => order.push('micro')); setTimeout(() => order.push('macro')); console.debug('x'); order.push('sync'); await it; await pause(5); return order; };
checks['xhr'] = async () => {
  const xhr = new XMLHttpRequest();
  const order = [];
  for (const type of ['readystatechange', 'loadstart', 'progress', 'load', 'loadend', 'error']) xhr.addEventListener(type, () => order.push(type + xhr.readyState));
  xhr.open('POST', 'api/echo');
  xhr.setRequestHeader('Content-Type', 'text/plain');
  xhr.send('hello');
  await once(xhr, 'loadend');
  return [order, xhr.status, xhr.responseText, xhr.getResponseHeader('content-type'), Reflect.ownKeys(xhr)];
};
checks['xhr, used again'] = async () => { const xhr = new XMLHttpRequest(); const told = []; for (const body of ['a', 'b']) { xhr.open('POST', 'api/echo'); xhr.send(body); await once(xhr, 'loadend'); told.push(xhr.responseText); } return told; };
checks['xhr of every type'] = () => Promise.all(['', 'text', 'json', 'blob', 'arraybuffer', 'document'].map(async (type) => {
  const xhr = new XMLHttpRequest(); xhr.open('POST', 'api/echo?type=application/json'); xhr.responseType = type; xhr.send('{"a":1}'); await once(xhr, 'loadend');
  return [type, Object.prototype.toString.call(xhr.response), xhr.response === xhr.response];
}));
checks['xhr, synchronous'] = () => { const xhr = new XMLHttpRequest(); xhr.open('GET', 'api/echo', false); xhr.send(); return [xhr.status, xhr.responseText]; };
checks['xhr, synchronous, is reported as deprecated'] = async () => {
  const reports = new Promise((done) => new ReportingObserver(done, { types: ['deprecation'], buffered: true }).observe());
  const xhr = new XMLHttpRequest();
  xhr.open('GET', 'api/echo', false);
  xhr.send();
  return (await reports).map(({ body }) => body.id);
};
checks['xhr, synchronous and failed'] = () => { const xhr = new XMLHttpRequest(); xhr.open('GET', 'http://127.0.0.1:9/', false); return thrown(() => xhr.send()); };
checks['xhr, aborted'] = async () => { const xhr = new XMLHttpRequest(); const order = []; for (const type of ['abort', 'loadend', 'error']) xhr.addEventListener(type, () => order.push(type)); xhr.open('GET', 'api/slow'); xhr.send(); xhr.abort(); return [order, xhr.readyState, xhr.status]; };
checks['xhr, timed out'] = async () => { const xhr = new XMLHttpRequest(); xhr.open('GET', 'api/slow'); xhr.timeout = 50; xhr.send(); return (await Promise.race([once(xhr, 'timeout'), once(xhr, 'error')])).type; };
checks['beacon'] = () => [navigator.sendBeacon('api/echo', 'x'), navigator.sendBeacon('api/echo', new Blob(['x'.repeat(70000)]))];
checks['event source'] = async () => {
  const source = new EventSource('api/events');
  const told = [];
  source.addEventListener('tick', (event) => told.push([event.data, event.lastEventId]));
  await Promise.race([new Promise((done) => source.addEventListener('tick', () => told.length > 2 && done())), once(source, 'error')]);
  const state = source.readyState;
  source.close();
  return [told, state, source.readyState, source instanceof EventSource];
};

// sockets
/** The other pages differ in their policy and their timers: what a flood may confuse is the same in all. */
const MESSAGES = location.pathname === '/conformance.html' ? 10_000 : 500;
checks['messages in order'] = async () => {
  const socket = await connected();
  let next = 0;
  let wrong = 0;
  const all = new Promise((done) => { socket.onmessage = ({ data }) => { if (Number(data) !== next++) wrong += 1; if (next === MESSAGES) done(); }; });
  for (let n = 0; n < MESSAGES; n++) socket.send(String(n));
  await all;
  socket.close();
  return [next, wrong];
};
checks['binary types'] = async () => {
  const socket = await connected();
  const answer = async (data) => { const got = once(socket, 'message'); socket.send(data); return Object.prototype.toString.call((await got).data); };
  const told = [await answer(new Uint8Array(3)), await answer('text')];
  socket.binaryType = 'arraybuffer';
  told.push(await answer(new Blob(['abc'])), await answer(new DataView(new ArrayBuffer(2))));
  socket.close();
  return told;
};
checks['what is sent is made text once'] = async () => { const socket = await connected(); let count = 0; const got = once(socket, 'message'); socket.send({ toString() { count += 1; return 'it'; } }); const { data } = await got; socket.close(); return [count, data]; };
checks['message event'] = async () => { const socket = await connected(); const got = once(socket, 'message'); socket.send('x'); const event = await got; socket.close(); return [event.constructor === MessageEvent, event.isTrusted, event.origin.slice(0, 5), event.data === event.data, event.eventPhase, event.target === socket]; };
checks['protocol is negotiated'] = async () => { const socket = await connected(['two']); const { protocol } = socket; socket.close(); return protocol; };
checks['close code of the server'] = async () => { const socket = await connected(); socket.send('close'); const event = await once(socket, 'close'); return [event.code, event.reason, event.wasClean]; };
checks['close code of the page'] = async () => { const socket = await connected(); socket.close(3001, 'done'); const event = await once(socket, 'close'); return [event.code, event.wasClean]; };
checks['refused socket'] = async () => { const socket = new WebSocket('ws://127.0.0.1:9/'); const order = []; socket.onerror = () => order.push('error'); const event = await Promise.race([once(socket, 'close'), once(socket, 'error').then(() => pause(200))]); return [order, event?.code, event?.wasClean]; };
checks['window.event in a listener'] = async () => { const told = []; const target = document.createElement('p'); target.onclick = (event) => { console.debug('x'); told.push(window.event === event); }; target.click(); return [told, String(window.event)]; };
checks['RegExp.$1 survives'] = async () => { /(never) mind/.exec('never mind'); console.log('%s: %d', 'http://x/y?z', 1); const xhr = new XMLHttpRequest(); xhr.open('GET', 'api/echo'); xhr.setRequestHeader('A', 'b'); fetch('api/echo', { headers: { a: 'b' } }).catch(() => 0); return [RegExp.$1, RegExp.input]; };

// what is logged stays as it is
checks['logged getters do not run'] = () => { let ran = 0; console.debug({ get a() { ran += 1; return 1; }, toJSON() { ran += 1; }, [Symbol.toPrimitive]() { ran += 1; return ''; } }); return ran; };
checks['logged errors keep their stack'] = () => { const fault = new Error('kept'); console.debug(fault); return [Reflect.ownKeys(fault), typeof fault.stack]; };
checks['logged objects stay extensible and unchanged'] = () => { const object = Object.freeze({ a: 1 }); console.debug(object); return [Reflect.ownKeys(object), Object.isFrozen(object)]; };
checks['prepareStackTrace runs as often'] = async () => { let count = 0; await replaced(Error, 'prepareStackTrace', () => { count += 1; return 'mine'; }, () => { console.debug(new Error('a')); console.trace('x'); return new Error('b').stack; }); return count; };
checks['stackTraceLimit'] = async () => [await replaced(Error, 'stackTraceLimit', 0, () => { console.debug('x'); console.trace('y'); return Error.stackTraceLimit; }), Error.stackTraceLimit, typeof Error.prepareStackTrace];
checks['stack of a page error'] = () => new Error('mine').stack.split('\n')[0];
checks['endless recursion'] = () => { let depth = 0; const dive = () => { depth += 1; console.debug(); dive(); }; return [thrown(dive), depth > 100]; };

// a page that replaces what it can reach
const patches = {
  'fetch': [window, () => Promise.resolve(new Response('mine'))],
  'JSON.stringify': [JSON, () => 'patched'],
  'JSON.parse': [JSON, () => 'patched'],
  'Array.prototype.push': [Array.prototype, () => 0],
  'Array.prototype.map': [Array.prototype, () => []],
  'Object.prototype.toJSON': [Object.prototype, () => 'patched'],
  'Promise.prototype.then': [Promise.prototype, Promise.prototype.then],
  'EventTarget.prototype.dispatchEvent': [EventTarget.prototype, () => true],
  'Reflect.apply': [Reflect, () => 'patched'],
  'Function.prototype.apply': [Function.prototype, () => 'patched'],
  'Function.prototype.call': [Function.prototype, () => 'patched'],
  'Map.prototype.get': [Map.prototype, () => 'patched'],
  'WeakMap.prototype.get': [WeakMap.prototype, () => 'patched'],
  'String.prototype.slice': [String.prototype, () => 'patched'],
  'performance.now': [Performance.prototype, () => Number.NaN],
};
for (const [path, [owner, value]] of Object.entries(patches)) {
  const name = path.split('.').at(-1);
  checks[`replaced ${path}`] = async () => {
    let count = 0;
    const counting = (...args) => { count += 1; return value === Promise.prototype.then ? undefined : value(...args); };
    const patched = path === 'Promise.prototype.then' ? value : counting;
    const stays = await replaced(owner, name, patched, async () => { console.debug('x', { a: 1 }); new XMLHttpRequest().open('GET', 'x'); return owner[name] === patched; });
    await useAll();
    return [stays, path === 'fetch' ? 0 : count];
  };
}
checks['replaced addEventListener'] = () => { let count = 0; const own = EventTarget.prototype.addEventListener; EventTarget.prototype.addEventListener = function () { count += 1; }; new WebSocket(socketUrl).close(); const xhr = new XMLHttpRequest(); xhr.open('GET', 'x'); EventTarget.prototype.addEventListener = own; return count; };
checks['replaced WebSocket'] = () => { const own = window.WebSocket; window.WebSocket = class Fake {}; const told = [new WebSocket('x').constructor.name]; window.WebSocket = own; return [...told, window.WebSocket === own]; };
checks['deleted console.log'] = () => { const found = Object.getOwnPropertyDescriptor(console, 'log'); delete console.log; const told = 'log' in console; Object.defineProperty(console, 'log', found); return told; };
checks['setters on Array.prototype'] = () => { let count = 0; Object.defineProperty(Array.prototype, 0, { configurable: true, set() { count += 1; }, get() { count += 1; } }); console.debug('a', { b: [1] }, [2]); console.debug(); delete Array.prototype[0]; return count; };
checks['frozen console'] = () => { const it = { ...console }; Object.freeze(it); it.debug('x'); return Object.isFrozen(it); };

// frames, each with a realm of its own
const framed = async (prepare) => {
  const frame = document.createElement('iframe');
  prepare(frame);
  const loaded = once(frame, 'load');
  document.body.append(frame);
  await Promise.race([loaded, pause(1000)]);
  return frame;
};
const realm = (inner) => [Object.getOwnPropertyNames(inner).filter((name) => !Number.isInteger(Number(name))).length, inner.fetch !== fetch, inner.fetch.name, inner.WebSocket.prototype.constructor === inner.WebSocket,
  shape(inner.console).length, inner.document.documentElement.getAttributeNames()];
checks['frame about:blank, at once'] = () => { const frame = document.createElement('iframe'); document.body.append(frame); const told = realm(frame.contentWindow); frame.remove(); return told; };
checks['frame srcdoc'] = async () => { const frame = await framed((it) => it.setAttribute('src', 'about:srcdoc')); const told = realm(frame.contentWindow); frame.remove(); return told; };
checks['frame blob:'] = async () => { const frame = await framed((it) => { it.src = URL.createObjectURL(new Blob(['<p>blob'], { type: 'text/html' })); }); const told = thrown(() => JSON.stringify(realm(frame.contentWindow))); frame.remove(); return told; };
// a frame that may run no script is silent
const silent = /strict|trusted/.test(location.pathname) ? 250 : 1500;
const ask = async (prepare) => {
  const said = new Promise((done) => addEventListener('message', ({ data, origin }) => done([data, origin]), { once: true }));
  const frame = await framed(prepare);
  const told = await Promise.race([said, pause(silent).then(() => 'silent')]);
  frame.remove();
  return told;
};
const script = '<script>parent.postMessage([Object.getOwnPropertyNames(window).length, fetch.name, String(window.event), document.documentElement.attributes.length], "*")</' + 'script>';
checks['frame data:'] = () => ask((it) => { it.src = `data:text/html,${script}`; });
checks['frame sandboxed'] = () => ask((it) => { it.setAttribute('sandbox', 'allow-scripts'); it.src = URL.createObjectURL(new Blob([script], { type: 'text/html' })); });
const suppressed = '<script>let made = 0; const text = { toString() { made += 1; return "x"; } }; const said = [];' +
  'for (const it of [alert, confirm, prompt]) { for (const args of [[], [text], [text, text], [undefined, null], [5, 6n], [Symbol("s")], [{ toString() { throw new RangeError("mine"); } }]]) { try { said.push(String(it(...args))); } catch (fault) { said.push(String(fault)); } } }' +
  'parent.postMessage([said, made], "*")</' + 'script>';
checks['dialogs that may not open'] = () => ask((it) => { it.setAttribute('sandbox', 'allow-scripts'); it.src = URL.createObjectURL(new Blob([suppressed], { type: 'text/html' })); });
checks['dialogs, illegally'] = () => [alert, confirm, prompt].flatMap((it) => [thrown(() => it.call({}, 'x')), thrown(() => new it('x')), thrown(() => it(Symbol('x')))]);
checks['functions of another realm'] = async () => { const frame = await framed(() => 0); const inner = frame.contentWindow; const socket = new inner.WebSocket(socketUrl); const told = [socket instanceof inner.WebSocket, socket instanceof WebSocket, thrown(() => WebSocket.prototype.send.call(socket, 'x'))]; socket.close(); frame.remove(); return told; };
checks['worker'] = async () => { const worker = new Worker(URL.createObjectURL(new Blob(['postMessage([typeof WebSocket, fetch.name])']))); const got = await Promise.race([once(worker, 'message'), once(worker, 'error')]); worker.terminate(); return got.data; };
checks['text is refused where Trusted Types are required'] = () => thrown(() => { document.createElement('p').innerHTML = '<b>x</b>'; return 'set'; });
checks['eval'] = () => thrown(() => (0, eval)('1 + 1'));
checks['document.currentScript'] = () => String(document.currentScript);
checks['no request but the page\'s own'] = () => performance.getEntriesByType('resource').filter(({ name }) => !name.startsWith(location.origin) && !name.startsWith('http://127.0.0.1:9') && !/^(blob|data|about):/.test(name)).map(({ name }) => name);
checks['observed changes of the document'] = async () => {
  const seen = [];
  const watch = new MutationObserver((records) => seen.push(...records.map(({ type }) => type)));
  watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  await useAll();
  watch.disconnect();
  return seen;
};
checks['messages to the window'] = async () => { const seen = []; const see = (event) => seen.push(event.type); for (const type of ['message', 'gasoline', 'e', 'c']) addEventListener(type, see, true); await useAll(); for (const type of ['message', 'gasoline', 'e', 'c']) removeEventListener(type, see, true); return seen; };

// last, for it says what differs
checks['frames in the stack of a failed request'] = async () => {
  const fault = await fetch('http://127.0.0.1:9/').catch((it) => it);
  return fault.stack.split('\n').filter((line) => line.includes('gasoline://')).length;
};
checks['frames in the stack of an illegal call'] = () => {
  try {
    return new WebSocket('ftp://x');
  } catch (fault) {
    return fault.stack.split('\n').filter((line) => line.includes('gasoline://')).length;
  }
};
checks['names of window at last'] = () => Object.getOwnPropertyNames(window).filter((name) => !Number.isInteger(Number(name)));

/**
 * @param {string[]} [names]  all, unless some are named
 * @returns {Promise<Record<string, unknown>>}
 */
globalThis.conform = async (names = Object.keys(checks)) => {
  const report = {};
  for (const name of names) {
    const check = checks[name];
    try {
      const bound = pause(60000).then(() => 'took too long');
      report[name] = (await Promise.race([check(), bound])) ?? null;
    } catch (fault) {
      report[name] = `failed: ${wordy(fault)}`;
    }
  }
  return report;
};
