// Knows of each WebSocket whether the page waits for the answer to what it has sent.
//
// A development server's log, or a counter of visits, is sent and never answered: a connection that has left its last
// messages without an answer is waited for no more, until it answers again.

/** An answer that takes longer is none: so long an action is waited for. */
const ANSWER_MS = 500;

/** So often a connection may leave what it is sent without an answer. */
const SILENT_TURNS = 3;

/** The most connections that are known. */
const KNOWN = 20;

/**
 * When the last message went each way, as `performance.now()`. `asked`: when the first of those was sent that have no answer
 * yet; `silent`: how often there was none in time since the last answer.
 */
type Turns = { outgoing: number; incoming: number; asked: number; silent: number };

export class SocketTurns {
  #connections: Map<string, Turns> = new Map();

  took(id: string, direction: 'incoming' | 'outgoing') {
    const before = this.#connections.get(id) ?? { outgoing: 0, incoming: 0, asked: 0, silent: 0 };
    this.#connections.delete(id); // the last one to speak is the last of the map
    this.#connections.set(id, direction === 'outgoing' ? sent(before) : received(before));
    for (const [oldest] of this.#connections) if (this.#connections.size > KNOWN) this.#connections.delete(oldest);
  }

  /** What there is of the answers to what was sent since then: when the last one came, and whether one is to come. */
  since(begun: number): { answered: number; awaits: boolean } {
    const asked = [...this.#connections.values()].filter(({ outgoing }) => outgoing >= begun);
    return {
      answered: Math.max(0, ...asked.map(({ incoming }) => incoming)),
      awaits: asked.some(({ outgoing, incoming, silent }) => incoming < outgoing && silent < SILENT_TURNS),
    };
  }
}

function sent({ incoming, asked, silent }: Turns): Turns {
  const now = performance.now();
  const isSilent = asked > 0 && now - asked > ANSWER_MS;
  return { outgoing: now, incoming, asked: asked && !isSilent ? asked : now, silent: isSilent ? silent + 1 : silent };
}

function received({ outgoing, asked, silent }: Turns): Turns {
  const now = performance.now();
  const isAnswer = asked > 0 && now - asked <= ANSWER_MS;
  return { outgoing, incoming: now, asked: 0, silent: isAnswer ? 0 : silent };
}
