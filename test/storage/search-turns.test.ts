import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openStorage } from '#control-plane/storage/open.ts';
import { openSource } from '#control-plane/storage/search/postgres-indexer.ts';
import { newDatabase, type TestDatabase } from '../support/databases.ts';
import { query } from '../support/postgres.ts';

let database: TestDatabase;
let url: string;
let source: ReturnType<typeof openSource>;
beforeAll(async () => {
  database = await newDatabase('postgres');
  url = database.databaseUrl ?? '';
  const storage = await openStorage({ ...database, onProblem: () => undefined });
  await storage.close();
});
beforeEach(async () => {
  await source?.close();
  await query(url, 'delete from search_queue');
  source = openSource(url);
});
afterAll(async () => {
  await source.close();
  await database.remove();
});

/** Adds parts to the queue, each as large as one indexing step. */
const enqueue = (tenantId: string, parts: number, callIds = '[0]') =>
  query(
    url,
    `insert into search_queue (tenant_id, call_ids, call_count, queued_at)
     select '${tenantId}', '${callIds}', 4000, 0 from generate_series(1, ${parts})`,
  );
const tenantsIn = async (table: string): Promise<unknown[]> => {
  const rows = await query(url, `select distinct tenant_id from ${table} order by 1`);
  return (rows as { tenant_id: string }[]).map((row) => row.tenant_id);
};

test('tenants take turns, however much one of them records', async () => {
  await enqueue('a', 5);
  for (const tenantId of ['b', 'c']) await enqueue(tenantId, 1);
  const steps = [];
  for (let i = 0; i < 3; i += 1) steps.push(await source.indexSome());
  expect([steps, await tenantsIn('search_queue')]).toEqual([[true, true, true], ['a']]);
});

test('a tenant whose calls cannot be indexed does not delay the others', async () => {
  await enqueue('a', 1, 'damaged');
  await enqueue('b', 1);
  await expect(source.indexSome()).rejects.toThrow(SyntaxError);
  expect(await source.indexSome()).toBe(true);
  expect(await tenantsIn('search_queue')).toEqual(['a']);
});

test('changes are processed while new calls keep arriving', async () => {
  await enqueue('a', 40);
  await query(url, `insert into search_changes (tenant_id, first_id, last_id) values ('b', 1, 2)`);
  for (let i = 0; i < 20; i += 1) await source.indexSome();
  expect(await tenantsIn('search_changes')).toEqual([]);
  expect(await tenantsIn('search_queue')).toEqual(['a']);
});
