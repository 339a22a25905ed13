import type { Block } from './blocks.ts';
import {
  type CallFields,
  callsOf,
  FIELD_COLUMNS,
  FIELD_NAMES,
  type PackedFields,
  packFields,
} from './call-fields.ts';
import { mergeBlocks, type MergeSource } from './merge.ts';

/** Runs a query in a transaction, with positional `?` parameters, on either database. */
export type Query = <T>(text: string, parameters?: readonly unknown[]) => Promise<T[]>;

export interface Segment {
  id: number;
  calls: number;
  first_id: number;
  last_id: number;
}

/** The number of segments of similar size that are merged into one. */
const MERGED_AT_ONCE = 8;
/**
 * The most calls of a segment. It bounds one step of the indexer and the rewrite after a deletion.
 */
const MAX_CALLS = 65_536;
/** Segments with more calls are not merged. */
const FINAL_CALLS = 16_384;
const BLOCKS_AT_ONCE = 32;

export const listSegments = (query: Query, tenantId: string): Promise<Segment[]> =>
  query<Segment>(
    'select id, calls, first_id, last_id from search_segments where tenant_id = ? order by first_id',
    [tenantId],
  );

/** Stores a segment. `calls` are the calls of its blocks, in the order of their ordinals. */
export async function addSegment(
  query: Query,
  tenantId: string,
  calls: readonly CallFields[],
  blocks: Iterable<Block> | AsyncIterable<Block>,
): Promise<void> {
  if (calls.length === 0) return;
  const row = {
    tenant_id: tenantId,
    calls: calls.length,
    ...rangeOf('id', calls),
    ...rangeOf('at', calls),
    ...packFields(calls),
  };
  const [added] = await query<{ id: number }>(
    `insert into search_segments (${Object.keys(row).join(', ')})
     values (${Object.keys(row).fill('?').join(', ')}) returning id`,
    Object.values(row),
  );
  let pieces: Block[] = [];
  const store = async (): Promise<void> => {
    if (pieces.length > 0)
      await query(
        `insert into search_blocks (tenant_id, segment_id, first_word, words, positions)
         values ${pieces.map(() => '(?, ?, ?, ?, ?)').join(', ')}`,
        pieces.flatMap((block) => [
          tenantId,
          added?.id,
          block.first_word,
          block.words,
          block.positions,
        ]),
      );
    pieces = [];
  };
  for await (const block of blocks) {
    pieces.push(block);
    if (pieces.length === BLOCKS_AT_ONCE) await store();
  }
  await store();
}

function rangeOf(of: 'id' | 'at', calls: readonly CallFields[]): Record<string, number> {
  const values = calls.map((call) => (of === 'id' ? call.id : call.created_at));
  const [first, last] = [
    values.reduce((a, b) => Math.min(a, b)),
    values.reduce((a, b) => Math.max(a, b)),
  ];
  return { [`first_${of}`]: first, [`last_${of}`]: last };
}

/** Merges segments of similar size; returns false if there are not enough of them. */
export async function mergeSome(query: Query, tenantId: string): Promise<boolean> {
  const chosen = segmentsToMerge(await listSegments(query, tenantId));
  if (chosen.length < 2) return false;
  await rewrite(query, tenantId, chosen);
  return true;
}

/** Returns the oldest segments of the smallest size class that has enough of them. */
export function segmentsToMerge(segments: readonly Segment[]): Segment[] {
  const sizes = new Map<number, Segment[]>();
  for (const segment of segments) {
    const size = Math.floor(Math.log(segment.calls) / Math.log(MERGED_AT_ONCE));
    if (segment.calls <= FINAL_CALLS) sizes.set(size, [...(sizes.get(size) ?? []), segment]);
  }
  const [smallest] = [...sizes]
    .filter(([, ofSize]) => ofSize.length >= MERGED_AT_ONCE)
    .sort(([a], [b]) => a - b);
  let total = 0;
  return (smallest?.[1] ?? [])
    .slice(0, MERGED_AT_ONCE)
    .filter(({ calls }) => (total += calls) <= MAX_CALLS);
}

