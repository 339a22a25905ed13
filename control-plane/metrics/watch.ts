import type { Server } from 'node:http';
import type { Context } from '../context.ts';

/** What is read of the parts of a control plane whenever somebody scrapes. */
export function watch(
  { metrics, recorder, storage }: Context,
  listeners: Readonly<Record<string, Server>>,
): void {
  metrics.gauge('connections', 'Open connections, by listener', () =>
    Promise.all(
      Object.entries(listeners).map(async ([listener, server]) => ({
        labels: { listener },
        value: await connectionsOf(server),
      })),
    ),
  );
  metrics.gauge('recording_waiting', 'Recording requests that wait for their commit', () =>
    recorder.waiting(),
  );
  metrics.gauge('database_connections', 'Connections of the pools of PostgreSQL', () =>
    Object.entries(storage.pools()).flatMap(([pool, { open, idle, waiting }]) => [
      { labels: { pool, state: 'busy' }, value: open - idle },
      { labels: { pool, state: 'idle' }, value: idle },
      { labels: { pool, state: 'wanted' }, value: waiting },
    ]),
  );
}

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
