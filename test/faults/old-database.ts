import { randomUUID } from 'node:crypto';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { developmentMigrations } from '#control-plane/storage/development-history.ts';

const FILE = 'gatehouse.db';

/** Versions to upgrade from: this one, and the last before the first release. */
export const oldVersions = ['first schema', 'development migrations'] as const;

export type OldVersion = (typeof oldVersions)[number];

/** Rows of each table that grows with use; its own rows are repeated until there are as many. */
const ROWS = 4000;
const GROWING = ['runs', 'llm_calls', 'steps', 'spans', 'evaluations'];

type Row = Record<string, unknown>;

/** Makes a data folder as an older version left it: with what `current` holds, and more of the same. */
export function makeOldFolder(current: string, folder: string, version: OldVersion): void {
  cpSync(current, folder, { recursive: true });
  rmSync(join(folder, 'gatehouse-search.db'), { force: true });
  const database = new BetterSqlite3(join(folder, FILE));
  database.transaction(() => {
    for (const table of GROWING) repeatRows(database, table);
    if (version === 'development migrations') listAsDevelopment(database);
  })();
  // So that the log of the database appears when the next version opens it.
  database.pragma('journal_mode = DELETE');
  database.close();
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

/** Copies have ids of their own. */
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
