// Knows of each WebSocket whether the page waits for the answer to what it has sent, or for the rest of it.
//
// A development server's log, or a counter of visits, is sent and never answered: a connection that has left its last
// messages without an answer is waited for no more, until it answers again.
//
// A server that draws the page (Streamlit, Shiny, Jupyter) answers in many messages, and on a busy machine with gaps: up to
// 0.25 s were measured between 30 messages of Streamlit. How many there were before, and how long the last one was, tells
// whether an answer is whole.

import type { SocketAnswers } from '../frame.ts';

/** An answer that takes longer is none: so long an action is waited for. */
const ANSWER_MS = 500;

/** A longer silence ends an answer. */
const PART_MS = 250;

/** So often a connection may leave what it is sent without an answer. */
const SILENT_TURNS = 3;

/** The most connections that are known, and the last answers of each. */
const KNOWN = 20;
const ANSWERS = 8;

/** An answer: how many messages it had, and the size of the last one, in bytes. */
type Answer = { parts: number; size: number };

/**
 * When the last message went each way, as `performance.now()`. `asked`: when the first of those was sent that have no answer
 * yet; `silent`: how often there was none in time since the last answer; `answer`: what has come of the last one;
 * `earlier`: those before it.
 */
type Turns = {
  outgoing: number;
  incoming: number;
  asked: number;
  silent: number;
  answer: Answer;
  earlier: Answer[];
};

const NONE: Answer = { parts: 0, size: 0 };

export class SocketTurns {
  #connections: Map<string, Turns> = new Map();

  took(id: string, direction: 'incoming' | 'outgoing', size = 0) {
    const before = this.#connections.get(id) ?? {
      outgoing: 0,
      incoming: 0,
      asked: 0,
      silent: 0,
      answer: NONE,
      earlier: [],
    };
    const turns = begunAnew(before, direction);
    this.#connections.delete(id); // the last one to speak is the last of the map
    this.#connections.set(id, direction === 'outgoing' ? sent(turns) : received(turns, size));
    for (const [oldest] of this.#connections) if (this.#connections.size > KNOWN) this.#connections.delete(oldest);
  }

  /** What there is of the answers to what was sent since then. */
  since(begun: number): SocketAnswers {
    const asked = [...this.#connections.values()].filter(({ outgoing }) => outgoing >= begun);
    return {
      answered: Math.max(0, ...asked.map(({ incoming }) => incoming)),
      awaits: asked.some(({ outgoing, incoming, silent }) => incoming < outgoing && silent < SILENT_TURNS),
      isPartial: asked.some((turns) => turns.incoming >= turns.outgoing && isInParts(turns)),
    };
  }
}

/** Whether the rest of an answer is to come. */
function isInParts({ incoming, answer, earlier }: Turns): boolean {
  return performance.now() - incoming < PART_MS && !isWhole(answer, earlier);
}

/**
 * Whether an answer has as many messages as each earlier one, or ended as one did that had at most twice as many: Bokeh
 * ends a long answer by the word that it has understood, and begins a short one by it.
 */
function isWhole(answer: Answer, earlier: Answer[]): boolean {
  const isEnd = ({ parts, size }: Answer) => size === answer.size && parts <= 2 * answer.parts;
  return earlier.every(({ parts }) => parts <= answer.parts) || earlier.some(isEnd);
}

/** Begin another answer after a silence, or with the message that is sent after a whole one. */
function begunAnew(turns: Turns, direction: 'incoming' | 'outgoing'): Turns {
  const { outgoing, incoming, answer, earlier } = turns;
  if (!answer.parts) return turns;
  const isSilent = performance.now() - Math.max(outgoing, incoming) >= PART_MS;
  const isNext = direction === 'outgoing' && earlier.length > 0 && isWhole(answer, earlier);
  return isSilent || isNext ? { ...turns, answer: NONE, earlier: [...earlier, answer].slice(-ANSWERS) } : turns;
}

function sent(turns: Turns): Turns {
  const { asked, silent } = turns;
  const now = performance.now();
  const isSilent = asked > 0 && now - asked > ANSWER_MS;
  return { ...turns, outgoing: now, asked: asked && !isSilent ? asked : now, silent: isSilent ? silent + 1 : silent };
}

function received(turns: Turns, size: number): Turns {
  const { asked, silent, answer } = turns;
  const now = performance.now();
  const isAnswer = asked > 0 && now - asked <= ANSWER_MS;
  const isPart = isAnswer || answer.parts > 0; // else the server speaks unasked
  return {
    ...turns,
    incoming: now,
    asked: 0,
    silent: isAnswer ? 0 : silent,
    answer: isPart ? { parts: answer.parts + 1, size } : NONE,
  };
}
