import { type Block, BlockWriter, EntryReader } from './blocks.ts';
import { ByteReader, ByteWriter } from './bytes.ts';

/** A segment to be merged into another. */
export interface MergeSource {
  /** Returns the blocks of the segment in order, then undefined. */
  next: () => Promise<Block | undefined>;
  /** The ordinal in the new segment for each call of this one, ascending; -1 drops the call. */
  ordinals: Int32Array;
}

/** Merges segments; the ordinals of a later source must be above those of an earlier one. */
export async function* mergeBlocks(sources: readonly MergeSource[]): AsyncGenerator<Block> {
  const cursors = sources.map((source) => new Cursor(source));
  for (const cursor of cursors) await cursor.refill();
  const writer = new BlockWriter();
  const joined = new MergedPosting();
  for (;;) {
    const matching = cursorsAtFirstWord(cursors);
    const [first] = matching;
    if (!first) break;
    joined.clear();
    for (const cursor of matching) joined.add(cursor);
    const full = joined.isEmpty
      ? undefined
      : writer.add(first.word, joined.calls, joined.positions);
    for (const cursor of matching) if (!cursor.advance()) await cursor.refill();
    if (full) yield full;
  }
  const last = writer.finish();
  if (last) yield last;
}

/** The entries of one source, in the order of their words. */
class Cursor {
  /** The current entry; undefined after the last block. */
  entry: EntryReader | undefined;
  /** The first bytes of the current word as a number, which most comparisons suffice with. */
  head = 0;
  readonly ordinals: Int32Array;
  /** True if no call is dropped and all ordinals move by the same distance. */
  readonly isShift: boolean;
  readonly #nextBlock: MergeSource['next'];

  constructor({ next, ordinals }: MergeSource) {
    this.#nextBlock = next;
    this.ordinals = ordinals;
    this.isShift = ordinals.every(
      (ordinal, old) => ordinal >= 0 && ordinal === old + (ordinals[0] as number),
    );
  }

  get word() {
    const { words, wordStart, wordEnd } = this.entry as EntryReader;
    return { bytes: words, start: wordStart, end: wordEnd };
  }

  /** Moves to the next entry of the block; returns false if there is none. */
  advance(): boolean {
    const { entry } = this;
    if (!entry?.next()) return false;
    this.head = headOf(entry);
    return true;
  }

  /** Moves to the first entry of the next block. */
  async refill(): Promise<void> {
    const block = await this.#nextBlock();
    this.entry = block && new EntryReader(block);
    this.advance();
  }
}

const HEAD_BYTES = 6;

function headOf({ words, wordStart, wordEnd }: EntryReader): number {
  let head = 0;
  for (let i = wordStart; i < wordStart + HEAD_BYTES; i += 1)
    head = head * 256 + (i < wordEnd ? (words[i] as number) : 0);
  return head;
}

/** Returns the cursors whose current word is the first in byte order. */
function cursorsAtFirstWord(cursors: readonly Cursor[]): Cursor[] {
  let matching: Cursor[] = [];
  for (const cursor of cursors) {
    if (!cursor.entry) continue;
    const [first] = matching;
    const order = first ? compareWords(cursor, first) : -1;
    if (order < 0) matching = [cursor];
    else if (order === 0) matching.push(cursor);
  }
  return matching;
}

function compareWords(a: Cursor, b: Cursor): number {
  if (a.head !== b.head) return a.head - b.head;
  const [left, right] = [a.word, b.word];
  let [i, j] = [left.start, right.start];
  for (; i < left.end && j < right.end; i += 1, j += 1) {
    const difference = (left.bytes[i] as number) - (right.bytes[j] as number);
    if (difference !== 0) return difference;
  }
  return left.end - i - (right.end - j);
}

/** Merges the postings of one word from several segments. */
class MergedPosting {
  readonly calls = new ByteWriter();
  readonly positions = new ByteWriter();
  #previous = 0;

  clear(): void {
    this.calls.clear();
    this.positions.clear();
    this.#previous = 0;
  }

  /** Whether all calls were dropped. */
  get isEmpty(): boolean {
    return this.calls.length === 0;
  }

  add({ entry, ordinals, isShift }: Cursor): void {
    if (!entry) return;
    if (isShift) this.#addShifted(entry, ordinals[0] as number);
    else this.#addRemaining(entry, ordinals);
  }

  /** Copies the deltas, of which only the first one changes. */
  #addShifted(entry: EntryReader, shift: number): void {
    const reader = new ByteReader(entry.words, entry.callsStart, entry.callsEnd);
    let last = reader.varint();
    this.calls.varint(last + shift - this.#previous);
    this.calls.bytes(entry.words, reader.at, entry.callsEnd);
    while (!reader.isAtEnd) last += reader.varint();
    this.#previous = last + shift;
    this.positions.bytes(entry.positions, entry.positionsStart, entry.positionsEnd);
  }

  #addRemaining(entry: EntryReader, ordinals: Int32Array): void {
    const callReader = new ByteReader(entry.words, entry.callsStart, entry.callsEnd);
    const positionReader = new ByteReader(entry.positions, entry.positionsStart);
    for (let old = 0; !callReader.isAtEnd;) {
      old += callReader.varint();
      const start = positionReader.at;
      positionReader.skipVarints(positionReader.varint());
      const ordinal = ordinals[old] as number;
      if (ordinal < 0) continue;
      this.calls.varint(ordinal - this.#previous);
      this.#previous = ordinal;
      this.positions.bytes(entry.positions, start, positionReader.at);
    }
  }
}
