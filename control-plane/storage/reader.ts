import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { readerPool, type ReaderPool } from './reader-pool.ts';
import { type ReaderFiles, type ReaderThread, startReaderThread } from './reader-thread.ts';

const THREADS = 2;

/**
 * The SQLite database as threads of their own read it: what takes long there never holds up the
 * thread that records. Each query sees all that was committed before it was sent; those of a
 * transaction see the same state. Writing fails.
 */
export function sqliteReader(files: ReaderFiles): Dialect {
  return {
    createAdapter: () => new SeveralConnections(),
    createDriver: () => readerDriver(readerPool(() => startReaderThread(files), THREADS)),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Kysely would use a SQLite database by one query at a time. */
class SeveralConnections extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

interface ReaderConnection extends DatabaseConnection {
  thread: ReaderThread;
}

function readerDriver(pool: ReaderPool): Driver {
  const run = async (connection: DatabaseConnection, text: string): Promise<void> => {
    await connection.executeQuery(CompiledQuery.raw(text));
  };
  return {
    init: () => Promise.resolve(),
    acquireConnection: async () => connectionOf(await pool.borrow()),
    releaseConnection: async (connection) => pool.giveBack((connection as ReaderConnection).thread),
    beginTransaction: (connection) => run(connection, 'begin'),
    commitTransaction: (connection) => run(connection, 'commit'),
    rollbackTransaction: (connection) => run(connection, 'rollback'),
    destroy: () => pool.close(),
  };
}

const connectionOf = (thread: ReaderThread): ReaderConnection => ({
  thread,
  executeQuery: async ({ sql: text, parameters }) => ({
    rows: (await thread.ask({ text, parameters })) as never[],
  }),
  streamQuery() {
    throw new Error('the reader does not stream');
  },
});
