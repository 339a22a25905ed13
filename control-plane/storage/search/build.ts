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

// In the stream of words, between two texts of a call.
const BETWEEN_TEXTS = -1;

/**
 * Gathers the words of calls as one stream of numbers: ten thousands of words that stand only once
 * then cost no object each.
 */
export class WordCollector {
  readonly #numbers = new WordNumbers();
  /** Of the text that is looked at. */
  #bytes = Buffer.alloc(65_536);
  #stream = new Int32Array(65_536);
  #callOf = new Int32Array(65_536);
  #length = 0;
  /** Where in the stream each call begins. */
  readonly #begins: number[] = [];

  /** How many words there are, each as often as it stands. */
  get length(): number {
    return this.#length;
  }

  /** The next call of the segment. */
  add(call: SearchedTexts): void {
    this.#begins.push(this.#length);
    for (const text of searchedTexts(call)) {
      this.#addText(text);
      this.#push(BETWEEN_TEXTS);
    }
  }

  #addText(text: string): void {
    // UTF-8 takes three bytes for a UTF-16 unit at most.
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
    const { places, ends } = this.#placesByWord();
    const [writer, blocks] = [new BlockWriter(), [] as Block[]];
    const [calls, positions] = [new ByteWriter(), new ByteWriter()];
    for (const number of this.#numbers.inOrder()) {
      calls.clear();
      positions.clear();
      const from = number === 0 ? 0 : (ends[number - 1] as number);
      this.#encode(places, { from, to: ends[number] as number }, { calls, positions });
      const full = writer.add(this.#numbers.wordOf(number), calls, positions);
      if (full) blocks.push(full);
    }
    const last = writer.finish();
    return last ? [...blocks, last] : blocks;
  }

  /** Places in the stream, word by word, in the order of the words' numbers: a counting sort. */
  #placesByWord(): { places: Int32Array; ends: Int32Array } {
    const ends = new Int32Array(this.#numbers.size);
    const stream = this.#stream.subarray(0, this.#length);
    for (const number of stream)
      if (number !== BETWEEN_TEXTS) ends[number] = (ends[number] as number) + 1;
    let total = 0;
    ends.forEach((count, number) => {
      ends[number] = total;
      total += count;
    });
    const places = new Int32Array(total);
    for (let i = 0; i < stream.length; i += 1) {
      const number = stream[i] as number;
      if (number !== BETWEEN_TEXTS) places[(ends[number] as number)++] = i;
    }
    return { places, ends };
  }

  /** What an entry says of one word, which stands at these of the places. */
  #encode(
    places: Int32Array,
    { from, to }: { from: number; to: number },
    { calls, positions }: { calls: ByteWriter; positions: ByteWriter },
  ): void {
    const callOf = this.#callOf;
    let before = 0;
    for (let i = from; i < to;) {
      const call = callOf[places[i] as number] as number;
      let next = i + 1;
      while (next < to && callOf[places[next] as number] === call) next += 1;
      calls.varint(call - before);
      before = call;
      positions.varint(next - i);
      let last = this.#begins[call] as number;
      for (; i < next; i += 1) {
        const place = places[i] as number;
        positions.varint(place - last);
        last = place;
      }
    }
  }
}
