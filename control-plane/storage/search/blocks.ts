import { ByteReader, ByteWriter } from './bytes.ts';

/**
 * Some consecutive words of a segment, in the order of their bytes, and where they stand. A call is
 * told by its place in the segment.
 */
export interface Block {
  /** UTF-8. */
  first_word: Uint8Array;
  /** Of each word: its length and UTF-8, and the lengths and bytes of `calls`, of `positions`. */
  words: Uint8Array;
  /** Apart, because only a search for a phrase reads them. */
  positions: Uint8Array;
}

/** Where one word stands. */
export interface Posting {
  /** The places of its calls, ascending, each as the distance from the one before. */
  calls: Uint8Array;
  /** For each of the calls: how many positions follow, then these, as distances. */
  positions: Uint8Array;
}

export interface Entry extends Posting {
  /** UTF-8. */
  word: Uint8Array;
}

// What a search for one word has to read.
const BLOCK_BYTES = 8192;
const POSITIONS_BYTES = 65_536;

/** A word as a string of its bytes, so that strings are in the order that both databases have. */
export const keyOf = (word: Uint8Array): string =>
  Buffer.from(word.buffer, word.byteOffset, word.length).toString('latin1');

/** Packs entries, which come in the order of their words, into blocks. */
export class BlockWriter {
  readonly #words = new ByteWriter();
  readonly #positions = new ByteWriter();
  #first: Uint8Array | undefined;

  /** Answers a block whenever one is full. */
  add(word: Uint8Array, calls: ByteWriter, positions: ByteWriter): Block | undefined {
    const isLarge = this.#words.length + calls.length > BLOCK_BYTES;
    const full = isLarge || this.#positions.length > POSITIONS_BYTES ? this.finish() : undefined;
    this.#first ??= word.slice();
    this.#words.varint(word.length);
    this.#words.bytes(word);
    this.#words.varint(calls.length);
    this.#words.varint(positions.length);
    this.#words.append(calls);
    this.#positions.append(positions);
    return full;
  }

  /** What is left. */
  finish(): Block | undefined {
    if (this.#first === undefined) return undefined;
    const block = {
      first_word: this.#first,
      words: this.#words.copy(),
      positions: this.#positions.copy(),
    };
    this.#first = undefined;
    this.#words.clear();
    this.#positions.clear();
    return block;
  }
}

/** Without positions when the block was read without them. */
export function* entriesOf({
  words,
  positions,
}: Pick<Block, 'words'> & Partial<Block>): Generator<Entry> {
  const reader = new ByteReader(words);
  let at = 0;
  while (!reader.isAtEnd) {
    const word = reader.take(reader.varint());
    const [callBytes, positionBytes] = [reader.varint(), reader.varint()];
    const calls = reader.take(callBytes);
    yield { word, calls, positions: positions?.subarray(at, at + positionBytes) ?? NONE };
    at += positionBytes;
  }
}

const NONE = new Uint8Array();
