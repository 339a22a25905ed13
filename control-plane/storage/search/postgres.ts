import { type Kysely, type RawBuilder, sql, type SqlBool } from 'kysely';
import { type Phrase, phrasesIn } from '../../search/rules.ts';
import type { Bulk } from '../bulk.ts';
import { indexerThread } from './indexer.ts';
import type { SearchIndex } from './search-index.ts';

const LONGEST_WAIT_MS = 2000;

/** Ids in one row of the queue: what an indexer takes at least. */
const IDS_PER_ROW = 50;

/** The words of a call as PostgreSQL's index knows them. */
const VECTOR = sql`array_to_tsvector(string_to_array(words, ' '))`;

/**
 * A table of words with a GIN index over them. Transactions commit in another order than that of
 * their ids, so they leave in a queue what is to be indexed.
 */
export function postgresSearch(
  url: string,
  bulk: Pick<Bulk, 'insert'>,
  onProblem: (line: string) => void,
): SearchIndex {
  const indexer = indexerThread(new URL('./postgres-indexer.ts', import.meta.url), url, onProblem);
  return {
    create: createTables,
    async enqueue(trx, tenantId, callIds) {
      if (callIds.length === 0) return;
      const rows = inPieces(callIds).map((ids) => ({
        tenant_id: tenantId,
        call_ids: JSON.stringify(ids),
      }));
      await bulk.insert(trx, 'search_queue', rows);
      indexer.wake();
    },
    async forget(trx, tenantId, callIds) {
      await trx
        .deleteFrom('call_words')
        .where('tenant_id', '=', tenantId)
        .where('llm_call_id', 'in', sql<number>`(select unnest(${[...callIds]}::bigint[]))`)
        .execute();
    },
    catchUp: (tenantId) => indexer.catchUp(tenantId, LONGEST_WAIT_MS),
    async matches(reader, tenantId, phrases) {
      // For PostgreSQL it is as cheap to make words of a text as to compare two numbers: for a
      // frequent word it would read all texts.
      await sql`set local enable_seqscan = off`.execute(reader);
      return matching(tenantId, phrases);
    },
    close: () => indexer.close(),
  };
}

async function createTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('search_queue')
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.generatedByDefaultAsIdentity().notNull())
    .addColumn('call_ids', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('search_queue_pk', ['tenant_id', 'id'])
    .execute();
  await db.schema
    .createTable('call_words')
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('llm_call_id', 'bigint', (column) => column.notNull())
    .addColumn('words', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('call_words_pk', ['tenant_id', 'llm_call_id'])
    // Texts stand aside: a search for words alone reads only which calls they are.
    .modifyEnd(sql`with (toast_tuple_target = 128)`)
    .execute();
  await sql`create index call_words_by_word on call_words using gin (${VECTOR})`.execute(db);
  // What was recorded before there was an index.
  await sql`
    insert into search_queue (tenant_id, call_ids)
    select tenant_id, json_agg(id)::text from llm_calls
    group by tenant_id, id / ${sql.lit(IDS_PER_ROW)}`.execute(db);
}

const inPieces = (ids: readonly number[]): number[][] =>
  Array.from({ length: Math.ceil(ids.length / IDS_PER_ROW) }, (_, i) =>
    ids.slice(i * IDS_PER_ROW, (i + 1) * IDS_PER_ROW),
  );

/** The index knows which words a call has; that they stand next to each other its text shows. */
function matching(tenantId: string, searched: readonly Phrase[]): RawBuilder<SqlBool> {
  const phrases = phrasesIn(tenantId, searched);
  const adjacent = phrases
    .filter(({ words }) => words.length > 1)
    .map(({ words, prefix }) => ` ${words.join(' ')}${prefix ? '' : ' '}`)
    .map((text) => sql`and strpos(' ' || words || ' ', ${text}) > 0`);
  return sql`llm_calls.id in (
    select llm_call_id from call_words
    where tenant_id = ${tenantId} and ${VECTOR} @@ ${vectorQuery(phrases)}::tsquery
    ${sql.join(adjacent, sql` `)})`;
}

const vectorQuery = (phrases: readonly Phrase[]): string =>
  phrases
    .flatMap(({ words, prefix }) =>
      words.map((word, index) => `'${word}'${prefix && index === words.length - 1 ? ':*' : ''}`),
    )
    .join(' & ');
