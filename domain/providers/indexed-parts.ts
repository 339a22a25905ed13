/** Numbered parts of a stream, created on first use. Numbers may be arbitrarily large. */
export interface IndexedParts<T extends object> {
  at(index: unknown): T;
  put(index: unknown, part: T): void;
  /** Returns all parts in numeric order. */
  all(): T[];
}

/** @param make creates an empty part */
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
