import type BetterSqlite3 from 'better-sqlite3';

const CACHED_STATEMENTS = 500;

/** An LRU cache of prepared statements: preparing costs more than most of our queries. */
export function cachingPrepare(
  database: BetterSqlite3.Database,
): (text: string) => BetterSqlite3.Statement {
  const cache = new Map<string, BetterSqlite3.Statement>();
  return (text) => {
    const cached = cache.get(text);
    if (cached) cache.delete(text);
    const statement = cached ?? database.prepare(text);
    cache.set(text, statement);
    if (cache.size > CACHED_STATEMENTS) cache.delete(cache.keys().next().value ?? '');
    return statement;
  };
}
