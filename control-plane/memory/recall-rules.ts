/**
 * Weights of the ranking. Similarity ranks facts with different meanings, and importance ranks
 * those that are about equally similar. The full range of importance has the same weight as 0.25 of
 * cosine similarity.
 */
const SIMILARITY_WEIGHT = 0.8;
const IMPORTANCE_WEIGHT = 0.2;

/** Returns the unit vector in the same direction. The zero vector stays zero. */
export function unitVector(numbers: readonly number[]): Float32Array {
  // The vector is first scaled by its largest component, because the squares of very large or small
  // numbers would overflow or underflow.
  const largest = numbers.reduce((max, number) => Math.max(max, Math.abs(number)), 0);
  if (largest === 0) return new Float32Array(numbers.length);
  const scaled = numbers.map((number) => number / largest);
  const length = Math.sqrt(scaled.reduce((sum, number) => sum + number * number, 0));
  return Float32Array.from(scaled, (number) => number / length);
}

/** Returns the cosine similarity of two unit vectors, from -1 to 1. */
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

/**
 * Returns the best facts first. Ties, which rounding can cause, are broken by importance and then
 * by newer id.
 */
export const bestFacts = (facts: readonly Ranked[], limit: number): Ranked[] =>
  facts
    .toSorted((a, b) => b.score - a.score || b.importance - a.importance || (a.id < b.id ? 1 : -1))
    .slice(0, limit);

/** Whether the tags include all the required ones. */
export const hasTags = (tags: readonly string[], required: readonly string[]): boolean =>
  required.every((tag) => tags.includes(tag));

/** Returns the stored form, which is the raw bytes of the floats. */
export const toBytes = ({ buffer }: Float32Array): Uint8Array => new Uint8Array(buffer);

/**
 * Reads a vector from a copy of the bytes, because a buffer of the database may not be aligned for
 * floats.
 */
export const fromBytes = (bytes: Uint8Array): Float32Array =>
  new Float32Array(new Uint8Array(bytes).buffer);
