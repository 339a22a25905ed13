import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { inject } from 'vitest';
import type { Db } from '#control-plane/storage/open.ts';
import { databaseOf, query, TEMPLATE } from './postgres.ts';
import { pollUntil } from './processes.ts';

/** The database of a control plane in a test. */
export interface TestDatabase {
  dataDir: string;
  databaseUrl: string | undefined;
  remove(): Promise<void>;
}

/** Both databases. Every storage test runs on each. */
export const databases = ['sqlite', 'postgres'] as const;

/** On PostgreSQL, resolves when another connection to this database waits for a lock. */
export async function untilLockWaiter(db: Db): Promise<void> {
  const waiting = sql<{ count: number }>`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await pollUntil(
    async () => (await waiting.execute(db)).rows[0]?.count,
    (count) => count !== undefined && count > 0,
  );
}

/**
 * Creates a database. On PostgreSQL it has the schema of this version, unless it is to be empty; on
 * SQLite the file does not exist yet.
 */
export async function newDatabase(
  kind: (typeof databases)[number],
  { isEmpty = false } = {},
): Promise<TestDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  const removeFolder = () => rmSync(dataDir, { recursive: true, force: true });
  if (kind === 'sqlite')
    return { dataDir, databaseUrl: undefined, remove: () => Promise.resolve(removeFolder()) };
  const server = inject('postgresUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await query(server, `create database ${name} template ${isEmpty ? 'template0' : TEMPLATE}`);
  return {
    dataDir,
    databaseUrl: databaseOf(server, name),
    async remove() {
      await query(server, `drop database ${name} with (force)`);
      removeFolder();
    },
  };
}
