import type BetterSqlite3 from 'better-sqlite3';
import type { ReaderFiles } from '../reader-thread.ts';
import { createBacklog } from './backlog.ts';
import { recordChanges } from './changes.ts';
import { findMatches } from './find.ts';
import { indexerThread } from './indexer-thread.ts';
import type { SearchIndex } from './search-index.ts';
import { prepareSearchFile } from './sqlite-file.ts';

const MAX_WAIT_MS = 2000;

/**
 * The search index in a separate file. SQLite assigns ids in the order of commits, so the last
 * indexed id is enough to find the rest, and recording a call queues no entry.
 */
export function sqliteSearch(
  database: BetterSqlite3.Database,
  files: ReaderFiles,
  onProblem: (message: string) => void,
): SearchIndex {
  const indexedBefore = prepareSearchFile(files.searchFile);
  const waiting = createBacklog();
  const indexer = indexerThread(new URL('./sqlite-indexer.ts', import.meta.url), files, {
    onProblem,
    onIndexed: (progress) => waiting.indexed(progress, Date.now()),
  });
  return {
    create: () => Promise.resolve(),
    async start() {
      const newest = database.prepare('select max(id) from llm_calls').pluck().get();
      waiting.start(indexedBefore, (newest as number | null) ?? 0, Date.now());
      const isChanged = database.prepare('select 1 from search_changes limit 1').get();
      if (waiting.lag(undefined, Date.now()).calls > 0 || isChanged) indexer.wake();
    },
    async enqueue(_tx, tenantId, callIds) {
      if (callIds.length === 0) return;
      waiting.add(tenantId, callIds, Date.now());
      indexer.wake();
    },
    async changed(tx, tenantId, callIds) {
      await recordChanges(tx, tenantId, callIds);
      indexer.wake();
    },
    catchUp: (tenantId) => indexer.catchUp(tenantId, MAX_WAIT_MS),
    lag: async (tenantId) => waiting.lag(tenantId, Date.now()),
    find: findMatches,
    close: () => indexer.close(),
  };
}
