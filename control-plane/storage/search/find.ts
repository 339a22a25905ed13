import { sql, type Transaction } from 'kysely';
import type { Phrase } from './word-rules.ts';
import type { Tables } from '../tables.ts';
import { type Block, entriesOf, keyOf, type Posting } from './blocks.ts';
import {
  type CallFields,
  columnOf,
  FIELD_NAMES,
  type FieldName,
  type SegmentFields,
  type PackedFields,
  packFields,
  unpackFields,
} from './call-fields.ts';
import { type FindPostings, matchingOrdinals } from './matching.ts';
import type { SearchMatch } from './search-index.ts';
import { isTouched, type Segment } from './segments.ts';

type Reader = Transaction<Tables>;
type Listed = Segment & Pick<SearchMatch, 'first_at' | 'last_at'>;

/** Finds the calls that match all phrases, in each segment of a tenant. */
export async function findMatches(
  reader: Reader,
  tenantId: string,
  phrases: readonly Phrase[],
): Promise<SearchMatch[]> {
  // Changes are read before the segments: on SQLite they are in different files, and a change that
  // is no longer listed must already be in the segments.
  const { rows: changes } = await sql<Pick<Segment, 'first_id' | 'last_id'>>`
    select first_id, last_id from search_changes where tenant_id = ${tenantId}`.execute(reader);
  const { rows: segments } = await sql<Listed>`
    select id, calls, first_id, last_id, first_at, last_at from search_segments
    where tenant_id = ${tenantId}`.execute(reader);
  const postingsOf = await findPostings(reader, tenantId, phrases);
  const matches: SearchMatch[] = [];
  for (const segment of segments) {
    const ordinals = matchingOrdinals(phrases, segment.calls, postingsOf(segment.id));
    if (ordinals.length === 0) continue;
    const { first_at, last_at } = segment;
    const load: SearchMatch['load'] = (names) =>
      loadFields(reader, tenantId, { segment, ordinals }, names);
    matches.push(
      changes.some((change) => isTouched(segment, change))
        ? await currentMatch(reader, tenantId, segment, (await load(['id'])).id)
        : { count: ordinals.length, first_at, last_at, load },
    );
  }
  return matches;
}

async function loadFields<F extends FieldName>(
  reader: Reader,
  tenantId: string,
  { segment, ordinals }: { segment: Segment; ordinals: Int32Array },
  names: readonly F[],
): Promise<Pick<SegmentFields, F>> {
  const columns = [...names.map(columnOf), 'models', 'agents'].map((name) => sql.ref(name));
  const { rows } = await sql<Partial<PackedFields>>`
    select ${sql.join(columns)} from search_segments
    where tenant_id = ${tenantId} and id = ${segment.id}`.execute(reader);
  return unpackFields(rows[0] ?? {}, names, { count: segment.calls, ordinals });
}

/**
 * Reads the matching calls from their table, because the segment is older than their last change.
 */
async function currentMatch(
  reader: Reader,
  tenantId: string,
  { first_id, last_id }: Segment,
  ids: Float64Array,
): Promise<SearchMatch> {
  const matching = new Set(ids);
  const stored: CallFields[] = await reader
    .selectFrom('llm_calls')
    .select(FIELD_NAMES)
    .where('tenant_id', '=', tenantId)
    .where('id', '>=', first_id)
    .where('id', '<=', last_id)
    .execute();
  const calls = stored.filter((call) => matching.has(call.id));
  const packed = packFields(calls);
  const all = { count: calls.length, ordinals: Int32Array.from(calls.keys()) };
  return {
    count: calls.length,
    first_at: calls.reduce((first, call) => Math.min(first, call.created_at), Infinity),
    last_at: calls.reduce((last, call) => Math.max(last, call.created_at), -Infinity),
    load: (names) => Promise.resolve(unpackFields(packed, names, all)),
  };
}

/** Reads the postings of all segments of a tenant, in one query per word. */
async function findPostings(
  reader: Reader,
  tenantId: string,
  phrases: readonly Phrase[],
): Promise<(segmentId: number) => FindPostings> {
  const found = new Map<string, Map<number, Posting[]>>();
  for (const { words, prefix } of phrases)
    for (const [index, word] of words.entries()) {
      const query = {
        word,
        prefix: prefix && index === words.length - 1,
        inPhrase: words.length > 1,
      };
      // A phrase needs positions, which the search for a single word does not read.
      const key = keyOfWord(word, query.prefix);
      if (query.inPhrase || !found.has(key))
        found.set(key, await findWord(reader, tenantId, query));
    }
  return (segmentId) => (word, prefix) => found.get(keyOfWord(word, prefix))?.get(segmentId) ?? [];
}

const keyOfWord = (word: string, prefix: boolean): string => `${word}${prefix ? '*' : ''}`;

interface QueryWord {
  word: string;
  prefix: boolean;
  inPhrase: boolean;
}

async function findWord(
  reader: Reader,
  tenantId: string,
  { word, prefix, inPhrase }: QueryWord,
): Promise<Map<number, Posting[]>> {
  const low = Buffer.from(word);
  // UTF-8 never contains this byte, so it sorts after every word with the prefix.
  const high = prefix ? Buffer.concat([low, Buffer.of(0xff)]) : low;
  const key = keyOf(low);
  const columns = inPhrase ? (['words', 'positions'] as const) : (['words'] as const);
  const blocks = await lastBlocksTo(reader, tenantId, low, columns);
  if (prefix) blocks.push(...(await blocksBetween(reader, tenantId, { low, high, columns })));
  const postings = new Map<number, Posting[]>();
  for (const { segment_id, ...block } of blocks)
    for (const entry of entriesOf(block)) {
      const entryKey = keyOf(entry.word);
      if (prefix ? !entryKey.startsWith(key) : entryKey !== key) continue;
      const bySegment = postings.get(segment_id);
      if (bySegment) bySegment.push(entry);
      else postings.set(segment_id, [entry]);
    }
  return postings;
}

type ReadBlock = { segment_id: number } & Pick<Block, 'words'> & Partial<Block>;
type Columns = readonly ('words' | 'positions')[];

/**
 * Reads, for each segment, the last block that begins at or before the word. It uses subqueries,
 * because only these make both databases use one index lookup per segment.
 */
async function lastBlocksTo(
  reader: Reader,
  tenantId: string,
  word: Uint8Array,
  columns: Columns,
): Promise<ReadBlock[]> {
  const last = columns.map(
    (column) => sql`(
      select b.${sql.ref(column)} from search_blocks b
      where b.tenant_id = s.tenant_id and b.segment_id = s.id and b.first_word <= ${word}
      order by b.first_word desc limit 1) as ${sql.ref(column)}`,
  );
  const { rows } = await sql<{ segment_id: number; words: Uint8Array | null }>`
    select s.id as segment_id, ${sql.join(last)} from search_segments s
    where s.tenant_id = ${tenantId}`.execute(reader);
  return rows.filter((row): row is ReadBlock => row.words !== null);
}

/** Reads the blocks that begin after the first key and not after the second. */
async function blocksBetween(
  reader: Reader,
  tenantId: string,
  { low, high, columns }: { low: Uint8Array; high: Uint8Array; columns: Columns },
): Promise<ReadBlock[]> {
  const { rows } = await sql<ReadBlock>`
    select segment_id, ${sql.join(columns.map((column) => sql.ref(column)))} from search_blocks
    where tenant_id = ${tenantId}
      and segment_id in (select id from search_segments where tenant_id = ${tenantId})
      and first_word > ${low} and first_word <= ${high}
    order by segment_id, first_word`.execute(reader);
  return rows;
}
