// Stands in for the relay: hands on what a test's page says, and shows what it was told; it must capture nothing itself.
//
// The page says `capture` with a list of events and is handed on at once, `hold` and waits to be fetched, `ask` and finds
// what the relay was told in its root element's data-told. A data-late there has the relay say that it came late; with a
// data-mute it does not say when it came, until the page says `answer`.

import { frame } from '../../extension/src/content/frame.ts';
import type { Capture, CapturedEvent, Chunk } from '../../extension/src/shared/events.ts';

type Reply = (answer: unknown) => void;

let held: CapturedEvent[] = [];
let waiting: Chunk[] = [];
const unanswered: Reply[] = [];
const told: { presets: Partial<Capture>[]; captures: Capture[] } = { presets: [], captures: [] };

function chunkOf(events: CapturedEvent[]): Chunk {
  const id = crypto.randomUUID().replaceAll('-', '');
  return { id, load: '5f3a9c01', page: location.href, events };
}

async function handOn(chunk: Chunk) {
  waiting.push(chunk);
  for (let answer: { capture: Capture } | undefined; !answer; ) {
    answer = await chrome.runtime.sendMessage({ name: 'events', chunks: [chunk] }).catch(() => undefined);
    if (answer) told.captures.push(answer.capture);
    else await new Promise((done) => setTimeout(done, 100));
  }
  waiting = waiting.filter(({ id }) => id !== chunk.id);
}

function flush() {
  if (held.length) handOn(chunkOf(held));
  held = [];
  return structuredClone(waiting);
}

function answerAll() {
  for (const reply of unanswered.splice(0)) reply({ early: !('late' in document.documentElement.dataset) });
}

export function startRelay() {
  frame.relay = {
    capture: () => {},
    preset: (part) => told.presets.push(part),
    ask: async () => {
      frame.excluded = false;
    },
    flush,
    faultsSince: () => ({ count: 0, texts: [] }),
    faults: () => 0,
    socketMessages: () => 0,
    socketAnswers: () => ({ answered: 0, awaits: false, isPartial: false }),
    requests: () => undefined,
    ended: () => [],
  };
  document.addEventListener('capture', (event) => handOn(chunkOf(JSON.parse((event as CustomEvent).detail))));
  document.addEventListener('hold', (event) => held.push(...JSON.parse((event as CustomEvent).detail)));
  document.addEventListener('answer', answerAll);
  document.addEventListener('ask', () => {
    document.documentElement.dataset['told'] = JSON.stringify({ ...told, waiting: waiting.length });
  });
  chrome.runtime.onMessage.addListener((message, _, reply) => {
    if (message?.name === 'capture') told.captures.push(message.capture);
    if (message?.name !== 'relay') return undefined;
    unanswered.push(reply);
    if (!('mute' in document.documentElement.dataset)) answerAll();
    return true;
  });
}
