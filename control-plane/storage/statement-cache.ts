import type BetterSqlite3 from 'better-sqlite3';
import { LruMap } from '#lib/lru-map.ts';

const CACHED_STATEMENTS = 500;

/**
 * Creates an LRU cache of prepared statements, because preparing costs more than most of our
 * queries.
 */
export function cachingPrepare(
  database: BetterSqlite3.Database,
): (text: string) => BetterSqlite3.Statement {
  const cache = new LruMap<string, BetterSqlite3.Statement>(CACHED_STATEMENTS);
  return (text) => {
    let statement = cache.get(text);
    if (!statement) cache.set(text, (statement = database.prepare(text)));
    return statement;
  };
}
