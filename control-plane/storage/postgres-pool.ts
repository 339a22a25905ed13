import { Client, type DatabaseError, Pool, type PoolClient, type PoolConfig } from 'pg';
import { endsConnection } from './postgres-unavailable.ts';

const CONNECT_MS = 10_000;

/** Without keep-alive probes, a server that vanishes silently is not noticed for hours. */
const connectionOptions = (url: string) => ({
  connectionString: url,
  connectionTimeoutMillis: CONNECT_MS,
  keepAlive: true,
});

/**
 * Opens a pool whose connections may end at any time: during a query, between two queries of a
 * transaction, or while idle. All pools are opened here, because an `error` event without a
 * listener ends the process.
 */
export function openPool(
  url: string,
  config: PoolConfig,
  onProblem: (message: string) => void,
): Pool {
  const pool = new Pool({ ...config, ...connectionOptions(url), pipeline: true });
  pool.on('connect', ignoreConnectionErrors);
  // This reports idle connections; the pool removes them itself.
  pool.on('error', (error) => {
    if (!pool.ending) onProblem(`PostgreSQL connection lost: ${error.message}`);
  });
  return pool;
}

/**
 * Handles errors of borrowed connections, because the pool does so only for idle ones. The borrower
 * gets a rejected query instead.
 */
function ignoreConnectionErrors(client: PoolClient): void {
  client.on('error', () => undefined);
  // After a fatal error the server closes the connection. Ending it here keeps the pool from
  // lending it again before the close has arrived.
  client.connection.on('errorMessage', (error: DatabaseError) => {
    if (endsConnection(error)) void client.end();
  });
}

/** Opens a connection outside the pools. `onLost` is called if it ends unexpectedly. */
export async function openClient(url: string, onLost: (error: Error) => void): Promise<Client> {
  const client = new Client(connectionOptions(url));
  let connected = false;
  client.on('error', (error) => {
    if (connected) onLost(error);
  });
  await client.connect();
  connected = true;
  return client;
}
