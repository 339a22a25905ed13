import { sql, type SqlBool } from 'kysely';
import { type Phrase, phrasesIn } from '../../search/rules.ts';
import type { ReaderFiles } from '../reader-thread.ts';
import { indexerThread } from './indexer.ts';
import type { SearchIndex } from './search-index.ts';
import { prepareSearchFile } from './sqlite-file.ts';

const LONGEST_WAIT_MS = 2000;

/** So many calls are looked up one by one; more are found while an index of calls is read. */
const LOOKED_UP = 2000;

/**
 * FTS5. On SQLite ids are given in the order of commits, so the index is written by following
 * them: nothing has to be stored when a call is recorded.
 */
export function sqliteSearch(files: ReaderFiles, onProblem: (line: string) => void): SearchIndex {
  prepareSearchFile(files.searchFile);
  const indexer = indexerThread(new URL('./sqlite-indexer.ts', import.meta.url), files, onProblem);
  return {
    create: () => Promise.resolve(),
    async enqueue(_trx, _tenantId, callIds) {
      if (callIds.length > 0) indexer.wake();
    },
    async forget(_trx, _tenantId, callIds) {
      indexer.forget(callIds);
    },
    catchUp: (tenantId) => indexer.catchUp(tenantId, LONGEST_WAIT_MS),
    async matches(reader, tenantId, phrases) {
      const query = matchOf(phrasesIn(tenantId, phrases));
      const found = sql`select rowid from search.call_words where call_words match ${query}`;
      const { rows } = await sql<{ many: number }>`
        select count(*) > ${LOOKED_UP} as many from (${found} limit ${LOOKED_UP + 1})`.execute(
        reader,
      );
      // The plus keeps SQLite from looking each of them up in the table.
      return rows[0]?.many
        ? sql<SqlBool>`+llm_calls.id in (${found})`
        : sql<SqlBool>`llm_calls.id in (${found})`;
    },
    close: () => indexer.close(),
  };
}

const matchOf = (phrases: readonly Phrase[]): string =>
  phrases.map(({ words, prefix }) => `"${words.join(' ')}"${prefix ? ' *' : ''}`).join(' AND ');
