/**
 * A database created by the migrations before the first release can be upgraded if all of them were
 * applied.
 */
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { developmentMigrations } from '#control-plane/storage/development-history.ts';
import { openStorage, type Storage, type StorageOptions } from '#control-plane/storage/open.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';
import { firstMigration, laterMigrations } from '../support/migrations.ts';

const TENANT = { id: 'tnt_1', name: 'T', config_version: 0, created_at: 1 };

describe.each(databases)('a database of the development versions on %s', (kind) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await newDatabase(kind, { isEmpty: true });
  });
  afterEach(() => database.remove());

  const open = (options: Partial<StorageOptions> = {}): Promise<Storage> =>
    openStorage({ ...database, onProblem: (line) => expect.fail(line), ...options });

  /** Creates a database as these migrations left it, with a tenant. */
  async function leftBy(names: readonly string[]): Promise<void> {
    const storage = await open({ migrations: firstMigration });
    await storage.db.insertInto('tenants').values(TENANT).execute();
    await sql`delete from kysely_migration`.execute(storage.db);
    for (const [i, name] of names.entries())
      await sql`insert into kysely_migration (name, timestamp)
        values (${name}, ${new Date(i).toISOString()})`.execute(storage.db);
    await storage.close();
  }

  const listed = async ({ db }: Storage): Promise<string[]> =>
    (
      await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
    ).rows.map(({ name }) => name);

  test('is used with its data', async () => {
    await leftBy(developmentMigrations);
    const storage = await open({ migrations: firstMigration });
    expect(await listed(storage)).toEqual(['001-schema']);
    expect(await storage.db.selectFrom('tenants').selectAll().execute()).toMatchObject([TENANT]);
    expect(await storage.checks.migrations()).toMatchObject({ status: 'ok' });
    await storage.close();
  });

  test('is used by a version that has later migrations too', async () => {
    await leftBy(developmentMigrations);
    const storage = await open({ migrations: laterMigrations });
    const names = await listed(storage);
    expect(names).toEqual(expect.arrayContaining(['001-schema', '901-later-table']));
    expect(names).not.toContain('002-usage');
    await storage.close();
  });

  test('that is only partly migrated is rejected in one line, and stays unchanged', async () => {
    await leftBy(developmentMigrations.slice(0, 20));
    for (const _again of [1, 2])
      await expect(open()).rejects.toThrow(
        /failed: a development version made this database, up to 021-policy-checks: start the last development version once, which goes up to 037-inventory-of-fleet, or move the database away to begin without data$/,
      );
  });

  test('with unknown migrations is rejected in one line', async () => {
    await leftBy([...developmentMigrations, '038-of-a-branch']);
    await expect(open()).rejects.toThrow(
      /failed: a development version that this one does not know made this database \(038-of-a-branch\): run that version, or move the database away to begin without data$/,
    );
  });

  test.runIf(kind === 'postgres')('is used by all control planes that start at once', async () => {
    await leftBy(developmentMigrations);
    const storages = await Promise.all([1, 2, 3].map(() => open({ migrations: firstMigration })));
    for (const storage of storages) {
      expect(await listed(storage)).toEqual(['001-schema']);
      await storage.close();
    }
  });
});
