import { randomUUID } from 'node:crypto';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { developmentMigrations } from '#control-plane/storage/development-history.ts';
import { openStorage } from '#control-plane/storage/open.ts';
import { firstMigration } from '../support/migrations.ts';

const FILE = 'gatehouse.db';

/** The versions to upgrade from: the first release, and the last version before it. */
export const oldVersions = ['first schema', 'development migrations'] as const;

export type OldVersion = (typeof oldVersions)[number];

/** The number of rows in each table that grows with use; existing rows are repeated. */
const ROWS = 4000;
const GROWING = ['runs', 'llm_calls', 'steps', 'spans', 'evaluations'];

type Row = Record<string, unknown>;

/**
 * Creates a data folder in the format of an older version, with multiplied content of `current`.
 */
export async function makeOldDataFolder(
  current: string,
  folder: string,
  version: OldVersion,
): Promise<void> {
  cpSync(current, folder, { recursive: true });
  for (const file of ['gatehouse-search.db', FILE, `${FILE}-wal`, `${FILE}-shm`])
    rmSync(join(folder, file), { force: true });
  const onProblem = (line: string): void => {
    throw new Error(line);
  };
  const options = { dataDir: folder, synchronous: 'normal', migrations: firstMigration } as const;
  await (await openStorage({ ...options, onProblem })).close();
  const database = new BetterSqlite3(join(folder, FILE));
  database.prepare('attach ? as newer').run(join(current, FILE));
  database.transaction(() => {
    for (const table of tablesOf(database)) copyRows(database, table);
    for (const table of GROWING) repeatRows(database, table);
    if (version === 'development migrations') listAsDevelopment(database);
  })();
  // The write-ahead log then appears when the next version opens the database.
  database.pragma('journal_mode = DELETE');
  database.close();
}

/** Names that a later migration has changed, by the old table and `table.column`. */
const renamed: Readonly<Record<string, string>> = {
  asked_policies: 'policy_sets',
  'policy_checks.asked': 'policy_set_key',
  'policy_checks.answers': 'outcomes',
  'policy_checks.answer_count': 'outcome_count',
  'devices.waiting_key': 'pending_key',
  'devices.waiting_since': 'pending_since',
  'devices.waiting_as': 'pending_request',
};

/** Copies the columns that the older version had. */
function copyRows(database: BetterSqlite3.Database, table: string): void {
  const columns = (database.pragma(`table_info("${table}")`) as { name: string }[]).map(
    ({ name }) => name,
  );
  const newer = columns.map((name) => renamed[`${table}.${name}`] ?? name);
  const list = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');
  database.exec(
    `insert or replace into main."${table}" (${list(columns)})
     select ${list(newer)} from newer."${renamed[table] ?? table}"`,
  );
}

function listAsDevelopment(database: BetterSqlite3.Database): void {
  database.exec('delete from kysely_migration');
  const insert = database.prepare(
    `insert into kysely_migration (name, timestamp) values (?, '2026-01-01T00:00:00.000Z')`,
  );
  for (const name of developmentMigrations) insert.run(name);
}

export const tablesOf = (database: BetterSqlite3.Database): string[] =>
  database
    .prepare(
      `select name from sqlite_schema
       where type = 'table' and name not glob 'sqlite_*' and name not glob 'kysely_*' order by name`,
    )
    .pluck()
    .all() as string[];

/** Repeats rows with new ids. */
function repeatRows(database: BetterSqlite3.Database, table: string): void {
  const rows = database.prepare(`select * from "${table}"`).all() as Row[];
  if (rows.length === 0) return;
  const columns = Object.keys(rows[0] as Row);
  const names = columns.map((name) => `"${name}"`).join(', ');
  const places = columns.map(() => '?').join(', ');
  const insert = database.prepare(`insert into "${table}" (${names}) values (${places})`);
  for (let i = rows.length; i < ROWS; i += 1) {
    const row = rows[i % rows.length] as Row;
    const id = typeof row.id === 'number' ? 1_000_000 + i : randomUUID();
    insert.run(columns.map((name) => (name === 'id' ? id : row[name])));
  }
}
