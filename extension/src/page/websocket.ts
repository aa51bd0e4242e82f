// Captures what goes through the page's WebSockets; it must neither delay nor change a message.

import { channel, wrap, wrapClass } from './channel.ts';
import { natives } from './natives.ts';

const { apply, blobSize, bufferLength, head, nth, of, typed, typedLength, utf8Size, uuid } = natives;
const { construct, hexOf, inherits, list, quietly, weakGet, weakSet } = natives;
const { typedBuffer, typedOffset, viewBuffer, viewLength, viewOffset } = natives;
const { admits, emit, listen, now } = channel;

/** Bytes of a message (seed 002: 4 KB). */
const MESSAGE = 4 * 1024;
const Bytes = Uint8Array;
const { prototype: ofBlob } = Blob;
const { prototype: ofView } = DataView;
const ids = new WeakMap();
const urlOf = of(WebSocket)('url');
const dataOf = of(MessageEvent)('data');
const codeOf = of(CloseEvent)('code');
const reasonOf = of(CloseEvent)('reason');

const binarySize: (data: any) => number = (data) => {
  if (inherits(data, ofBlob)) return blobSize(data);
  if (inherits(data, typed)) return typedLength(data);
  return inherits(data, ofView) ? viewLength(data) : bufferLength(data);
};

/** Two digits for each byte. */
const digits = list();
for (let byte = 0; byte < 256; byte++) digits[byte] = (byte < 16 ? '0' : '') + hexOf(byte, 16);

/** The bytes of a buffer or a view; undefined for a Blob, which cannot be read at once. */
const bytesOf: (data: any, size: number) => any = (data, size) => {
  if (inherits(data, ofBlob)) return undefined;
  if (inherits(data, typed)) return construct(Bytes, [typedBuffer(data), typedOffset(data), size]);
  if (inherits(data, ofView)) return construct(Bytes, [viewBuffer(data), viewOffset(data), size]);
  return construct(Bytes, [data, 0, size]);
};

/** Add the bytes of a message that is short enough to be decoded whole: the bridge decodes them, and stores none. */
const addBytes: (event: any, data: any) => void = (event, data) => {
  if (event.size > MESSAGE) return;
  const bytes = bytesOf(data, event.size);
  if (bytes === undefined) return;
  let text = '';
  for (let i = 0; i < event.size; i++) text += digits[bytes[i]];
  event.bytes = text;
};

const addText: (event: any, data: any) => void = (event, data) => {
  event.data = head(data, MESSAGE);
  event.size = utf8Size(data);
  if (event.data.length < data.length) event.truncated = true;
};

const addData: (event: any, data: any) => void = (event, data) => {
  if (typeof data === 'string') addText(event, data);
  else if (typeof data !== 'object' || data === null) addText(event, `${data}`);
  else {
    try {
      event.size = binarySize(data);
      event.data = `[Binary: ${event.size} bytes]`;
      quietly(addBytes, event, data);
    } catch {
      event.data = '[Object]'; // the browser has made text of it: that would run the page's code once more
    }
  }
};

const report: (socket: any, event: string, add?: (message: any) => void) => void = (socket, event, add) => {
  if (!channel.capture.websockets || !admits('websocket')) return;
  const message = { __proto__: null, type: 'websocket', ts: now(), event, id: idOf(socket), url: urlOf(socket) } as any;
  add?.(message);
  emit(message);
};

const reportMessage: (socket: any, direction: string, data: any) => void = (socket, direction, data) => {
  report(socket, 'message', (message) => {
    message.direction = direction;
    addData(message, data);
  });
};

const idOf: (socket: any) => string = (socket) => weakGet(ids, socket) ?? watch(socket);

/** The id that it gets. */
const watch: (socket: any) => string = (socket) => {
  const id = uuid();
  weakSet(ids, socket, id);
  listen(socket, 'open', () => report(socket, 'open'));
  listen(socket, 'message', (event) => reportMessage(socket, 'incoming', dataOf(event)));
  listen(socket, 'error', () => report(socket, 'error'));
  listen(socket, 'close', (event) => {
    report(socket, 'close', (message) => {
      message.code = codeOf(event);
      message.reason = reasonOf(event);
    });
  });
  return id;
};

wrapClass(globalThis, 'WebSocket', watch);
wrap(WebSocket.prototype, 'send', (target, self, args) => {
  const answer = apply(target, self, args);
  quietly(reportMessage, self, 'outgoing', nth(args, 0));
  return answer;
});
