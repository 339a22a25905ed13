/**
 * Cosine similarity decides between facts that differ in meaning; importance between facts that
 * are about equally near. From unimportant to most important weighs as much as 0.25 of cosine.
 */
const SIMILARITY_WEIGHT = 0.8;
const IMPORTANCE_WEIGHT = 0.2;

/** The vector of the same direction with length 1; of nothing but zeros, zeros. */
export function unitVector(numbers: readonly number[]): Float32Array {
  // Divided by the largest first: squares of very large or small numbers leave the range of doubles.
  const largest = numbers.reduce((max, number) => Math.max(max, Math.abs(number)), 0);
  if (largest === 0) return new Float32Array(numbers.length);
  const scaled = numbers.map((number) => number / largest);
  const length = Math.sqrt(scaled.reduce((sum, number) => sum + number * number, 0));
  return Float32Array.from(scaled, (number) => number / length);
}

/** Cosine similarity of two unit vectors, -1 to 1. */
export function similarityOf(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] as number) * (b[i] as number);
  return Math.min(1, Math.max(-1, sum));
}

export interface Ranked {
  id: string;
  importance: number;
  similarity: number;
  score: number;
}

export const scored = (fact: Omit<Ranked, 'score'>): Ranked => ({
  ...fact,
  score: SIMILARITY_WEIGHT * fact.similarity + IMPORTANCE_WEIGHT * fact.importance,
});

/** The best first. Rounding can make scores equal: then importance decides, then the newer id. */
export const best = (facts: readonly Ranked[], limit: number): Ranked[] =>
  facts
    .toSorted((a, b) => b.score - a.score || b.importance - a.importance || (a.id < b.id ? 1 : -1))
    .slice(0, limit);

/** Every tag that is asked for must be there. */
export const hasTags = (tags: readonly string[], wanted: readonly string[]): boolean =>
  wanted.every((tag) => tags.includes(tag));

/** As it is stored: the numbers' own bytes. */
export const toBytes = ({ buffer }: Float32Array): Uint8Array => new Uint8Array(buffer);

/** Copied, because bytes of a database need not begin where a float may. */
export const fromBytes = (bytes: Uint8Array): Float32Array =>
  new Float32Array(new Uint8Array(bytes).buffer);
