import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { CompiledQuery, Kysely, SqliteDialect } from 'kysely';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import { searchFileOf } from '#control-plane/storage/search/sqlite-file.ts';
import type { Tables } from '#control-plane/storage/tables.ts';
import { sqliteBulk } from '#control-plane/storage/sqlite-bulk.ts';
import { type RunTransaction, transactionsOf } from '#control-plane/storage/transaction.ts';
import { SqliteCompiler } from '#control-plane/storage/value-list.ts';
import { newDatabase } from './databases.ts';

export interface QueryPlans {
  storage: Storage;
  /** A handle whose queries `plansOf` explains. */
  db: Kysely<Tables>;
  /** Runs transactions with that handle. */
  transaction: RunTransaction;
  /** Returns the query plan of every statement that `run` executes, one line per step. */
  plansOf(run: () => Promise<unknown>): Promise<string[]>;
  close(): Promise<void>;
}

class ExplainedDialect extends SqliteDialect {
  override createQueryCompiler(): SqliteCompiler {
    return new SqliteCompiler();
  }
}

/** Opens an empty SQLite database with the planner statistics of a new installation. */
export async function openQueryPlans(): Promise<QueryPlans> {
  const database = await newDatabase('sqlite');
  const storage = await openStorage({ ...database, onProblem: () => undefined });
  let executed: CompiledQuery[] = [];
  const databaseFile = join(database.dataDir, 'gatehouse.db');
  const connection = new BetterSqlite3(databaseFile);
  // As in a reader thread, the search index is attached.
  connection.prepare('attach ? as search').run(searchFileOf(databaseFile));
  const db = new Kysely<Tables>({
    dialect: new ExplainedDialect({ database: connection }),
    log: ({ query }) => void executed.push(query),
  });
  const bulk = sqliteBulk(connection);
  return {
    storage,
    db,
    transaction: transactionsOf(db, {
      bulkOf: () => bulk,
      lock: () => Promise.resolve(),
    }),
    async plansOf(run) {
      executed = [];
      await run();
      const plans: string[] = [];
      for (const { sql, parameters } of executed.filter((query) =>
        /^\s*(select|with|delete)/.test(query.sql),
      )) {
        const explained = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]);
        const { rows } = await db.executeQuery<{ detail: string }>(explained);
        plans.push(...rows.map(({ detail }) => detail));
      }
      return plans;
    },
    async close() {
      await db.destroy();
      await storage.close();
      await database.remove();
    },
  };
}
