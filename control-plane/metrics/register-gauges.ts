import type { Server } from 'node:http';
import type { Context } from '../context.ts';

/** Registers the gauges of the parts of a control plane. */
export function registerGauges(
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
  metrics.gauge('recording_waiting', 'Recording requests waiting for their commit', () =>
    recorder.waiting(),
  );
  metrics.gauge('database_connections', 'PostgreSQL pool connections, by pool and state', () =>
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
