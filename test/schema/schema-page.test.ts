import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStorage } from '#control-plane/storage/open.ts';
import { newDatabase } from '../support/databases.ts';
import { root } from '../support/processes.ts';
import { readSchema } from './read-schema.ts';
import type { Key, Schema, Table } from './schema.ts';
import { schemaPage } from './schema-page.ts';

/** Tables of the full-text index, which is a separate file on SQLite. */
const ON_POSTGRES_ONLY = ['search_blocks', 'search_queue', 'search_segments'];

/** Columns that a list adds up and that recording changes. */
const INDEXED_ON_SQLITE_ONLY: Readonly<Record<string, readonly string[]>> = {
  runs_by_start: ['llm_call_count', 'tokens', 'cost'],
};

describe('the schemas of SQLite and PostgreSQL', () => {
  const schemas = {} as Record<'sqlite' | 'postgres', Schema>;
  const close: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    for (const kind of ['sqlite', 'postgres'] as const) {
      const database = await newDatabase(kind);
      close.push(() => database.remove());
      const onProblem = (line: string) => expect.fail(line);
      await (await openStorage({ ...database, onProblem })).close();
      schemas[kind] = await readSchema(database);
    }
  });
  afterAll(async () => {
    for (const one of close) await one();
  });

  test('match docs/schema.md: `npm run --silent schema > docs/schema.md`', () => {
    expect(readFileSync(join(root, 'docs/schema.md'), 'utf8')).toBe(
      schemaPage(schemas.sqlite, schemas.postgres),
    );
  });

  test('have the same tables, columns, keys and indexes', () => {
    const comparable = ({ tables }: Schema) =>
      tables.filter(({ name }) => !ON_POSTGRES_ONLY.includes(name)).map(comparableTable);
    const tables = schemas.sqlite.tables.map(withIndexesOfPostgres);
    expect(comparable({ ...schemas.sqlite, tables })).toEqual(comparable(schemas.postgres));
    const names = schemas.postgres.tables.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(ON_POSTGRES_ONLY));
  });

  test('have no views, triggers or functions, no foreign keys and no checks', () => {
    for (const { tables, others } of Object.values(schemas)) {
      expect(others).toEqual([]);
      expect(tables.flatMap(({ foreignKeys, checks }) => [...foreignKeys, ...checks])).toEqual([]);
    }
  });
});

const withIndexesOfPostgres = (table: Table): Table => ({
  ...table,
  indexes: table.indexes.map((index) => ({
    ...index,
    columns: index.columns.filter((name) => !INDEXED_ON_SQLITE_ONLY[index.name]?.includes(name)),
  })),
});

/** Removes permitted differences, which the top of docs/schema.md describes. */
function comparableTable({ columns, primaryKey, ...table }: Table) {
  const hasAutoId = columns.some(({ autoIncrement }) => autoIncrement);
  const columnsOf = (key: Key | undefined) => key?.columns;
  return {
    ...table,
    options: [],
    columns: columns.map((column) => ({
      ...column,
      type: column.autoIncrement ? 'autoincrement' : column.type,
      // SQLite allows null in a text column that is the whole primary key.
      nullable: column.nullable && !primaryKey?.columns.includes(column.name),
    })),
    primaryKey: columnsOf(primaryKey)?.filter((name) => !hasAutoId || name !== 'tenant_id'),
    uniqueConstraints: table.uniqueConstraints.map(columnsOf),
  };
}
