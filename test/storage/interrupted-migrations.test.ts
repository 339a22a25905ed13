import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { Kysely, type KyselyPlugin } from 'kysely';
import { Migrator } from 'kysely/migration';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { developmentMigrations } from '#control-plane/storage/development-history.ts';
import { type MigrationsOf, migrationsOf } from '#control-plane/storage/migrate.ts';
import { openStorage } from '#control-plane/storage/open.ts';
import { openSqlite } from '#control-plane/storage/sqlite.ts';
import type { Tables } from '#control-plane/storage/tables.ts';
import { databases, newDatabase } from '../support/databases.ts';
import { LATER_TABLE, laterMigrations } from '../support/migrations.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-migrations-'));
  file = join(folder, 'gatehouse.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (migrations?: MigrationsOf) =>
  openStorage({
    dataDir: folder,
    migrations,
    synchronous: 'normal',
    onProblem: (line) => expect.fail(line),
  });

/** Accesses the database directly, without the storage layer. */
function raw<T>(work: (database: BetterSqlite3.Database) => T): T {
  const database = new BetterSqlite3(file);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

const schema = (): unknown[] =>
  raw((database) =>
    database
      .prepare(
        `select name, sql from sqlite_schema where name not glob 'sqlite_stat*' order by name`,
      )
      .all(),
  );

const listed = (): unknown[] =>
  raw((database) => database.prepare('select name from kysely_migration').pluck().all());

/** Adds migrations to the table of applied ones, which must exist. */
const list = (names: readonly string[]): void =>
  raw((database) => {
    for (const name of names)
      database
        .prepare(`insert into kysely_migration (name, timestamp) values (?, '2026-01-01')`)
        .run(name);
  });

/** Migrates like earlier versions, without a transaction, and stops after some statements. */
async function migrateAsBefore(statements: number): Promise<boolean> {
  const dialect = openSqlite(file, 'normal', () => undefined);
  let left = statements;
  const cutShort: KyselyPlugin = {
    transformQuery({ node }) {
      if (left-- === 0) throw new Error('killed');
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  const db = new Kysely<Tables>({ dialect: dialect.kysely });
  const { error } = await new Migrator({
    db: db.withPlugin(cutShort),
    provider: { getMigrations: () => Promise.resolve(migrationsOf(dialect)) },
    disableTransactions: true,
  }).migrateToLatest();
  await dialect.search.close();
  await dialect.close();
  await db.destroy();
  return error !== undefined;
}

const addTenant = (): void =>
  raw((database) => {
    database.exec(
      `insert into tenants (id, name, config_version, created_at) values ('t', 'T', 0, 1)`,
    );
  });

/** Creates a database of this version with a tenant. */
async function makeWithTenant(): Promise<void> {
  await (await open()).close();
  addTenant();
}

describe('on SQLite', () => {
  test('a failed migration leaves no trace of itself or of those before it', async () => {
    await makeWithTenant();
    raw((database) => database.exec(`create table ${LATER_TABLE} (in_the_way)`));
    const before = { schema: schema(), listed: listed() };
    await expect(open(laterMigrations)).rejects.toThrow(LATER_TABLE);
    expect({ schema: schema(), listed: listed() }).toEqual(before);
    raw((database) => database.exec(`drop table ${LATER_TABLE}`));
    await (await open(laterMigrations)).close();
    expect(listed()).toContain('901-later-table');
    expect(raw((database) => database.prepare('select id from tenants').pluck().all())).toEqual([
      't',
    ]);
  });

  test('a first start that was killed in an earlier version continues, at any point', async () => {
    await (await open()).close();
    const whole = { schema: schema(), listed: listed() };
    let cuts = 0;
    for (let statements = 1; ; statements += 13) {
      rmSync(folder, { recursive: true });
      if (!(await migrateAsBefore(statements))) break;
      // That version had many migrations, some of which may have been applied.
      list(developmentMigrations.slice(0, cuts % 4));
      await (await open()).close();
      expect({ schema: schema(), listed: listed() }).toEqual(whole);
      cuts += 1;
    }
    expect(cuts).toBeGreaterThan(5);
  }, 600_000);

  test('an upgrade with data that was killed in an earlier version is rejected in one line', async () => {
    await makeWithTenant();
    // The first statement of the third migration was executed.
    raw((database) => database.exec(`create table ${LATER_TABLE} (tenant_id text)`));
    const before = schema();
    const error = await open(laterMigrations).catch((caught: unknown) => caught as Error);
    expect(error).toMatchObject({
      message:
        'opening gatehouse.db failed: an earlier version was killed while it upgraded this database (901-later-table: table "later_calls" already exists): restore it from a backup, or move it away to begin without data',
    });
    expect(schema()).toEqual(before);
  });
});

test.each(databases)(
  'a database on %s that a newer version has upgraded is not opened',
  async (kind) => {
    const database = await newDatabase(kind);
    const onProblem = (line: string) => expect.fail(line);
    const storage = await openStorage({ ...database, onProblem });
    await storage.db
      .insertInto('kysely_migration' as never)
      .values({ name: '999-from-the-future', timestamp: '2099-01-01T00:00:00.000Z' })
      .execute();
    await storage.close();
    await expect(openStorage({ ...database, onProblem })).rejects.toThrow(
      'a newer version has upgraded the database (999-from-the-future): run that version',
    );
    await database.remove();
  },
);
