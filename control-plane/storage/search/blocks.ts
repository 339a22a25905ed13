import { ByteReader, ByteWriter } from './bytes.ts';

/**
 * Consecutive words of a segment in byte order, with their postings. A call is identified by its
 * ordinal in the segment.
 */
export interface Block {
  /** UTF-8. */
  first_word: Uint8Array;
  /** For each word: its length and UTF-8, and the lengths and bytes of `calls` and `positions`. */
  words: Uint8Array;
  /** Stored separately, because only phrase searches read them. */
  positions: Uint8Array;
}

/** Occurrences of one word. */
export interface Posting {
  /** Ordinals of its calls, ascending, delta-encoded. */
  calls: Uint8Array;
  /** For each call: the number of positions, then the positions, delta-encoded. */
  positions: Uint8Array;
}

export interface WordPosting extends Posting {
  /** UTF-8. */
  word: Uint8Array;
}

// Bytes that a search for one word has to read.
const BLOCK_BYTES = 8192;
const POSITIONS_BYTES = 65_536;

/** A word as a string of its bytes, so that strings sort as in both databases. */
export const keyOf = (word: Uint8Array): string =>
  Buffer.from(word.buffer, word.byteOffset, word.length).toString('latin1');

/** Packs entries, sorted by word, into blocks. */
export class BlockWriter {
  readonly #words = new ByteWriter();
  readonly #positions = new ByteWriter();
  #first: Uint8Array | undefined;

  /** Returns a block whenever one is full. */
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

  /** Returns the last block. */
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

/** Without positions if the block was read without them. */
export function* entriesOf({
  words,
  positions,
}: Pick<Block, 'words'> & Partial<Block>): Generator<WordPosting> {
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
