import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { startPostgres } from '#test/support/postgres-server.ts';

/**
 * A history in a folder, created by fill.ts. With PostgreSQL, it includes a server for its data.
 */
export interface History {
  kind: 'sqlite' | 'postgres';
  /** The environment for a control plane that serves the history. */
  env: { DATA_DIR: string; DATABASE_URL?: string };
  /** Runs the background work that a server does after many writes. */
  filled(): Promise<void>;
  stop(): Promise<void>;
}

const dataIn = (dir: string): string => join(dir, 'postgres');

const kindOf = (dir: string): History['kind'] => (existsSync(dataIn(dir)) ? 'postgres' : 'sqlite');

export async function openHistory(dir: string, kind = kindOf(dir)): Promise<History> {
  if (kind === 'sqlite')
    return { kind, env: { DATA_DIR: dir }, filled: async () => {}, stop: async () => {} };
  const { url, stop } = await startPostgres({ keptIn: dataIn(dir) });
  return {
    kind,
    env: { DATA_DIR: dir, DATABASE_URL: url },
    filled: () => vacuum(url),
    stop,
  };
}

async function vacuum(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('vacuum (analyze)');
  await client.end();
}
