import { capabilities } from './capabilities.ts';
import type { Column, Index, Key, Schema, Table } from './schema.ts';

const HEAD = `# Database schema

\`npm run --silent schema > docs/schema.md\` writes this page from a new database of each kind, and a test
compares it. The migrations are in \`control-plane/storage/migrations/\`; decision
[24](decisions/024-one-first-schema.md) says why there is one first schema.

SQLite and PostgreSQL have the same tables, columns, keys and indexes, except where a line names one of
them. A column is \`not null\` unless it says \`null\`. Times are integer milliseconds, JSON is text, booleans
are 0 or 1; SQLite takes \`bytea\` as a blob. The tenant leads keys and indexes, except those that find out
whose a row is. There are no foreign keys, checks, views, triggers or functions. Kysely keeps the names of
applied migrations in \`kysely_migration\`, beside \`kysely_migration_lock\`.`;

/**
 * Returns the text of `docs/schema.md`.
 *
 * @throws Error if a table has no description, or a description has no table
 */
export function schemaPage(sqlite: Schema, postgres: Schema): string {
  const sqliteTables = new Map(sqlite.tables.map((table) => [table.name, table]));
  const left = new Map(postgres.tables.map((table) => [table.name, table]));
  const sections = capabilities.map(({ title, about, tables }) => {
    const entries = Object.entries(tables).map(([name, purpose]) => {
      const table = left.get(name);
      if (!table) throw new Error(`there is no table ${name}`);
      left.delete(name);
      return tableText(table, sqliteTables.get(name), purpose);
    });
    return [`## ${title}`, ...(about ? [about] : []), ...entries].join('\n\n');
  });
  if (left.size > 0)
    throw new Error(`capabilities.ts does not say what these hold: ${[...left.keys()].join()}`);
  return `${[HEAD, ...sections].join('\n\n')}\n`;
}

function tableText(table: Table, onSqlite: Table | undefined, purpose: string): string {
  const head = onSqlite ? purpose : `${purpose} On PostgreSQL only.`;
  return [`### ${table.name}`, head, ['```', ...linesOf(table, onSqlite), '```'].join('\n')].join(
    '\n\n',
  );
}

function linesOf(table: Table, onSqlite: Table | undefined): string[] {
  const width = Math.max(...table.columns.map(({ name }) => name.length));
  const lines = table.columns.map((column, i) => {
    const type = typeText(column, onSqlite?.columns[i]);
    return `${column.name.padEnd(width)}  ${type}`;
  });
  lines.push('', keyLine(table.primaryKey, onSqlite?.primaryKey));
  if (onSqlite?.options.includes('without rowid')) lines.push('without rowid on SQLite');
  for (const { columns } of table.uniqueConstraints) lines.push(`unique ${listOf(columns)}`);
  const sqliteIndexes = new Map(onSqlite?.indexes.map((index) => [index.name, index]));
  const indexes = table.indexes.map((index) => indexLine(index, sqliteIndexes.get(index.name)));
  lines.push(...table.foreignKeys, ...table.checks, ...indexes);
  return lines;
}

function typeText(column: Column, onSqlite: Column | undefined): string {
  const words = [column.type];
  if (column.autoIncrement) words.push('identity');
  if (column.nullable) words.push('null');
  if (column.default !== undefined) words.push(`default ${column.default}`);
  const text = [...words, ...column.options].join(' ');
  if (!onSqlite || onSqlite.type === column.type) return text;
  return `${text}; on SQLite ${onSqlite.type}${onSqlite.autoIncrement ? ' autoincrement' : ''}`;
}

function keyLine(key: Key | undefined, onSqlite: Key | undefined): string {
  if (!key) return 'no primary key';
  const line = `primary key ${listOf(key.columns)}`;
  const differs = onSqlite && listOf(onSqlite.columns) !== listOf(key.columns);
  return differs ? `${line}; on SQLite ${listOf(onSqlite.columns)}` : line;
}

function indexLine({ name, unique, columns, where }: Index, onSqlite: Index | undefined): string {
  const line = `${unique ? 'unique index' : 'index'} ${name} ${listOf(columns)}${where ? ` where ${where}` : ''}`;
  const differs = onSqlite && listOf(onSqlite.columns) !== listOf(columns);
  return differs ? `${line}; on SQLite ${listOf(onSqlite.columns)}` : line;
}

const listOf = (columns: readonly string[]): string => `(${columns.join(', ')})`;
