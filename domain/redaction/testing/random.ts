/** Seeded randomness: the same seed generates the same texts on every machine. */
export interface Random {
  /** An integer from 0 to `end`, exclusive. */
  below(end: number): number;
  pick<T>(values: readonly T[]): T;
  /** Characters of a class such as `A-Z2-7`, in the syntax of a regular expression. */
  characters(of: string, length: number): string;
}

const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(index + 32));

export function randomOf(seed: number): Random {
  let state = seed;
  // Mulberry32, in the public domain.
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  const pick = <T>(values: readonly T[]): T => {
    const picked = values[below(values.length)];
    if (picked === undefined) throw new Error('there is nothing to pick from');
    return picked;
  };
  return {
    below,
    pick,
    characters(of, length) {
      const alphabet = ASCII.filter((character) => new RegExp(`[${of}]`).test(character));
      return Array.from({ length }, () => pick(alphabet)).join('');
    },
  };
}
