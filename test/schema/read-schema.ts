import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { Client } from 'pg';
import { DATABASE_FILE } from '#control-plane/storage/open.ts';
import { readPostgresSchema } from './postgres-schema.ts';
import { readSqliteSchema } from './sqlite-schema.ts';
import type { Schema } from './schema.ts';

/** Reads the schema of a new database. */
export async function readSchema(at: {
  databaseUrl: string | undefined;
  dataDir: string;
}): Promise<Schema> {
  if (at.databaseUrl === undefined) {
    const database = new BetterSqlite3(join(at.dataDir, DATABASE_FILE), { readonly: true });
    try {
      return readSqliteSchema(database);
    } finally {
      database.close();
    }
  }
  const client = new Client({ connectionString: at.databaseUrl });
  await client.connect();
  try {
    return await readPostgresSchema(
      async (statement) => (await client.query<Record<string, unknown>>(statement)).rows,
    );
  } finally {
    await client.end();
  }
}
