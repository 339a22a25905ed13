import { type Block, BlockWriter, entriesOf, type Entry, type Posting, keyOf } from './blocks.ts';
import { ByteReader, ByteWriter } from './bytes.ts';

/** A segment that becomes part of another. */
export interface MergeSource {
  /** Its blocks in order; undefined after the last. */
  next: () => Promise<Block | undefined>;
  /** Of each of its calls the place in the new segment, ascending; -1 leaves the call out. */
  places: Int32Array;
}

/** Places in a later source are above those in an earlier one. */
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
      joined.add(cursor.entry, cursor.places);
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
  entry: Entry | undefined;
  /** Its word. */
  key: string;
  places: Places;
  /** Goes to the next entry of the block; false when there is none. */
  skip(): boolean;
  /** Goes to the first entry of the next block. */
  refill(): Promise<void>;
}

interface Places {
  of: Int32Array;
  /** No call is left out, and each moves by as much as the first. */
  isShift: boolean;
}

async function openCursor({ next, places }: MergeSource): Promise<Cursor> {
  let entries: Generator<Entry> | undefined;
  const isShift = places.every((place, old) => place >= 0 && place === old + (places[0] as number));
  const cursor: Cursor = {
    entry: undefined,
    key: '',
    places: { of: places, isShift },
    skip() {
      const found = entries?.next();
      cursor.entry = found?.done === false ? found.value : undefined;
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

/** Joins what several segments say of one word. */
function joiner() {
  const calls = new ByteWriter();
  const positions = new ByteWriter();
  let before = 0;

  /** Only the first distance is another one. */
  function addShifted(posting: Posting, shift: number): void {
    const reader = new ByteReader(posting.calls);
    let last = reader.varint();
    calls.varint(last + shift - before);
    calls.bytes(posting.calls, reader.at);
    while (!reader.isAtEnd) last += reader.varint();
    before = last + shift;
    positions.bytes(posting.positions);
  }
  function addChosen(posting: Posting, places: Int32Array): void {
    const callReader = new ByteReader(posting.calls);
    const positionReader = new ByteReader(posting.positions);
    for (let old = 0; !callReader.isAtEnd;) {
      old += callReader.varint();
      const start = positionReader.at;
      positionReader.skipVarints(positionReader.varint());
      const place = places[old] as number;
      if (place < 0) continue;
      calls.varint(place - before);
      before = place;
      positions.bytes(posting.positions, start, positionReader.at);
    }
  }
  return {
    clear() {
      calls.clear();
      positions.clear();
      before = 0;
    },
    add: (posting: Posting, { of, isShift }: Places): void =>
      isShift ? addShifted(posting, of[0] as number) : addChosen(posting, of),
    /** Empty when no call is left. */
    calls,
    positions,
  };
}
