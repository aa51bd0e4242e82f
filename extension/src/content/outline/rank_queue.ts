// Gives the item with the lowest rank first, of equal ones the first that came; pure.

export class RankQueue<T> {
  readonly #heap: { item: T; rank: number; at: number }[] = [];
  #count = 0;

  push(item: T, rank: number) {
    const heap = this.#heap;
    const one = { item, rank, at: this.#count++ };
    let at = heap.length;
    heap.push(one);
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!isBefore(one, heap[above] as typeof one)) break;
      heap[at] = heap[above] as typeof one;
      at = above;
    }
    heap[at] = one;
  }

  pop(): T | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (!first || !last || !heap.length) return first?.item;
    let at = 0;
    for (;;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const isRight = right < heap.length && isBefore(heap[right] as typeof last, heap[left] as typeof last);
      const below = isRight ? right : left;
      if (below >= heap.length || !isBefore(heap[below] as typeof last, last)) break;
      heap[at] = heap[below] as typeof last;
      at = below;
    }
    heap[at] = last;
    return first.item;
  }
}

type Ranked = { rank: number; at: number };

function isBefore(one: Ranked, other: Ranked): boolean {
  return one.rank < other.rank || (one.rank === other.rank && one.at < other.at);
}
