import type { Phrase } from './word-rules.ts';
import type { Posting } from './blocks.ts';
import { ByteReader } from './bytes.ts';

/** Finds what one segment says of a word, or of all words that begin so. */
export type FindPostings = (word: string, prefix: boolean) => Posting[];

/** The places of the calls of a segment, ascending, that hold all phrases. */
export function matchingPlaces(
  phrases: readonly Phrase[],
  calls: number,
  find: FindPostings,
): Int32Array {
  // How many of the phrases, from the first on, each call holds.
  const held = new Uint8Array(calls);
  phrases.forEach((phrase, before) => {
    eachPlace(phrase, find, (place) => {
      if (held[place] === before) held[place] = before + 1;
    });
  });
  const places = new Int32Array(calls);
  let count = 0;
  for (let place = 0; place < calls; place += 1)
    if (held[place] === phrases.length) places[count++] = place;
  return places.subarray(0, count);
}

function eachPlace(
  { words, prefix }: Phrase,
  find: FindPostings,
  visit: (place: number) => void,
): void {
  const isLast = (index: number): boolean => index === words.length - 1;
  const postings = words.map((word, index) => find(word, prefix && isLast(index)));
  if (postings.some((found) => found.length === 0)) return;
  if (words.length === 1) return postings.flat().forEach(({ calls }) => visitCalls(calls, visit));
  let starts = startsOf(postings[0] as Posting[], 0);
  for (let index = 1; index < words.length && starts.length > 0; index += 1)
    starts = inBoth(starts, startsOf(postings[index] as Posting[], index));
  for (const start of starts) visit(Math.floor(start / STRIDE));
}

function visitCalls(calls: Uint8Array, visit: (place: number) => void): void {
  const reader = new ByteReader(calls);
  for (let place = 0; !reader.isAtEnd;) visit((place += reader.varint()));
}

/** Above the number of words that are searched in a call, with room for those of a phrase. */
const STRIDE = 2 ** 20;
const ROOM = 2 ** 16;

/**
 * Where a phrase begins if this is its word number `index`: place and position in one number,
 * ascending.
 */
function startsOf(postings: readonly Posting[], index: number): Float64Array {
  const starts: number[] = [];
  for (const { calls, positions } of postings) {
    const positionReader = new ByteReader(positions);
    visitCalls(calls, (place) => {
      let at = place * STRIDE + ROOM - index;
      for (let left = positionReader.varint(); left > 0; left -= 1)
        starts.push((at += positionReader.varint()));
    });
  }
  const sorted = Float64Array.from(starts);
  return postings.length > 1 ? sorted.sort() : sorted;
}

function inBoth(one: Float64Array, other: Float64Array): Float64Array {
  const both = new Float64Array(Math.min(one.length, other.length));
  let count = 0;
  for (let i = 0, j = 0; i < one.length && j < other.length;) {
    const difference = (one[i] as number) - (other[j] as number);
    if (difference === 0) both[count++] = one[i] as number;
    if (difference <= 0) i += 1;
    if (difference >= 0) j += 1;
  }
  return both.subarray(0, count);
}
