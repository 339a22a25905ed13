interface Entry<T> {
  at: number;
  /** The insertion order, which breaks ties between equal times. */
  order: number;
  item: T;
}

/** A priority queue of future events, earliest first. */
export interface EventQueue<T> {
  add(at: number, item: T): void;
  /** Removes the earliest item, unless it is due after `until`. */
  takeDue(until: number): { at: number; item: T } | undefined;
}

/** Creates a queue that is a binary heap. */
export function createEventQueue<T>(): EventQueue<T> {
  const heap: Entry<T>[] = [];
  let added = 0;
  const isBefore = (a: number, b: number): boolean => {
    const [x, y] = [heap[a] as Entry<T>, heap[b] as Entry<T>];
    return x.at < y.at || (x.at === y.at && x.order < y.order);
  };
  const swap = (a: number, b: number): void => {
    [heap[a], heap[b]] = [heap[b] as Entry<T>, heap[a] as Entry<T>];
  };
  const rise = (index: number): void => {
    const parent = (index - 1) >> 1;
    if (index === 0 || !isBefore(index, parent)) return;
    swap(index, parent);
    rise(parent);
  };
  const sink = (index: number): void => {
    const [left, right] = [2 * index + 1, 2 * index + 2];
    if (left >= heap.length) return;
    const child = right < heap.length && isBefore(right, left) ? right : left;
    if (!isBefore(child, index)) return;
    swap(child, index);
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
