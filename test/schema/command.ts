/** `npm run --silent schema`: prints docs/schema.md from an SQLite and a PostgreSQL database. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '#control-plane/storage/open.ts';
import { databaseOf, query } from '../support/postgres.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { readSchema } from './read-schema.ts';
import type { Schema } from './schema.ts';
import { schemaPage } from './schema-page.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-schema-'));
try {
  process.stdout.write(schemaPage(await schemaOf(undefined), await postgresSchema()));
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}

async function schemaOf(databaseUrl: string | undefined): Promise<Schema> {
  const onProblem = (line: string): void => console.error(line);
  await (await openStorage({ dataDir, databaseUrl, onProblem })).close();
  return readSchema({ dataDir, databaseUrl });
}

/**
 * Reads the schema of a temporary database. TEST_DATABASE_URL names a server to use instead of the
 * one from npm.
 */
async function postgresSchema(): Promise<Schema> {
  const given = process.env.TEST_DATABASE_URL;
  const server = given
    ? { url: given, stop: () => Promise.resolve() }
    : await startPostgres({ settings: ['fsync=off'] });
  const name = `schema_${randomBytes(6).toString('hex')}`;
  try {
    await query(server.url, `create database ${name}`);
    return await schemaOf(databaseOf(server.url, name));
  } finally {
    await query(server.url, `drop database if exists ${name} with (force)`);
    await server.stop();
  }
}
