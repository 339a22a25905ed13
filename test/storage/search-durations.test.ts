import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_MATCHES_WITH_DURATION } from '#contract/llm-calls.ts';
import { withLookedUp } from '#control-plane/llm-calls/looked-up-queries.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import type { SearchMatch } from '#control-plane/storage/search/search-index.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';
import { storeCalls } from '../support/searched-calls.ts';

const sort = { by: 'duration_ms', direction: 'asc' } as const;

/** A segment of the search index in which all of these calls match. */
const segmentOf = (ids: readonly number[], last_at: number): SearchMatch => ({
  count: ids.length,
  first_at: last_at,
  last_at,
  load: () => Promise.resolve({ id: Float64Array.from(ids) } as never),
});

describe.each(databases)('durations of search matches on %s', (kind) => {
  let database: TestDatabase;
  let storage: Storage;
  beforeAll(async () => {
    database = await newDatabase(kind);
    storage = await openStorage({ ...database, onProblem: (line) => expect.fail(line) });
  });
  afterAll(async () => {
    await storage.close();
    await database.remove();
  });

  test('are looked up only for an order or a filter by them', async () => {
    const calls = await storeCalls(storage, 'tnt_few', [{ duration_ms: 5 }, { duration_ms: null }]);
    const ids = calls.map(({ id }) => id);
    const lookUp = (query: object) =>
      withLookedUp(storage.reader, 'tnt_few', [segmentOf(ids, 1)], query);
    const durations = new Map(ids.map((id, at) => [id, at === 0 ? 5 : -1]));
    expect(await lookUp({ sort })).toEqual({ filter: { sort, durations }, isCut: false });
    const filter = { max_duration_ms: 9 };
    expect(await lookUp(filter)).toEqual({ filter: { ...filter, durations }, isCut: false });
    expect(await lookUp({ min_cost: 1 })).toEqual({ filter: { min_cost: 1 }, isCut: false });
  });

  test('are looked up for the latest of very many matches, and the answer says so', async () => {
    const calls = await storeCalls(storage, 'tnt_many', [{ duration_ms: 7 }, { duration_ms: 8 }]);
    const [old, latest] = calls.map(({ id }) => id) as [number, number];
    const others = Array.from({ length: MAX_MATCHES_WITH_DURATION }, (_, at) => latest + at);
    const matches = [segmentOf([old], 1), segmentOf(others, 2)];
    const { filter, isCut } = await withLookedUp(storage.reader, 'tnt_many', matches, { sort });
    expect([isCut, filter.durations]).toEqual([true, new Map([[latest, 8]])]);
  });
});
