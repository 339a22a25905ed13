import {
  eachAsciiWord,
  isAscii,
  searchedTexts,
  type SearchedTexts,
  wordsOf,
} from './word-rules.ts';
import { type Block, BlockWriter } from './blocks.ts';
import { ByteWriter } from './bytes.ts';
import { WordNumbers } from './word-numbers.ts';

// Separator between two texts of a call in the stream of words.
const BETWEEN_TEXTS = -1;

/**
 * Collects the words of calls as one stream of numbers, so that tens of thousands of words that
 * occur once need no object each.
 */
export class WordCollector {
  readonly #numbers = new WordNumbers();
  /** Buffer for the current text. */
  #bytes = Buffer.alloc(65_536);
  #stream = new Int32Array(65_536);
  #callOf = new Int32Array(65_536);
  #length = 0;
  /** Offset in the stream where each call begins. */
  readonly #begins: number[] = [];

  /** Number of words, counting repetitions. */
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
    const add = (start: number, end: number): void =>
      this.#push(this.#numbers.of(bytes, start, end));
    if (isAscii(text)) eachAsciiWord(bytes, bytes.write(text, 'latin1'), add);
    else for (const word of wordsOf(text)) add(0, bytes.write(word));
  }

  #push(number: number): void {
    if (this.#length === this.#stream.length) this.#grow();
    this.#callOf[this.#length] = this.#begins.length - 1;
    this.#stream[this.#length++] = number;
  }

  #grow(): void {
    const grown = (from: Int32Array): Int32Array<ArrayBuffer> => {
      const to = new Int32Array(from.length * 2);
      to.set(from);
      return to;
    };
    this.#stream = grown(this.#stream);
    this.#callOf = grown(this.#callOf);
  }

  blocks(): Block[] {
    const { offsets, ends } = this.#offsetsByWord();
    const [writer, blocks] = [new BlockWriter(), [] as Block[]];
    const [calls, positions] = [new ByteWriter(), new ByteWriter()];
    for (const number of this.#numbers.inOrder()) {
      calls.clear();
      positions.clear();
      const from = number === 0 ? 0 : (ends[number - 1] as number);
      this.#encode(offsets, { from, to: ends[number] as number }, { calls, positions });
      const full = writer.add(this.#numbers.wordOf(number), calls, positions);
      if (full) blocks.push(full);
    }
    const last = writer.finish();
    return last ? [...blocks, last] : blocks;
  }

  /** Stream offsets by word, in the order of the words' numbers: a counting sort. */
  #offsetsByWord(): { offsets: Int32Array; ends: Int32Array } {
    const ends = new Int32Array(this.#numbers.size);
    const stream = this.#stream.subarray(0, this.#length);
    for (const number of stream)
      if (number !== BETWEEN_TEXTS) ends[number] = (ends[number] as number) + 1;
    let total = 0;
    ends.forEach((count, number) => {
      ends[number] = total;
      total += count;
    });
    const offsets = new Int32Array(total);
    for (let i = 0; i < stream.length; i += 1) {
      const number = stream[i] as number;
      if (number !== BETWEEN_TEXTS) offsets[(ends[number] as number)++] = i;
    }
    return { offsets, ends };
  }

  /** Encodes the posting of one word from its offsets. */
  #encode(
    offsets: Int32Array,
    { from, to }: { from: number; to: number },
    { calls, positions }: { calls: ByteWriter; positions: ByteWriter },
  ): void {
    const callOf = this.#callOf;
    let previous = 0;
    for (let i = from; i < to;) {
      const call = callOf[offsets[i] as number] as number;
      let next = i + 1;
      while (next < to && callOf[offsets[next] as number] === call) next += 1;
      calls.varint(call - previous);
      previous = call;
      positions.varint(next - i);
      let last = this.#begins[call] as number;
      for (; i < next; i += 1) {
        const offset = offsets[i] as number;
        positions.varint(offset - last);
        last = offset;
      }
    }
  }
}
