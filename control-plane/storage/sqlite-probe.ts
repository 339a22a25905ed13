import { rm, writeFile } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

const SCRATCH = Buffer.alloc(1024 * 1024);

/**
 * Checks that SQLite accepts writes. Its log may have room for one more page on a disk that has
 * none for a request, so a file of the size of large requests is written too, and removed before
 * the system flushes it to the disk.
 */
export async function probeSqlite(db: Kysely<Tables>, databaseFile: string): Promise<void> {
  const file = `${databaseFile}.probe`;
  try {
    await writeFile(file, SCRATCH, { mode: 0o600 });
  } finally {
    await rm(file, { force: true });
  }
  // The value is unused, but setting it writes the first page.
  await sql`pragma user_version = 0`.execute(db);
}
