import { type ByteRange, ByteReader, ByteWriter } from './bytes.ts';

/**
 * Consecutive words of a segment in byte order, with their postings. A call is identified by its
 * ordinal in the segment.
 */
export interface Block {
  /** The first word, in UTF-8. */
  first_word: Uint8Array;
  /** For each word: its length, its UTF-8, and the lengths and bytes of `calls` and `positions`. */
  words: Uint8Array;
  /** Stored separately from the words, because only searches for phrases read them. */
  positions: Uint8Array;
}

/** Occurrences of one word. */
export interface Posting {
  /** Ordinals of the calls that contain the word, ascending and delta-encoded. */
  calls: Uint8Array;
  /** For each call: the number of positions, then the positions, delta-encoded. */
  positions: Uint8Array;
}

export interface WordPosting extends Posting {
  /** The word, in UTF-8. */
  word: Uint8Array;
}

// These limit the size of a block, because a search for one word reads the whole block.
const BLOCK_BYTES = 8192;
const POSITIONS_BYTES = 65_536;

/** A word as a string with one character per byte, which both databases sort in byte order. */
export const keyOf = (word: Uint8Array): string =>
  Buffer.from(word.buffer, word.byteOffset, word.length).toString('latin1');

/** Packs entries, sorted by word, into blocks. */
export class BlockWriter {
  readonly #words = new ByteWriter();
  readonly #positions = new ByteWriter();
  #first: Uint8Array | undefined;

  /** Adds an entry and returns a block if it is full. */
  add(
    { bytes, start, end }: ByteRange,
    calls: ByteWriter,
    positions: ByteWriter,
  ): Block | undefined {
    const isLarge = this.#words.length + calls.length > BLOCK_BYTES;
    const full = isLarge || this.#positions.length > POSITIONS_BYTES ? this.finish() : undefined;
    this.#first ??= bytes.slice(start, end);
    this.#words.varint(end - start);
    this.#words.bytes(bytes, start, end);
    this.#words.varint(calls.length);
    this.#words.varint(positions.length);
    this.#words.append(calls);
    this.#positions.append(positions);
    return full;
  }

  /** Returns the last block; undefined if there are no entries left. */
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

/** Reads the entries of a block without an object for each, since a merge reads millions. */
export class EntryReader {
  /** The bytes that hold the word and the calls of the current entry. */
  readonly words: Uint8Array;
  /** The bytes of the positions; empty if the block was read without them. */
  readonly positions: Uint8Array;
  wordStart = 0;
  wordEnd = 0;
  callsStart = 0;
  callsEnd = 0;
  positionsStart = 0;
  positionsEnd = 0;

  constructor({ words, positions }: Pick<Block, 'words'> & Partial<Block>) {
    this.words = words;
    this.positions = positions ?? NONE;
  }

  /** Moves to the next entry; returns false after the last one. */
  next(): boolean {
    const reader = new ByteReader(this.words, this.callsEnd);
    if (reader.isAtEnd) return false;
    const wordBytes = reader.varint();
    this.wordStart = reader.at;
    this.wordEnd = reader.at += wordBytes;
    const callBytes = reader.varint();
    this.positionsStart = this.positionsEnd;
    this.positionsEnd += reader.varint();
    this.callsStart = reader.at;
    this.callsEnd = reader.at + callBytes;
    return true;
  }
}

/** The entries of a block; their positions are empty if the block was read without them. */
export function* entriesOf(block: Pick<Block, 'words'> & Partial<Block>): Generator<WordPosting> {
  const reader = new EntryReader(block);
  while (reader.next())
    yield {
      word: reader.words.subarray(reader.wordStart, reader.wordEnd),
      calls: reader.words.subarray(reader.callsStart, reader.callsEnd),
      positions: reader.positions.subarray(reader.positionsStart, reader.positionsEnd),
    };
}

const NONE = new Uint8Array();
