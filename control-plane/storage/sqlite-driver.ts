import { setTimeout as pause } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type SqliteDatabase,
  SqliteDriver,
} from 'kysely';

export interface SqliteAccess {
  database: SqliteDatabase;
  /**
   * Whether a transaction is open. After some errors, such as a full disk, SQLite itself rolls it
   * back.
   */
  inTransaction: () => boolean;
  onCommit: () => void;
  /** Whether the error was caused by a lock of another process. */
  isLocked: (error: unknown) => boolean;
}

const BUSY_TIMEOUT_MS = 5000;
const MAX_PAUSE_MS = 50;

/** A Kysely connection. All of them share the only real one. */
interface SharedConnection extends DatabaseConnection {
  /** Whether it has a transaction open. */
  hasTurn: boolean;
}

/**
 * One SQLite connection, used by transactions and single statements in turn. If another process has
 * locked the database, a user gives up its turn and retries later. SQLite's own busy wait would
 * block the event loop, and waiting within a turn would block readers.
 */
export function sqliteDriver(access: SqliteAccess): Driver {
  const { database, inTransaction, onCommit, isLocked } = access;
  const plain = new SqliteDriver({ database });
  const turn = createMutex();
  let connection: DatabaseConnection;
  const run = (text: string) => connection.executeQuery(CompiledQuery.raw(text));

  /** Runs the work in a turn, and keeps the turn if the work succeeds. */
  async function takeTurn<T>(work: () => Promise<T>): Promise<T> {
    const until = performance.now() + BUSY_TIMEOUT_MS;
    for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
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
  const share = (): SharedConnection => ({
    hasTurn: false,
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      if (this.hasTurn) return connection.executeQuery<R>(query);
      const result = await takeTurn(() => connection.executeQuery<R>(query));
      turn.unlock();
      return result;
    },
    streamQuery() {
      throw new Error('the writing connection does not support streaming');
    },
  });
  const passTurn = (of: DatabaseConnection): void => {
    (of as SharedConnection).hasTurn = false;
    turn.unlock();
  };

  return {
    async init() {
      await plain.init();
      connection = await plain.acquireConnection();
    },
    acquireConnection: () => Promise.resolve(share()),
    async beginTransaction(of) {
      // The transaction is immediate: one that reads before it writes could not acquire the lock
      // later, because its snapshot would be outdated.
      await takeTurn(() => run('begin immediate'));
      (of as SharedConnection).hasTurn = true;
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

/** A mutual exclusion lock that serves waiters in order of arrival. */
interface Mutex {
  /** Resolves when the caller holds the lock, which it keeps until `unlock`. */
  lock(): Promise<void>;
  unlock(): void;
}

function createMutex(): Mutex {
  const waiting: (() => void)[] = [];
  let locked = false;
  return {
    lock() {
      if (locked) return new Promise((resolve) => waiting.push(resolve));
      locked = true;
      return Promise.resolve();
    },
    unlock() {
      const next = waiting.shift();
      if (next) next();
      else locked = false;
    },
  };
}
