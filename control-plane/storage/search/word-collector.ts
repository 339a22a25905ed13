import { eachAsciiWord, hashOf, searchedTexts, type SearchedTexts, wordsOf } from './word-rules.ts';
import { type Block, BlockWriter } from './blocks.ts';
import { ByteWriter } from './bytes.ts';
import { WordNumbers } from './word-numbers.ts';

// This separates two texts of a call in the stream.
const BETWEEN_TEXTS = -1;
/** The factor of a call's ordinal in an occurrence, which adds the position of a word in it. */
const STRIDE = 2 ** 20;

/**
 * Collects the words of calls as one stream of numbers. This avoids an object for each of the tens
 * of thousands of words that occur once.
 */
export class WordCollector {
  readonly #numbers = new WordNumbers();
  /** The buffer for the current text. */
  #bytes = Buffer.alloc(65_536);
  #stream = new Int32Array(65_536);
  #length = 0;
  /** The offset in the stream at which each call begins. */
  readonly #begins: number[] = [];

  /** The number of words, including repetitions. */
  get length(): number {
    return this.#length;
  }

  /** Adds the next call of the segment. */
  add(call: SearchedTexts): void {
    this.#begins.push(this.#length);
    for (const text of searchedTexts(call)) {
      this.#addText(text);
      this.#push(BETWEEN_TEXTS);
    }
  }

  #addText(text: string): void {
    // UTF-8 takes at most three bytes per UTF-16 unit.
    if (text.length * 3 > this.#bytes.length) this.#bytes = Buffer.alloc(text.length * 3);
    const bytes = this.#bytes;
    const length = bytes.write(text);
    if (length === text.length)
      eachAsciiWord(bytes, length, (start, end, hash) => {
        this.#push(this.#numbers.of({ bytes, start, end }, hash));
      });
    else
      for (const word of wordsOf(text)) {
        const end = bytes.write(word);
        this.#push(this.#numbers.of({ bytes, start: 0, end }, hashOf(bytes, end)));
      }
  }

  #push(number: number): void {
    if (this.#length === this.#stream.length) this.#grow();
    this.#stream[this.#length++] = number;
  }

  #grow(): void {
    const grown = new Int32Array(this.#length * 2);
    grown.set(this.#stream);
    this.#stream = grown;
  }

  blocks(): Block[] {
    const { occurrences, ends } = this.#occurrencesByWord();
    const [writer, blocks] = [new BlockWriter(), [] as Block[]];
    const [calls, positions] = [new ByteWriter(), new ByteWriter()];
    for (const number of this.#numbers.inOrder()) {
      calls.clear();
      positions.clear();
      const from = number === 0 ? 0 : (ends[number - 1] as number);
      encodePosting(occurrences, { from, to: ends[number] as number }, { calls, positions });
      const full = writer.add(this.#numbers.wordOf(number), calls, positions);
      if (full) blocks.push(full);
    }
    const last = writer.finish();
    return last ? [...blocks, last] : blocks;
  }

  /** Sorts the occurrences by the number of their word, with a counting sort. */
  #occurrencesByWord(): { occurrences: Float64Array; ends: Int32Array } {
    const ends = new Int32Array(this.#numbers.size);
    const stream = this.#stream;
    for (let i = 0; i < this.#length; i += 1) {
      const number = stream[i] as number;
      if (number !== BETWEEN_TEXTS) ends[number] = (ends[number] as number) + 1;
    }
    let total = 0;
    for (let number = 0; number < ends.length; number += 1) {
      const count = ends[number] as number;
      ends[number] = total;
      total += count;
    }
    const occurrences = new Float64Array(total);
    this.#begins.forEach((begin, call) => {
      const end = this.#begins[call + 1] ?? this.#length;
      for (let i = begin; i < end; i += 1) {
        const number = stream[i] as number;
        if (number !== BETWEEN_TEXTS)
          occurrences[(ends[number] as number)++] = call * STRIDE + i - begin;
      }
    });
    return { occurrences, ends };
  }
}

/** Encodes the posting of one word from its occurrences. */
function encodePosting(
  occurrences: Float64Array,
  { from, to }: { from: number; to: number },
  { calls, positions }: { calls: ByteWriter; positions: ByteWriter },
): void {
  let previous = 0;
  for (let i = from; i < to;) {
    const call = Math.floor((occurrences[i] as number) / STRIDE);
    const end = (call + 1) * STRIDE;
    let next = i + 1;
    while (next < to && (occurrences[next] as number) < end) next += 1;
    calls.varint(call - previous);
    previous = call;
    positions.varint(next - i);
    let last = call * STRIDE;
    for (; i < next; i += 1) {
      const occurrence = occurrences[i] as number;
      positions.varint(occurrence - last);
      last = occurrence;
    }
  }
}
