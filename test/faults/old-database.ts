import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { Kysely } from 'kysely';
import { migratorOf } from '#control-plane/storage/migrate.ts';
import { openSqlite } from '#control-plane/storage/sqlite.ts';
import type { Tables } from '#control-plane/storage/tables.ts';

const FILE = 'gatehouse.db';

/** Rows of each table that grows with use; its own rows are repeated until there are as many. */
const ROWS = 4000;
const GROWING = ['runs', 'llm_calls', 'steps', 'spans', 'evaluations'];

type Row = Record<string, unknown>;

/**
 * Makes a data folder as an older version left it: the schema up to a migration, with what `current`
 * holds, as far as that schema has a place for it, and more of the same.
 */
export async function makeOldFolder(
  current: string,
  folder: string,
  migration: string,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  cpSync(join(current, 'secret.key'), join(folder, 'secret.key'));
  await migrateTo(folder, migration);
  const database = new BetterSqlite3(join(folder, FILE));
  const source = new BetterSqlite3(join(current, FILE), { readonly: true });
  for (const table of tablesOf(database)) fill(database, table, rowsFor(source, table));
  source.close();
  database.pragma('journal_mode = DELETE');
  database.close();
  rmSync(join(folder, 'gatehouse-search.db'), { force: true });
}

async function migrateTo(folder: string, migration: string): Promise<void> {
  const dialect = openSqlite(join(folder, FILE), 'normal', () => undefined);
  const db = new Kysely<Tables>({ dialect: dialect.kysely });
  const { error } = await migratorOf(db, dialect).migrateTo(migration);
  await dialect.search.close();
  await dialect.close();
  await db.destroy();
  if (error) throw error as Error;
}

export const tablesOf = (database: BetterSqlite3.Database): string[] =>
  database
    .prepare(
      `select name from sqlite_schema
       where type = 'table' and name not glob 'sqlite_*' and name not glob 'kysely_*' order by name`,
    )
    .pluck()
    .all() as string[];

/** What the newer database has for a table; bodies of calls once had a table of their own. */
function rowsFor(source: BetterSqlite3.Database, table: string): Row[] {
  if (table === 'llm_call_bodies')
    return source
      .prepare(
        'select tenant_id, id as llm_call_id, prompt_preview, response_preview from llm_calls',
      )
      .all() as Row[];
  if (!tablesOf(source).includes(table)) return [];
  return source.prepare(`select * from "${table}"`).all() as Row[];
}

interface Column {
  name: string;
  type: string;
  notnull: number;
  dflt_value: string | null;
}

function fill(database: BetterSqlite3.Database, table: string, rows: readonly Row[]): void {
  if (rows.length === 0) return;
  const columns = database.pragma(`table_info("${table}")`) as Column[];
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const places = columns.map(() => '?').join(', ');
  const insert = database.prepare(`insert into "${table}" (${names}) values (${places})`);
  const valueOf = (row: Row, { name, type, notnull, dflt_value: given }: Column): unknown => {
    const value = row[name];
    if (value !== undefined && (value !== null || !notnull)) return value;
    if (given !== null) return given.replaceAll("'", '');
    if (!notnull) return null;
    return type === 'text' ? '{}' : 0;
  };
  const count = GROWING.includes(table) ? ROWS : rows.length;
  database.transaction(() => {
    for (let i = 0; i < count; i += 1) {
      const row = { ...(rows[i % rows.length] as Row) };
      // Copies need ids of their own. Answers of policies that were asked before a run have no run.
      if (i >= rows.length) {
        row.id = typeof row.id === 'number' ? 1_000_000 + i : randomUUID();
        if (table === 'evaluations') row.run_id = null;
      }
      insert.run(columns.map((column) => valueOf(row, column)));
    }
  })();
}
