import { randomUUID } from 'node:crypto';
import type { Client, Pool } from 'pg';
import { openClient } from './postgres-pool.ts';
import { readNotification, localSignals, type Signals } from './signals.ts';

const CHANNEL = 'gatehouse';
const RETRY_MS = 2000;
/**
 * The minimum interval of warnings. Any role that may connect to the database may send
 * notifications, and it must not be able to flood the log.
 */
const WARN_EVERY_MS = 60_000;

/**
 * Signals between processes over LISTEN and NOTIFY, on a dedicated connection that is opened for
 * the first subscriber.
 */
export function postgresSignals(
  pool: Pool,
  url: string,
  onProblem: (message: string) => void,
): Signals & { close(): Promise<void> } {
  const local = localSignals();
  const origin = randomUUID();
  let client: Client | undefined;
  let listening: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let warnedAt = -Infinity;
  let closed = false;

  const warn = (): void => {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return;
    warnedAt = performance.now();
    onProblem(`PostgreSQL notification on "${CHANNEL}" ignored: not sent by a control plane`);
  };
  const onNotification = (payload: string | undefined): void => {
    const notification = readNotification(payload);
    if (!notification) warn();
    // This process has already received its own signals.
    else if (notification.origin !== origin) local.publish(notification.signal);
  };
  const listen = async (): Promise<void> => {
    client = await openClient(url, reconnect);
    if (closed) return client.end();
    client.on('notification', ({ payload }) => onNotification(payload));
    await client.query(`listen ${CHANNEL}`);
  };
  const reconnect = (error: Error): void => {
    if (closed || retry) return;
    onProblem(`PostgreSQL notifications lost: ${error.message}`);
    // The connection may still be open, for example if only `listen` failed.
    void client?.end();
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
      await client?.end();
    },
  };
}
