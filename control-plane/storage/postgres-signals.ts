import { randomUUID } from 'node:crypto';
import { Client, type Pool } from 'pg';
import { localSignals, type Signal, type Signals } from './signals.ts';

export const CONNECT_MS = 10_000;

const CHANNEL = 'gatehouse';
const RETRY_MS = 2000;

/**
 * Signals between processes over LISTEN and NOTIFY, on a connection of their own that is made for
 * the first subscriber.
 */
export function postgresSignals(
  pool: Pool,
  url: string,
  onProblem: (line: string) => void,
): Signals & { close(): Promise<void> } {
  const local = localSignals();
  const origin = randomUUID();
  let client: Client | undefined;
  let listening: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;

  const listen = async (): Promise<void> => {
    client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
    client.on('error', reconnect);
    client.on('notification', ({ payload }) => {
      if (!payload) return;
      const { origin: from, ...signal } = JSON.parse(payload) as Signal & { origin: string };
      // What this process published it has heard already.
      if (from !== origin) local.publish(signal);
    });
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
  };
  const reconnect = (error: Error): void => {
    if (closed || retry) return;
    onProblem(`PostgreSQL notifications lost: ${error.message}`);
    retry = setTimeout(() => {
      retry = undefined;
      listen().catch(reconnect);
    }, RETRY_MS);
  };
  return {
    publish(signal) {
      if (closed) return;
      local.publish(signal);
      pool
        .query('select pg_notify($1, $2)', [CHANNEL, JSON.stringify({ ...signal, origin })])
        .catch((error: Error) => onProblem(`PostgreSQL notify failed: ${error.message}`));
    },
    subscribe(listener) {
      listening ??= listen().catch(reconnect);
      return local.subscribe(listener);
    },
    async close() {
      closed = true;
      clearTimeout(retry);
      await client?.end().catch(() => undefined);
    },
  };
}
