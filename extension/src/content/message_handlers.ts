// Answers the service worker's questions about this page by the handlers that this frame has; it must answer nothing else.

import { UPDATE } from '../shared/update.ts';
import { nodes } from './dom/nodes.ts';
import { type Fault, frame, type MessageHandler } from './frame.ts';
import { closedSite, isOpen } from './site_access.ts';

/** The frame around Chrome's viewer, which is all that an extension sees of a PDF. */
const pdf = (): Fault => ({
  code: 'tab_not_scriptable',
  message: 'Extensions have no access to this page: it is shown by the PDF viewer.',
  details: { url: location.href.slice(0, 500), reason: 'pdf_viewer' },
  recovery: 'Open a web page with interact(action:"navigate", url), or name another tab with tab_id.',
});

type Answer = { result: object } | { error: Fault } | { missing: true };

type Question = { name: string; arguments: Record<string, unknown> };

/**
 * Without a handler the answer is `missing`: the worker injects its bundle then, and asks again. If that is there, it is of
 * another version than the worker: the files on disk were replaced while it ran.
 */
export function answerTo(question: Question): Answer | Promise<Answer> {
  if (frame.excluded === undefined) return isOpen().then(() => answerTo(question));
  if (frame.excluded) return { error: closedSite() };
  if (nodes.contentType(document) === 'application/pdf') return { error: pdf() };
  const handler = frame.handlers[question.name];
  if (!handler)
    return frame.started.has(bundleOf(question.name)) ? { error: outdated(question.name) } : { missing: true };
  try {
    const result = handler(question.arguments);
    return result instanceof Promise ? result.then((later) => ({ result: later }), failed) : { result };
  } catch (fault) {
    return failed(fault);
  }
}

function failed(fault: unknown): Answer {
  const { message, fault: known } = fault as Error & { fault?: Fault };
  return { error: known ?? { code: 'internal_error', message: `The page's script failed: ${message}` } };
}

function bundleOf(name: string) {
  if (name.startsWith('draw_')) return 'draw';
  return name === 'page_load' ? 'vitals' : 'commands';
}

function outdated(name: string): Fault {
  return {
    code: 'not_found',
    message: `The extension's scripts in this page have no ${JSON.stringify(name)}.`,
    details: { command: name },
    recovery: UPDATE,
  };
}

export function addHandlers(handlers: Record<string, MessageHandler>) {
  Object.assign(frame.handlers, handlers);
}

function withCaptured(answer: Answer) {
  return 'missing' in answer ? answer : { ...answer, captured: frame.relay?.flush(), frames: window.length };
}

export function startMessageHandlers() {
  frame.answer = (question) => {
    const answer = answerTo(question);
    return answer instanceof Promise ? answer.then(withCaptured) : withCaptured(answer);
  };
  chrome.runtime.onMessage.addListener((question, sender, reply) => {
    if (sender.id !== chrome.runtime.id || typeof question?.arguments !== 'object') return false;
    const answer = answerTo(question);
    if (!(answer instanceof Promise)) return reply(answer);
    answer.then(reply);
    return true; // the reply comes later
  });
}
