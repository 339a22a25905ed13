import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { firstSchema } from './migrations/001-first-schema.ts';
import { usage } from './migrations/002-usage.ts';
import type { Dialect } from './dialect.ts';
import type { Tables } from './tables.ts';

/** Applies what is missing, in order, under a lock that other processes wait for. */
export async function migrate(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  const migrations = {
    '001-first-schema': firstSchema(dialect),
    '002-usage': usage,
  };
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error as Error;
}
