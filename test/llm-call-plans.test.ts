import { join } from 'node:path';
import { CompiledQuery, Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CallList, listCalls } from '#control-plane/llm-calls/queries.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import { sqliteReader } from '#control-plane/storage/reader.ts';
import type { Tables } from '#control-plane/storage/tables.ts';
import { newDatabase, type TestDatabase } from './support/databases.ts';

let database: TestDatabase;
let storage: Storage;
let reader: Kysely<Tables>;
let asked: CompiledQuery[] = [];

beforeAll(async () => {
  database = await newDatabase('sqlite');
  storage = await openStorage({ ...database, onProblem: () => undefined });
  const [databaseFile, searchFile] = ['gatehouse.db', 'gatehouse-search.db'].map((name) =>
    join(database.dataDir, name),
  ) as [string, string];
  reader = new Kysely<Tables>({
    dialect: sqliteReader({ databaseFile, searchFile }),
    log: ({ query }) => void asked.push(query),
  });
});
afterAll(async () => {
  await reader.destroy();
  await storage.close();
  await database.remove();
});

/** How SQLite answers what a list asks: a line for each table that is read. */
async function plansOf(list: Partial<CallList>): Promise<string[]> {
  asked = [];
  // So that there is a page to read.
  const page = { sort: { by: 'created_at', direction: 'desc' }, limit: 25, offset: -1 } as const;
  await listCalls({ ...storage, reader }, 'tnt_1', { ...page, ...list });
  const plans: string[] = [];
  for (const { sql, parameters } of asked.filter((query) => query.sql.startsWith('select'))) {
    const explained = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]);
    const { rows } = await reader.executeQuery<{ detail: string }>(explained);
    plans.push(...rows.map(({ detail }) => detail).filter((line) => /llm_calls|model_/.test(line)));
  }
  return plans;
}

const whole = { min_cost: 0.5, max_tokens: 10, agent: 'a', model: ['m'], start: 1, end: 2 };

test.each([
  ...(['created_at', 'cost', 'total_tokens', 'model'] as const).map((by) => ({
    ...whole,
    sort: { by, direction: 'asc' } as const,
  })),
  { min_cost: 0.5 },
])('%j reads the index alone', async (list) => {
  const plans = await plansOf(list);
  expect(plans).toHaveLength(2);
  for (const plan of plans)
    expect(plan).toMatch(/^SEARCH llm_calls USING COVERING INDEX llm_calls_by_time/);
});

test.each([{}, { agent: 'a' }, { model: ['m', 'n'] }])(
  '%j reads totals, and a page',
  async (list) => {
    const [totals, page] = await plansOf(list);
    expect(totals).toMatch(/^SEARCH model_totals USING/);
    expect(page).toMatch(/^SEARCH llm_calls USING COVERING INDEX llm_calls_by_time/);
  },
);

test('a time reads whole hours from their totals', async () => {
  const [hours, left, right] = await plansOf({ start: 1, end: 9_000_000 });
  expect(hours).toMatch(/^SEARCH model_hours USING .*hour>\? AND hour<\?/);
  for (const edge of [left, right])
    expect(edge).toMatch(
      /^SEARCH llm_calls USING COVERING INDEX .*created_at>\? AND created_at<\?/,
    );
});

test('a few matches are looked up, one by one', async () => {
  const plans = await plansOf({ phrases: [{ words: ['x'], prefix: false }] });
  expect(plans).toHaveLength(2);
  for (const plan of plans) expect(plan).toMatch(/^SEARCH llm_calls USING INTEGER PRIMARY KEY/);
});
