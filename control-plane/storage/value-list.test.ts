import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, sql } from 'kysely';
import { expect, test } from 'vitest';
import { PostgresCompiler, SqliteCompiler, valueList } from './value-list.ts';

const compiledBy = (compiler: PostgresCompiler | SqliteCompiler) =>
  new Kysely<{ runs: { id: number; name: string } }>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => compiler,
    },
  });

const sqlite = compiledBy(new SqliteCompiler());
const postgres = compiledBy(new PostgresCompiler());

test('a list of values is one parameter, whatever its length', () => {
  for (const ids of [[1], [1, 2, 3]]) {
    const onSqlite = sqlite.selectFrom('runs').where('id', 'in', valueList(ids)).compile();
    expect(onSqlite.sql).toBe('select from "runs" where "id" in (select value from json_each(?))');
    expect(onSqlite.parameters).toEqual([JSON.stringify(ids)]);
    const onPostgres = postgres.selectFrom('runs').where('id', 'in', valueList(ids)).compile();
    expect(onPostgres.sql).toBe('select from "runs" where "id" in (select unnest($1::bigint[]))');
    expect(onPostgres.parameters).toEqual([ids]);
  }
});

test('it is one parameter in raw SQL too, and texts are texts', () => {
  const names = valueList(['a', 'b']);
  expect(sql`select 1 where name in ${names}`.compile(postgres)).toMatchObject({
    sql: 'select 1 where name in (select unnest($1::text[]))',
    parameters: [['a', 'b']],
  });
  expect(sql`select 1 where name in ${names}`.compile(sqlite)).toMatchObject({
    sql: 'select 1 where name in (select value from json_each(?))',
    parameters: ['["a","b"]'],
  });
});

test('an empty list contains no value', () => {
  const query = postgres.selectFrom('runs').where('id', 'in', valueList<number>([])).compile();
  expect(query).toMatchObject({ sql: 'select from "runs" where "id" in (null)', parameters: [] });
});

test('other lists keep a parameter for each value', () => {
  const query = sqlite.selectFrom('runs').where('id', 'in', [1, 2]).compile();
  expect(query).toMatchObject({ sql: 'select from "runs" where "id" in (?, ?)' });
});
