import { type Json, MAX_DEPTH, setMember, storable } from '../attributes.ts';
import type { ReadField, WireCursor } from './wire-cursor.ts';

/** A key-value pair, or a value alone, while it is being read. */
interface Slot {
  key: string;
  value: Json;
  /** The number of lists and objects around it. */
  depth: number;
}

const emptySlot = (depth: number): Slot => ({ key: '', value: null, depth });

/** Reads a pair into an object. If a key is repeated, the last one counts. */
export function readAttribute(cursor: WireCursor, object: Record<string, Json>, depth = 0): void {
  const { key, value } = cursor.nested(emptySlot(depth), ofPair);
  setMember(object, storable(key), value);
}

export const readValue = (cursor: WireCursor, depth = 0): Json =>
  cursor.nested(emptySlot(depth), ofValue).value;

const ofPair: ReadField<Slot> = (cursor, tag, slot) => {
  if (tag === 10) slot.key = cursor.text();
  else if (tag === 18) {
    slot.value = null;
    cursor.nested(slot, ofValue);
  } else return false;
  return true;
};

/**
 * Reads a value. It must have only one member; of several, the last one counts. A value that is
 * nested too deeply becomes null.
 */
const ofValue: ReadField<Slot> = (cursor, tag, slot) => {
  const read = readers.get(tag);
  if (!read) return false;
  const value = read(cursor, slot.depth + 1);
  slot.value = slot.depth > MAX_DEPTH ? null : value;
  return true;
};

const readers = new Map<number, (cursor: WireCursor, inner: number) => Json>([
  [10, (cursor) => storable(cursor.text())],
  [16, (cursor) => cursor.integer() !== 0],
  [24, (cursor) => cursor.integer()],
  [33, (cursor) => finiteOrText(cursor.double())],
  [42, (cursor, inner) => cursor.nested<List>({ values: [], inner }, ofList).values],
  [50, (cursor, inner) => cursor.nested<Members>({ values: {}, inner }, ofMembers).values],
  [58, (cursor) => Buffer.from(cursor.bytes()).toString('base64')],
]);

const finiteOrText = (number: number): Json => (Number.isFinite(number) ? number : String(number));

interface List {
  values: Json[];
  inner: number;
}

const ofList: ReadField<List> = (cursor, tag, { values, inner }) => {
  if (tag !== 10) return false;
  values.push(readValue(cursor, inner));
  return true;
};

interface Members {
  values: Record<string, Json>;
  inner: number;
}

const ofMembers: ReadField<Members> = (cursor, tag, { values, inner }) => {
  if (tag !== 10) return false;
  readAttribute(cursor, values, inner);
  return true;
};
