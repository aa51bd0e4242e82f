// The bundle of Draw Mode: the worker injects it into a page when a session begins there.

import { listenAlways } from './capture/persistent_listeners.ts';
import { annotationDetail } from './draw/detail.ts';
import { DrawingSession } from './draw/draw_session.ts';
import { lookAt, looksOf } from './draw/looks.ts';
import { removeCards, showReplies } from './draw/reply_cards.ts';
import { frame, type Query, startOnce } from './frame.ts';
import { addHandlers } from './message_handlers.ts';

type Annotations = DrawingSession['annotations'];

/** The session of this page. */
let session: DrawingSession | undefined;

/** An annotation with its element as it is in the picture that is taken now. */
const asShown = (one: Annotations[number]) => ({ ...one, ...present(lookAt(one.selector)) });

const present = (look: Annotations[number]['look']) => look && { look };

type Started = { status: 'started' | 'already_active'; annotation_count: number };

/** Begin a session, or go on with the annotations that the worker kept; a second one is not begun. */
function drawStart({ annotations = [] }: Query): Started {
  if (session) {
    session.restore();
    return { status: 'already_active', annotation_count: session.count };
  }
  const begun: DrawingSession = new DrawingSession({ changed, finished, ended: () => forget(begun) }, annotations);
  try {
    begun.start();
  } catch (fault) {
    begun.remove();
    throw fault;
  }
  session = begun;
  return { status: 'started', annotation_count: begun.count };
}

/** End the session that a person sees, as Escape does: they have asked for Draw Mode once more. */
function drawToggle(): { ended: boolean } {
  const ended = session?.isShown ?? false;
  if (ended) void session?.finish();
  return { ended };
}

/** A session that this page was left in may end after the next one has begun. */
function forget(ended: DrawingSession) {
  if (session === ended) session = undefined;
}

/** End the session as Escape does, without waiting for its end. Return what it has, with what is being written. */
function drawFinish(): { active: boolean; annotations: Annotations } {
  const answer = { active: session !== undefined, annotations: session?.annotations ?? [] };
  void session?.finish();
  return answer;
}

async function tell(name: string, more: object): Promise<unknown> {
  return chrome.runtime.sendMessage({ name, ...more });
}

function changed(annotations: Annotations) {
  tell('drawn', { annotations }).catch(() => {}); // a worker that is away has the next change, or the end
}

async function finished(all: Annotations, painted: object) {
  if (!(await tell('draw_finished', { annotations: all.map(asShown), painted }))) throw new Error('It was not taken.');
}

/** Report what was drawn by now, and show nothing of ours if the page comes back; its own scripts can send this event too. */
function leave({ isTrusted }: PageTransitionEvent) {
  if (!isTrusted) return;
  if (session) tell('draw_left', { annotations: session.annotations }).catch(() => {});
  removeDrawing();
}

function removeDrawing() {
  removeCards();
  session?.remove();
  session = undefined;
}

startOnce('draw', () => {
  addHandlers({
    draw_start: drawStart,
    draw_toggle: drawToggle,
    draw_finish: drawFinish,
    draw_detail: annotationDetail,
    draw_looks: looksOf,
    draw_reply: showReplies,
  });
  listenAlways('pagehide', leave);
  frame.removeDrawing = removeDrawing;
});
