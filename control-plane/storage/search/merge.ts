import {
  type Block,
  BlockWriter,
  entriesOf,
  type WordPosting,
  type Posting,
  keyOf,
} from './blocks.ts';
import { ByteReader, ByteWriter } from './bytes.ts';

/** A segment to be merged into another. */
export interface MergeSource {
  /** Its blocks in order; undefined after the last. */
  next: () => Promise<Block | undefined>;
  /** Ordinal of each of its calls in the new segment, ascending; -1 drops the call. */
  ordinals: Int32Array;
}

/** Ordinals of a later source are above those of an earlier one. */
export async function* mergeBlocks(sources: readonly MergeSource[]): AsyncGenerator<Block> {
  const cursors: Cursor[] = [];
  for (const source of sources) cursors.push(await openCursor(source));
  const writer = new BlockWriter();
  const joined = joiner();
  for (;;) {
    const first = firstOf(cursors);
    if (!first?.entry) break;
    const { key, entry } = first;
    joined.clear();
    for (const cursor of cursors) {
      if (!cursor.entry || cursor.key !== key) continue;
      joined.add(cursor.entry, cursor.ordinals);
      if (!cursor.skip()) await cursor.refill();
    }
    const { calls, positions } = joined;
    const full = calls.length > 0 ? writer.add(entry.word, calls, positions) : undefined;
    if (full) yield full;
  }
  const last = writer.finish();
  if (last) yield last;
}

interface Cursor {
  /** Undefined after the last block. */
  entry: WordPosting | undefined;
  /** Its word. */
  key: string;
  ordinals: OrdinalMap;
  /** Goes to the next entry of the block; returns false if there is none. */
  skip(): boolean;
  /** Goes to the first entry of the next block. */
  refill(): Promise<void>;
}

interface OrdinalMap {
  of: Int32Array;
  /** No call is dropped, and all ordinals move by the same distance. */
  isShift: boolean;
}

async function openCursor({ next, ordinals }: MergeSource): Promise<Cursor> {
  let entries: Generator<WordPosting> | undefined;
  const isShift = ordinals.every(
    (ordinal, old) => ordinal >= 0 && ordinal === old + (ordinals[0] as number),
  );
  const cursor: Cursor = {
    entry: undefined,
    key: '',
    ordinals: { of: ordinals, isShift },
    skip() {
      const item = entries?.next();
      cursor.entry = item?.done === false ? item.value : undefined;
      if (cursor.entry) cursor.key = keyOf(cursor.entry.word);
      return cursor.entry !== undefined;
    },
    async refill() {
      const block = await next();
      entries = block && entriesOf(block);
      cursor.skip();
    },
  };
  await cursor.refill();
  return cursor;
}

function firstOf(cursors: readonly Cursor[]): Cursor | undefined {
  let first: Cursor | undefined;
  for (const cursor of cursors)
    if (cursor.entry && (!first || cursor.key < first.key)) first = cursor;
  return first;
}

/** Joins the postings of several segments for one word. */
function joiner() {
  const calls = new ByteWriter();
  const positions = new ByteWriter();
  let previous = 0;

  /** Only the first delta changes. */
  function addShifted(posting: Posting, shift: number): void {
    const reader = new ByteReader(posting.calls);
    let last = reader.varint();
    calls.varint(last + shift - previous);
    calls.bytes(posting.calls, reader.at);
    while (!reader.isAtEnd) last += reader.varint();
    previous = last + shift;
    positions.bytes(posting.positions);
  }
  function addChosen(posting: Posting, ordinals: Int32Array): void {
    const callReader = new ByteReader(posting.calls);
    const positionReader = new ByteReader(posting.positions);
    for (let old = 0; !callReader.isAtEnd;) {
      old += callReader.varint();
      const start = positionReader.at;
      positionReader.skipVarints(positionReader.varint());
      const ordinal = ordinals[old] as number;
      if (ordinal < 0) continue;
      calls.varint(ordinal - previous);
      previous = ordinal;
      positions.bytes(posting.positions, start, positionReader.at);
    }
  }
  return {
    clear() {
      calls.clear();
      positions.clear();
      previous = 0;
    },
    add: (posting: Posting, { of, isShift }: OrdinalMap): void =>
      isShift ? addShifted(posting, of[0] as number) : addChosen(posting, of),
    /** Empty if all calls were dropped. */
    calls,
    positions,
  };
}
