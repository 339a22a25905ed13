import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { MAX_MATCHES_WITH_DURATION } from '#contract/llm-calls.ts';
import type { Context } from '#control-plane/context.ts';
import { withLookedUp } from '#control-plane/llm-calls/looked-up-queries.ts';
import { exportLlmCalls } from '#control-plane/llm-calls/export-calls.ts';
import { listCalls } from '#control-plane/llm-calls/queries.ts';
import { summarizeCalls } from '#control-plane/llm-calls/summary-queries.ts';
import type { SegmentFields } from '#control-plane/storage/search/call-fields.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import type { SearchMatch } from '#control-plane/storage/search/search-index.ts';
import { phrasesOf } from '#control-plane/storage/search/word-rules.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';
import { storeCalls } from '../support/searched-calls.ts';

const sort = { by: 'duration_ms', direction: 'asc' } as const;

/** Creates a segment of the search index in which all these calls match. */
const segmentOf = (ids: readonly number[], at: number, agent = 'a'): SearchMatch => {
  const all = (value: number) => new Float64Array(ids.length).fill(value);
  const fields: SegmentFields = {
    id: Float64Array.from(ids),
    created_at: all(at),
    total_tokens: all(2),
    cost: all(0),
    model: { codes: all(0), names: ['m'] },
    agent_name: { codes: all(0), names: [agent] },
  };
  return {
    count: ids.length,
    first_at: at,
    last_at: at,
    load: (names) =>
      Promise.resolve(Object.fromEntries(names.map((name) => [name, fields[name]])) as never),
  };
};

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

  test('are looked up only to sort or filter by them', async () => {
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

  /**
   * Stores two calls, and returns a search that also matches very many calls later than the first.
   */
  async function manyMatches(tenantId: string) {
    const calls = await storeCalls(storage, tenantId, [{ duration_ms: 7 }, { duration_ms: 8 }]);
    const [old, latest] = calls.map(({ id }) => id) as [number, number];
    const others = Array.from({ length: MAX_MATCHES_WITH_DURATION }, (_, at) => latest + at);
    return { old, latest, matches: [segmentOf([old], 1, 'b'), segmentOf(others, 2)] };
  }

  test('are looked up for the latest of very many matches, and the result says so', async () => {
    const { latest, matches } = await manyMatches('tnt_many');
    const { filter, isCut } = await withLookedUp(storage.reader, 'tnt_many', matches, { sort });
    expect([isCut, filter.durations]).toEqual([true, new Map([[latest, 8]])]);
  });

  test.each([
    ['time', { start: 0, end: 2 }],
    ['agent', { agent: 'b' }],
  ])('are all looked up if only few of very many matches have the %s', async (by, filter) => {
    const tenantId = `tnt_${by}`;
    const { old, matches } = await manyMatches(tenantId);
    const find = vi.spyOn(storage.search, 'find').mockResolvedValue(matches);
    try {
      const found = { ...filter, phrases: phrasesOf('x'), min_duration_ms: 1 };
      const list = await listCalls(storage, tenantId, { ...found, sort, limit: 5, offset: 0 });
      expect([list.rows.map(({ id }) => id), list.isCut]).toEqual([[old], false]);
      expect(list.aggregates.total_calls).toBe(1);
      const { buckets, isCut } = await summarizeCalls(storage, tenantId, found);
      expect([buckets.map(({ calls }) => calls), isCut]).toEqual([[1], false]);
      expect(await exported(tenantId, filter)).toEqual([old]);
      await expect(exported(tenantId, {})).rejects.toThrow(
        'More than 50,000 calls match. Their durations cannot all be read: choose a shorter time or another filter.',
      );
    } finally {
      find.mockRestore();
    }
  });

  /** Returns the ids in an export of a search, sorted by duration. */
  async function exported(tenantId: string, filter: object): Promise<number[]> {
    const query = { ...filter, search: 'x', sort, format: 'jsonl' };
    const file = await exportLlmCalls(
      { storage } as Context,
      { caller: { tenantId }, query } as never,
    );
    const pieces = await Array.fromAsync(file.pieces);
    const lines = Buffer.concat(pieces).toString().trim().split('\n');
    return lines.map((line) => (JSON.parse(line) as { id: number }).id);
  }
});
