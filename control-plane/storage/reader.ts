import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  SqliteAdapter,
  SqliteIntrospector,
} from 'kysely';
import { readerPool, type ReaderPool } from './reader-pool.ts';
import { type ReaderFiles, type ReaderThread, startReaderThread } from './reader-thread.ts';
import { SqliteCompiler } from './value-list.ts';

const THREADS = 2;

/**
 * Reads the SQLite database from separate threads, so that long reads never block the thread that
 * records. Each query sees all data committed before it was sent; queries of a transaction see the
 * same snapshot. Writes fail.
 */
export function sqliteReader(files: ReaderFiles): Dialect {
  return {
    createAdapter: () => new SeveralConnections(),
    createDriver: () => readerDriver(readerPool(() => startReaderThread(files), THREADS)),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteCompiler(),
  };
}

/** Allows several connections: by default Kysely runs one query at a time on SQLite. */
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
    acquireConnection: async () => connectionOf(await pool.acquire()),
    releaseConnection: async (connection) => pool.release((connection as ReaderConnection).thread),
    beginTransaction: (connection) => run(connection, 'begin'),
    commitTransaction: (connection) => run(connection, 'commit'),
    rollbackTransaction: (connection) => run(connection, 'rollback'),
    destroy: () => pool.close(),
  };
}

const connectionOf = (thread: ReaderThread): ReaderConnection => ({
  thread,
  executeQuery: async ({ sql: text, parameters }) => ({
    rows: (await thread.query({ text, parameters })) as never[],
  }),
  streamQuery() {
    throw new Error('the reader does not support streaming');
  },
});