/** Replaces segments by one with the calls that `current` returns; by default, all of them. */
async function rewrite(
  query: Query,
  tenantId: string,
  segments: readonly Segment[],
  current: (segment: Segment, calls: CallFields[]) => Promise<CallFields[]> = async (_, calls) =>
    calls,
): Promise<void> {
  const remaining: CallFields[] = [];
  const sources: MergeSource[] = [];
  for (const segment of segments) {
    const calls = await readCalls(query, tenantId, segment);
    const currentById = new Map((await current(segment, calls)).map((call) => [call.id, call]));
    const ordinals = new Int32Array(calls.length).fill(-1);
    calls.forEach(({ id }, ordinal) => {
      const call = currentById.get(id);
      if (call) ordinals[ordinal] = remaining.push(call) - 1;
    });
    sources.push({ ordinals, next: blocksOf(query, tenantId, segment.id) });
  }
  await addSegment(query, tenantId, remaining, mergeBlocks(sources));
  for (const { id } of segments) {
    await query('delete from search_blocks where tenant_id = ? and segment_id = ?', [tenantId, id]);
    await query('delete from search_segments where tenant_id = ? and id = ?', [tenantId, id]);
  }
}

async function readCalls(query: Query, tenantId: string, segment: Segment): Promise<CallFields[]> {
  const [packed] = await query<PackedFields>(
    `select ${FIELD_COLUMNS.join(', ')}, models, agents from search_segments where tenant_id = ? and id = ?`,
    [tenantId, segment.id],
  );
  return packed ? callsOf(packed, segment.calls) : [];
}

function blocksOf(query: Query, tenantId: string, segmentId: number): MergeSource['next'] {
  let read: Block[] = [];
  let after: Uint8Array | undefined = new Uint8Array();
  return async () => {
    if (read.length === 0 && after) {
      read = await query<Block>(
        `select first_word, words, positions from search_blocks
         where tenant_id = ? and segment_id = ? and first_word > ?
         order by first_word limit ${BLOCKS_AT_ONCE}`,
        [tenantId, segmentId, after],
      );
      after = read.at(-1)?.first_word;
    }
    return read.shift();
  };
}

interface SegmentChange {
  id: number;
  first_id: number;
  last_id: number;
}

const CHANGES_AT_ONCE = 5000;
const REWRITTEN_AT_ONCE = 2;

/**
 * Updates segments whose calls were deleted or changed. Returns the changes that were
 * applied, for the caller to delete.
 */
export async function refreshSome(query: Query, tenantId: string): Promise<number[]> {
  const changes = await query<SegmentChange>(
    `select id, first_id, last_id from search_changes where tenant_id = ?
     order by id limit ${CHANGES_AT_ONCE}`,
    [tenantId],
  );
  if (changes.length === 0) return [];
  const segments = await listSegments(query, tenantId);
  const stale = new Set<Segment>();
  const settled: number[] = [];
  for (const change of changes) {
    const touched = segments.filter((segment) => isTouched(segment, change));
    const isTooMuch = new Set([...stale, ...touched]).size > REWRITTEN_AT_ONCE;
    if (isTooMuch && settled.length > 0) break;
    for (const segment of touched) stale.add(segment);
    settled.push(change.id);
  }
  for (const segment of stale) await refresh(query, tenantId, segment);
  return settled;
}

export const isTouched = (
  segment: Pick<Segment, 'first_id' | 'last_id'>,
  change: Pick<SegmentChange, 'first_id' | 'last_id'>,
): boolean => segment.first_id <= change.last_id && change.first_id <= segment.last_id;

/** Updates a segment. Its words are rewritten only if a call was deleted. */
async function refresh(query: Query, tenantId: string, segment: Segment): Promise<void> {
  const indexed = await readCalls(query, tenantId, segment);
  const stored = await query<CallFields>(
    `select ${FIELD_NAMES.join(', ')} from llm_calls where tenant_id = ? and id between ? and ?`,
    [tenantId, segment.first_id, segment.last_id],
  );
  const now = new Map(stored.map((call) => [call.id, call]));
  const calls = indexed.flatMap(({ id }) => now.get(id) ?? []);
  if (calls.length < indexed.length)
    return rewrite(query, tenantId, [segment], () => Promise.resolve(calls));
  const packed = packFields(calls);
  await query(
    `update search_segments set ${Object.keys(packed)
      .map((name) => `${name} = ?`)
      .join(', ')} where tenant_id = ? and id = ?`,
    [...Object.values(packed), tenantId, segment.id],
  );
}
