interface Waiting<T> {
  at: number;
  /** What came first goes first among what is due at the same time. */
  order: number;
  item: T;
}

/** What is still to happen, soonest first. */
export interface Later<T> {
  add(at: number, item: T): void;
  /** Takes out what is due soonest, if that is not after `until`. */
  takeDue(until: number): { at: number; item: T } | undefined;
}

/** A binary heap. */
export function createLater<T>(): Later<T> {
  const heap: Waiting<T>[] = [];
  let added = 0;
  const isBefore = (a: number, b: number): boolean => {
    const [x, y] = [heap[a] as Waiting<T>, heap[b] as Waiting<T>];
    return x.at < y.at || (x.at === y.at && x.order < y.order);
  };
  const swap = (a: number, b: number): void => {
    [heap[a], heap[b]] = [heap[b] as Waiting<T>, heap[a] as Waiting<T>];
  };
  const rise = (place: number): void => {
    const parent = (place - 1) >> 1;
    if (place === 0 || !isBefore(place, parent)) return;
    swap(place, parent);
    rise(parent);
  };
  const sink = (place: number): void => {
    const [left, right] = [2 * place + 1, 2 * place + 2];
    if (left >= heap.length) return;
    const child = right < heap.length && isBefore(right, left) ? right : left;
    if (!isBefore(child, place)) return;
    swap(child, place);
    sink(child);
  };
  return {
    add(at, item) {
      heap.push({ at, order: added++, item });
      rise(heap.length - 1);
    },
    takeDue(until) {
      const first = heap[0];
      if (!first || first.at > until) return undefined;
      swap(0, heap.length - 1);
      heap.pop();
      sink(0);
      return first;
    },
  };
}
