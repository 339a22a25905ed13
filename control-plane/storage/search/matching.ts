import type { Phrase } from './word-rules.ts';
import type { Posting } from './blocks.ts';
import { ByteReader } from './bytes.ts';

/** Finds the postings of one segment for a word, or for all words with the prefix. */
export type FindPostings = (word: string, prefix: boolean) => Posting[];

/** Returns the ordinals of the calls of a segment that match all phrases, ascending. */
export function matchingOrdinals(
  phrases: readonly Phrase[],
  calls: number,
  find: FindPostings,
): Int32Array {
  // This holds, for each call, the number of leading phrases that it matches.
  const matched = new Uint8Array(calls);
  phrases.forEach((phrase, index) => {
    visitMatches(phrase, find, (ordinal) => {
      if (matched[ordinal] === index) matched[ordinal] = index + 1;
    });
  });
  const ordinals = new Int32Array(calls);
  let count = 0;
  for (let ordinal = 0; ordinal < calls; ordinal += 1)
    if (matched[ordinal] === phrases.length) ordinals[count++] = ordinal;
  return ordinals.subarray(0, count);
}

function visitMatches(
  { words, prefix }: Phrase,
  find: FindPostings,
  visit: (ordinal: number) => void,
): void {
  const isLast = (index: number): boolean => index === words.length - 1;
  const postings = words.map((word, index) => find(word, prefix && isLast(index)));
  if (postings.some((entries) => entries.length === 0)) return;
  if (words.length === 1) return postings.flat().forEach(({ calls }) => visitCalls(calls, visit));
  let starts = startsOf(postings[0] as Posting[], 0);
  for (let index = 1; index < words.length && starts.length > 0; index += 1)
    starts = intersect(starts, startsOf(postings[index] as Posting[], index));
  for (const start of starts) visit(Math.floor(start / STRIDE));
}

function visitCalls(calls: Uint8Array, visit: (ordinal: number) => void): void {
  const reader = new ByteReader(calls);
  for (let ordinal = 0; !reader.isAtEnd;) visit((ordinal += reader.varint()));
}

/** More than the number of searched words of a call plus that of a phrase. */
const STRIDE = 2 ** 20;
/** More than the number of words of a phrase, so that the start of a phrase is never negative. */
const OFFSET = 2 ** 16;

/**
 * Returns the start of the phrase for each occurrence of its word with this index. A start is the
 * ordinal of the call and the position in one number; the starts are ascending.
 */
function startsOf(postings: readonly Posting[], index: number): Float64Array {
  const starts: number[] = [];
  for (const { calls, positions } of postings) {
    const positionReader = new ByteReader(positions);
    visitCalls(calls, (ordinal) => {
      let at = ordinal * STRIDE + OFFSET - index;
      for (let remaining = positionReader.varint(); remaining > 0; remaining -= 1)
        starts.push((at += positionReader.varint()));
    });
  }
  const sorted = Float64Array.from(starts);
  return postings.length > 1 ? sorted.sort() : sorted;
}

function intersect(a: Float64Array, b: Float64Array): Float64Array {
  const both = new Float64Array(Math.min(a.length, b.length));
  let count = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const difference = (a[i] as number) - (b[j] as number);
    if (difference === 0) both[count++] = a[i] as number;
    if (difference <= 0) i += 1;
    if (difference >= 0) j += 1;
  }
  return both.subarray(0, count);
}
