import type BetterSqlite3 from 'better-sqlite3';
import {
  byName,
  type Column,
  type Index,
  type Key,
  plainExpression,
  type Schema,
  type Table,
} from './schema.ts';

/** Reads the schema of an SQLite database, without the tables of Kysely and of SQLite itself. */
export function readSqliteSchema(database: BetterSqlite3.Database): Schema {
  const rows = database
    .prepare(
      `select type, name, sql from sqlite_schema
       where name not glob 'sqlite_*' and name not glob 'kysely_*' order by name`,
    )
    .all() as { type: string; name: string; sql: string }[];
  return {
    tables: rows
      .filter(({ type }) => type === 'table')
      .map(({ name, sql }) => readTable(database, name, sql)),
    others: rows.filter(({ type }) => type !== 'table' && type !== 'index').map(({ sql }) => sql),
  };
}

interface ColumnRow {
  name: string;
  type: string;
  notnull: 0 | 1;
  dflt_value: string | null;
  /** The position in the primary key, from 1; 0 if the column is not part of it. */
  pk: number;
  /** Not 0 for generated columns. */
  hidden: number;
}

interface IndexRow {
  name: string;
  unique: 0 | 1;
  /** `c`: from `create index`; `u`: from a unique constraint; `pk`: from a primary key. */
  origin: 'c' | 'u' | 'pk';
}

function readTable(database: BetterSqlite3.Database, name: string, definition: string): Table {
  const pragma = <T>(about: string, of = name): T[] => database.pragma(`${about}("${of}")`) as T[];
  const rows = pragma<ColumnRow>('table_xinfo');
  refuseWhatIsNotRead(name, definition, rows);
  const [options] = (
    database.pragma('table_list') as { name: string; wr: 0 | 1; strict: 0 | 1 }[]
  ).filter((table) => table.name === name);
  const indexes = pragma<IndexRow>('index_list');
  const columnsOf = (index: string) =>
    pragma<{ name: string | null; desc: 0 | 1; key: 0 | 1; coll: string }>('index_xinfo', index)
      .filter(({ key }) => key)
      .map(({ name: column, desc, coll }) => {
        if (column === null) throw new Error(`${index}: expressions are not read yet`);
        const collation = coll === 'BINARY' ? '' : ` collate ${coll}`;
        return `${column}${collation}${desc ? ' desc' : ''}`;
      });
  const primaryKey = rows.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  const named = (kind: 'primary key' | 'unique', columns: string[]): Key => ({
    name: constraintName(definition, kind, columns),
    columns,
  });
  return {
    name,
    columns: rows.map((row) => columnOf(row, definition)),
    primaryKey:
      primaryKey.length === 0
        ? undefined
        : named(
            'primary key',
            primaryKey.map((column) => column.name),
          ),
    uniqueConstraints: indexes
      .filter(({ origin }) => origin === 'u')
      .map((index) => named('unique', columnsOf(index.name)))
      .sort(byName),
    foreignKeys: [],
    checks: [],
    indexes: indexes
      .filter(({ origin }) => origin === 'c')
      .map((index): Index => ({
        name: index.name,
        unique: index.unique === 1,
        columns: columnsOf(index.name),
        where: predicateOf(database, index.name),
      }))
      .sort(byName),
    options: [...(options?.wr ? ['without rowid'] : []), ...(options?.strict ? ['strict'] : [])],
  };
}

/** Rejects features that SQLite reports only in the text of a table. None is used so far. */
function refuseWhatIsNotRead(
  table: string,
  definition: string,
  columns: readonly ColumnRow[],
): void {
  const found = /\b(?:check\s*\(|references\b|collate\b|on conflict\b)/i.exec(definition)?.[0];
  const generated = columns.find(({ hidden }) => hidden !== 0)?.name;
  if (found ?? generated)
    throw new Error(`${table}: ${found ?? `generated column ${generated}`} is not read yet`);
}

/** Reads a column. SQLite reports known types in capitals, regardless of the text. */
function columnOf({ name, type, notnull, dflt_value, pk }: ColumnRow, definition: string): Column {
  const autoIncrement = pk === 1 && /\bautoincrement\b/i.test(definition);
  return {
    name,
    type: type.toLowerCase(),
    nullable: notnull === 0 && !autoIncrement,
    default: dflt_value ?? undefined,
    autoIncrement,
    options: [],
  };
}

/** Finds the name of a key, which SQLite reports only in the text of the table. */
function constraintName(
  definition: string,
  kind: 'primary key' | 'unique',
  columns: readonly string[],
): string | undefined {
  const list = columns.map((column) => `"${column}"`).join(', ');
  for (const [, name, of, keyed] of definition.matchAll(
    /constraint "(\w+)" (primary key|unique) \(([^)]*)\)/g,
  ))
    if (of === kind && keyed === list) return name;
  return undefined;
}

function predicateOf(database: BetterSqlite3.Database, index: string): string | undefined {
  const text = database
    .prepare('select sql from sqlite_schema where name = ?')
    .pluck()
    .get(index) as string;
  const [, predicate] = / where (.*)$/s.exec(text) ?? [];
  return predicate === undefined ? undefined : plainExpression(predicate);
}
