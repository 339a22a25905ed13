import { setTimeout as pause } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type SqliteDatabase,
  SqliteDriver,
} from 'kysely';
import { createMutex } from './mutex.ts';

export interface SqliteAccess {
  database: SqliteDatabase;
  /** After some errors, as of a full disk, SQLite has rolled a transaction back by itself. */
  inTransaction: () => boolean;
  onCommit: () => void;
  /** Does this error say that another process holds the lock? */
  isLocked: (error: unknown) => boolean;
}

const PATIENCE_MS = 5000;
const LONGEST_PAUSE_MS = 50;

/** What Kysely takes for a connection: all share the only one there is. */
interface Share extends DatabaseConnection {
  /** It has a transaction open. */
  hasTurn: boolean;
}

/**
 * One SQLite connection, which transactions and single statements use in turn. What finds the
 * database locked by another process passes its turn on and tries again later: SQLite's own waiting
 * would stop the event loop, and a turn that waits would hold up everybody who only reads.
 */
export function sqliteDriver(access: SqliteAccess): Driver {
  const { database, inTransaction, onCommit, isLocked } = access;
  const plain = new SqliteDriver({ database });
  const turn = createMutex();
  let connection: DatabaseConnection;
  const run = (text: string) => connection.executeQuery(CompiledQuery.raw(text));

  /** Does the work in a turn, which lasts on when it succeeds. */
  async function takeTurn<T>(work: () => Promise<T>): Promise<T> {
    const until = performance.now() + PATIENCE_MS;
    for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      await turn.lock();
      try {
        return await work();
      } catch (error) {
        turn.unlock();
        if (!isLocked(error) || performance.now() >= until) throw error;
      }
      await pause(pauseMs);
    }
  }
  const share = (): Share => ({
    hasTurn: false,
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      if (this.hasTurn) return connection.executeQuery<R>(query);
      const result = await takeTurn(() => connection.executeQuery<R>(query));
      turn.unlock();
      return result;
    },
    streamQuery() {
      throw new Error('the connection that writes does not stream');
    },
  });
  const passTurn = (of: DatabaseConnection): void => {
    (of as Share).hasTurn = false;
    turn.unlock();
  };

  return {
    async init() {
      await plain.init();
      connection = await plain.acquireConnection();
    },
    acquireConnection: () => Promise.resolve(share()),
    async beginTransaction(of) {
      // Immediate: a transaction that reads before it writes could not wait for the lock any more,
      // because what it has read would be outdated.
      await takeTurn(() => run('begin immediate'));
      (of as Share).hasTurn = true;
    },
    async commitTransaction(of) {
      await run('commit');
      passTurn(of);
      onCommit();
    },
    async rollbackTransaction(of) {
      try {
        if (inTransaction()) await run('rollback');
      } finally {
        passTurn(of);
      }
    },
    releaseConnection: () => Promise.resolve(),
    destroy: () => plain.destroy(),
  };
}
