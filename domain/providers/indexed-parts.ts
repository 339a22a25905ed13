/** Parts that a stream numbers, made when they are first spoken of. Numbers may be of any size. */
export interface IndexedParts<T extends object> {
  at(index: unknown): T;
  put(index: unknown, part: T): void;
  /** In the order of their numbers. */
  all(): T[];
}

/** @param make what a part is before anything is said of it */
export function indexedParts<T extends object>(make: () => T): IndexedParts<T> {
  const parts = new Map<number, T>();
  const numberOf = (index: unknown): number => (typeof index === 'number' ? index : 0);
  return {
    at(index) {
      const part = parts.get(numberOf(index)) ?? make();
      parts.set(numberOf(index), part);
      return part;
    },
    put: (index, part) => void parts.set(numberOf(index), part),
    all: () => [...parts].sort(([a], [b]) => a - b).map(([, part]) => part),
  };
}
