// Stands in for the relay: hands on what a test's page says, and shows what it was told; it must capture nothing itself.
//
// The page says `capture` with a list of events and is handed on at once, `hold` and waits to be fetched, `ask` and finds
// what the relay was told in its root element's data-told. A data-late there has the relay say that it came late; with a
// data-mute it does not say when it came, until the page says `answer`.

'use strict';

var held = held ?? [];
var waiting = waiting ?? [];
var unanswered = unanswered ?? [];
var told = told ?? { presets: [], captures: [] };

function capture() {}

function presetCapture(part) {
  told.presets.push(part);
}

function chunkOf(events) {
  const id = crypto.randomUUID().replaceAll('-', '');
  return { id, load: '5f3a9c01', page: location.href, events };
}

function flushEvents() {
  if (held.length) handOn(chunkOf(held.splice(0)));
  return structuredClone(waiting);
}

async function handOn(chunk) {
  waiting.push(chunk);
  for (let answer; !answer; ) {
    answer = await chrome.runtime.sendMessage({ name: 'events', chunks: [chunk] }).catch(() => undefined);
    if (answer) told.captures.push(answer.capture);
    else await new Promise((done) => setTimeout(done, 100));
  }
  waiting = waiting.filter(({ id }) => id !== chunk.id);
}

function answerAll() {
  for (const reply of unanswered.splice(0)) reply({ early: !('late' in document.documentElement.dataset) });
}

if (!told.listening) {
  told.listening = true;
  document.addEventListener('capture', ({ detail }) => handOn(chunkOf(JSON.parse(detail))));
  document.addEventListener('hold', ({ detail }) => held.push(...JSON.parse(detail)));
  document.addEventListener('answer', answerAll);
  document.addEventListener('ask', () => {
    document.documentElement.dataset.told = JSON.stringify({ ...told, waiting: waiting.length });
  });
  chrome.runtime.onMessage.addListener((message, sender, reply) => {
    if (message?.name === 'capture') told.captures.push(message.capture);
    if (message?.name !== 'relay') return undefined;
    unanswered.push(reply);
    if (!('mute' in document.documentElement.dataset)) answerAll();
    return true;
  });
}
