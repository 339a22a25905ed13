import { parentPort, workerData } from 'node:worker_threads';
import BetterSqlite3 from 'better-sqlite3';
import type { ReaderFiles } from '../reader-thread.ts';
import { cachingPrepare } from '../statement-cache.ts';
import { runIndexer, type IndexerSource } from './indexer-loop.ts';
import { INDEXED_COLUMNS, type IndexedCall, newSegment } from './new-segment.ts';
import type { FromIndexer } from './indexer-thread.ts';
import { mergeSome, type Query, refreshSome } from './segments.ts';

const CALLS_AT_ONCE = 4000;

/**
 * Reads calls in the order of their ids. Progress is committed together with the words. One
 * connection sees both files, in one snapshot per transaction.
 */
function openSource(files: ReaderFiles, post: (message: FromIndexer) => void): IndexerSource {
  const database = new BetterSqlite3(files.searchFile);
  database.prepare('attach ? as recorded').run(files.databaseFile);
  // These commits need not survive a power failure: work that is lost is repeated.
  database.pragma('main.synchronous = NORMAL');
  // The same holds for the deletion of changes.
  database.pragma('recorded.synchronous = NORMAL');
  const prepare = cachingPrepare(database);
  const query: Query = async <T>(text: string, parameters: readonly unknown[] = []) => {
    const statement = prepare(text);
    if (statement.reader) return statement.all(parameters) as T[];
    statement.run(parameters);
    return [];
  };
  const inTransaction = async <T>(work: () => Promise<T>): Promise<T> => {
    database.exec('begin');
    try {
      // Locks the index, but not the database, before anything is read.
      database.exec('update progress set last_id = last_id');
      const result = await work();
      database.exec('commit');
      return result;
    } catch (error) {
      if (database.inTransaction) database.exec('rollback');
      throw error;
    }
  };
  const progress = database.prepare('select last_id from progress').pluck();
  const newest = database.prepare('select max(id) from llm_calls').pluck();
  const unmerged = new Set<string>();

  async function indexSome(): Promise<boolean> {
    const before = progress.get() as number;
    const segments = new Map<string, ReturnType<typeof newSegment>>();
    let last = before;
    const calls = prepare(
      `select ${INDEXED_COLUMNS} from llm_calls where id > ? order by id limit ${CALLS_AT_ONCE}`,
    ).iterate(before) as IterableIterator<IndexedCall>;
    for (const call of calls) {
      let segment = segments.get(call.tenant_id);
      if (!segment) segments.set(call.tenant_id, (segment = newSegment()));
      segment.add(call);
      last = call.id;
      if (segment.isFull()) break;
    }
    for (const [tenantId, segment] of segments) {
      await segment.store(query, tenantId);
      unmerged.add(tenantId);
    }
    await query('update progress set last_id = ?', [last]);
    return last > before;
  }

  async function merge(): Promise<boolean> {
    for (const tenantId of unmerged) {
      if (await inTransaction(() => mergeSome(query, tenantId))) return true;
      unmerged.delete(tenantId);
    }
    return false;
  }

  async function refresh(): Promise<boolean> {
    const [first] = await query<{ tenant_id: string }>(
      'select tenant_id from search_changes limit 1',
    );
    if (!first) return false;
    const { tenant_id } = first;
    const settled = await inTransaction(() => refreshSome(query, tenant_id));
    // Changes are in the other file. They are deleted last, so that interrupted work is repeated.
    await query(
      `delete from search_changes where tenant_id = ? and id in (${settled.join(', ')})`,
      [tenant_id],
    );
    return true;
  }

  resetIfAhead(database);
  return {
    async indexSome(tenantId) {
      if (tenantId === undefined && (await merge())) return true;
      const indexed = await inTransaction(indexSome);
      post({ kind: 'indexed', lastId: progress.get() as number, isAll: !indexed });
      return indexed || (tenantId === undefined && (await refresh()));
    },
    markOf: () => newest.get() as number | null,
    isReached: (_tenantId, mark) => (progress.get() as number) >= mark,
    close: () => void database.close(),
  };
}

/**
 * Discards the index if it is newer than the database, which was then restored from a backup:
 * everything is indexed again.
 */
function resetIfAhead(database: BetterSqlite3.Database): void {
  const lastGivenId = database
    .prepare(`select seq from recorded.sqlite_sequence where name = 'llm_calls'`)
    .pluck()
    .get() as number | undefined;
  database.transaction(() => {
    database.exec('update progress set last_id = last_id');
    const lastId = database.prepare('select last_id from progress').pluck().get() as number;
    if (lastId <= (lastGivenId ?? 0)) return;
    database.exec('delete from search_segments');
    database.exec('delete from search_blocks');
    database.exec('update progress set last_id = 0');
  })();
}

const port = parentPort;
if (port) {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  const post = (message: FromIndexer): void => port.postMessage(message);
  runIndexer(port, openSource(workerData as ReaderFiles, post));
}
