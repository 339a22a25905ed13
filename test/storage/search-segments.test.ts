import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CallList, listCalls } from '#control-plane/llm-calls/queries.ts';
import { phrasesOf, wordsOf } from '#control-plane/storage/search/word-rules.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import { searchLock } from '#control-plane/storage/locks.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';
import { startProgram } from '../support/processes.ts';
import { storeCalls, type StoredCall, misindexedCalls } from '../support/searched-calls.ts';

const onProblem = (line: string) => expect.fail(line);

const someCall = fc.record({
  model: fc.constantFrom('gpt-4o', 'claude', 'own'),
  agent_name: fc.constantFrom('a', 'b'),
  total_tokens: fc.constantFrom(0, 1, 300, 70_000),
  cost: fc.constantFrom(0, 0.25, 1.5, 1e-9),
  duration_ms: fc.constantFrom(null, 5, 250),
  created_at: fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_009 }),
  prompt_preview: fc
    .array(fc.constantFrom('red', 'green', 'greenish', 'blue'), { maxLength: 5 })
    .map((words) => words.join(' ')),
});
const change = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ store: fc.array(someCall, { minLength: 1, maxLength: 6 }) }),
  },
  { weight: 1, arbitrary: fc.record({ remove: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ reprice: fc.nat() }) },
);
const list = fc.record(
  {
    text: fc.constantFrom('red', 'green', 'gre*', 'red blue', '"red blue"', '"red gre*"', 'gpt-4o'),
    model: fc.constantFrom(['gpt-4o'], ['own', 'claude']),
    agent: fc.constantFrom('a', 'unknown-agent'),
    min_cost: fc.constantFrom(0.25, 1),
    max_tokens: fc.constantFrom(1, 300),
    min_duration_ms: fc.constantFrom(5, 6),
    start: fc.constant(1_700_000_000_003),
    end: fc.constant(1_700_000_000_007),
    by: fc.constantFrom('created_at', 'cost', 'total_tokens', 'duration_ms', 'model'),
    direction: fc.constantFrom('asc', 'desc'),
    limit: fc.integer({ min: 1, max: 4 }),
    offset: fc.constantFrom(0, 1, 3),
  },
  { requiredKeys: ['text', 'by', 'direction', 'limit', 'offset'] },
);

/** Whether a call has at least this duration. An unknown duration does not match any minimum. */
const isAsLong = ({ duration_ms }: StoredCall, least = -1): boolean => (duration_ms ?? -1) >= least;

/** Computes the expected result of a search by checking every call. */
function expected(calls: readonly StoredCall[], { phrases = [], ...query }: CallList) {
  const holds = (call: StoredCall): boolean =>
    phrases.every(({ words, prefix }) =>
      [call.model, call.prompt_preview].some((text) =>
        ` ${wordsOf(text).join(' ')} `.includes(` ${words.join(' ')}${prefix ? '' : ' '}`),
      ),
    );
  const found = calls.filter(
    (call) =>
      holds(call) &&
      (!query.model || query.model.includes(call.model)) &&
      (!query.agent || call.agent_name === query.agent) &&
      call.cost >= (query.min_cost ?? 0) &&
      call.total_tokens <= (query.max_tokens ?? Infinity) &&
      isAsLong(call, query.min_duration_ms) &&
      call.created_at >= (query.start ?? 0) &&
      call.created_at < (query.end ?? Infinity),
  );
  const { by, direction } = query.sort;
  const valueOf = (call: StoredCall) => call[by] ?? -1;
  const sign = direction === 'asc' ? 1 : -1;
  found.sort((one, other) => {
    const [a, b] = [valueOf(one), valueOf(other)];
    return sign * (a === b ? one.id - other.id : a < b ? -1 : 1);
  });
  return {
    ids: found.slice(query.offset, query.offset + query.limit).map(({ id }) => id),
    calls: found.length,
    tokens: found.reduce((total, call) => total + call.total_tokens, 0),
    cost: found.reduce((total, call) => total + call.cost, 0),
    models: [...new Set(found.map(({ model }) => model))].sort(),
  };
}

describe.each(databases)('the search index on %s', (kind) => {
  let database: TestDatabase;
  let storage: Storage;
  const open = () => openStorage({ ...database, onProblem });
  beforeAll(async () => {
    database = await newDatabase(kind);
    storage = await open();
  });
  afterAll(async () => {
    await storage.close();
    await database.remove();
  });

  const countOf = async (tenant: string, query: string, from = storage): Promise<number> => {
    const sort = { by: 'created_at', direction: 'desc' } as const;
    const list = { phrases: phrasesOf(query), sort, limit: 1, offset: 0 };
    return (await listCalls(from, tenant, list)).aggregates.total_calls;
  };

  test('gives the same results as checking every call, after any records, deletions and new prices', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 15 }),
        fc.array(list, { minLength: 6, maxLength: 6 }),
        async (changes, lists) => {
          const tenant = `tnt_${Math.random()}`;
          let calls: StoredCall[] = [];
          for (const one of changes) {
            if ('store' in one) {
              calls.push(...(await storeCalls(storage, tenant, one.store)));
              while (!(await storage.search.catchUp(tenant)));
              continue;
            }
            const chosen = calls[('remove' in one ? one.remove : one.reprice) % calls.length];
            if (!chosen) continue;
            await storage.transaction(async (tx) => {
              if ('remove' in one)
                await tx.db.deleteFrom('llm_calls').where('id', '=', chosen.id).execute();
              else
                await tx.db
                  .updateTable('llm_calls')
                  .set({ cost: 0.5 })
                  .where('id', '=', chosen.id)
                  .execute();
              await storage.search.changed(tx, tenant, [chosen.id]);
            });
            if ('remove' in one) calls = calls.filter((call) => call !== chosen);
            else chosen.cost = 0.5;
          }
          for (const { text, by, direction, ...rest } of lists) {
            const query = { phrases: phrasesOf(text), sort: { by, direction }, ...rest };
            const { rows, aggregates } = await listCalls(storage, tenant, query);
            const should = expected(calls, query);
            expect({ ids: rows.map(({ id }) => id), ...aggregates }).toEqual({
              ids: should.ids,
              total_calls: should.calls,
              total_tokens: should.tokens,
              total_cost: expect.closeTo(should.cost, 9) as number,
              models_used: should.models,
            });
          }
        },
      ),
      { numRuns: 40 },
    ));

  test('segments are merged, and contain every call once', async () => {
    for (let i = 0; i < 70; i += 1) {
      await storeCalls(storage, 'tnt_few', [{ prompt_preview: `many only${i}` }]);
      while (!(await storage.search.catchUp('tnt_few')));
    }
    await expect
      .poll(() => segmentsOf('tnt_few'))
      .toSatisfy((segments: { calls: number }[]) => segments.length < 16);
    const segments = await segmentsOf('tnt_few');
    expect(segments.reduce((sum, { calls }) => sum + calls, 0)).toBe(70);
    expect(await countOf('tnt_few', 'many')).toBe(70);
    expect(await countOf('tnt_few', 'only3')).toBe(1);
  });

  const segmentsOf = async (tenant: string): Promise<{ id: number; calls: number }[]> => {
    const { rows } = await sql<{ id: number; calls: number }>`
      select id, calls from search_segments where tenant_id = ${tenant}`.execute(storage.reader);
    return rows;
  };

  test('deleted calls leave no words behind, even if they were deleted during indexing', async () => {
    const words = Array.from({ length: 30 }, (_, i) => `secret${i}`);
    for (const prompt_preview of words) {
      const [stored] = await storeCalls(storage, 'tnt_gone', [{ prompt_preview }]);
      const id = stored?.id ?? 0;
      const indexing = storage.search.catchUp('tnt_gone');
      await storage.transaction(async (tx) => {
        await tx.db.deleteFrom('llm_calls').where('id', '=', id).execute();
        await storage.search.changed(tx, 'tnt_gone', [id]);
      });
      await indexing;
      expect(await countOf('tnt_gone', 'secret*')).toBe(0);
    }
    await expect.poll(() => misindexedCalls(storage, kind)).toEqual([]);
    expect(await segmentsOf('tnt_gone')).toEqual([]);
  });

  // The index of a PostgreSQL database is in its tables, which migrations upgrade.
  test.runIf(kind === 'sqlite')(
    'an index of an earlier version is rebuilt, and until then a search says so',
    async () => {
      const old = await newDatabase(kind);
      const first = await openStorage({ ...old, onProblem });
      const texts = Array.from({ length: 300 }, (_, i) => ({ prompt_preview: `kept number${i}` }));
      await storeCalls(first, 'tnt_old', texts);
      while (!(await first.search.catchUp('tnt_old')));
      await first.close();
      const words = new BetterSqlite3(join(old.dataDir, 'gatehouse-search.db'));
      words.exec(`drop table search_segments; drop table search_blocks;
        create virtual table call_words
          using fts5(words, content='', contentless_delete=1, tokenize='ascii');
        pragma user_version = 1`);
      words.close();
      const second = await openStorage({ ...old, onProblem });
      expect((await second.search.lag('tnt_old')).calls).toBe(300);
      // Without a search that would wait for the index.
      await expect.poll(() => second.search.lag()).toMatchObject({ calls: 0 });
      expect(await countOf('tnt_old', 'kept', second)).toBe(300);
      expect(await countOf('tnt_old', 'number17', second)).toBe(1);
      await second.close();
      await old.remove();
    },
  );

  test('the index loses and duplicates nothing if it is killed repeatedly while indexing', async () => {
    const killed = await newDatabase(kind);
    for (let round = 0; round < 6; round += 1) {
      const recorder = startProgram('test/support/searched-recorder.ts', {
        RECORDER_DATA_DIR: killed.dataDir,
        RECORDER_DATABASE_URL: killed.databaseUrl ?? '',
      });
      await recorder.waitForOutput(`recorded ${2 + round}\n`);
      expect(await recorder.stop('SIGKILL')).toBe('SIGKILL');
    }
    const after = await openStorage({ ...killed, onProblem });
    await expect.poll(() => after.search.catchUp('tnt_killed')).toBe(true);
    const { stored } = await after.db
      .selectFrom('llm_calls')
      .select((eb) => eb.fn.countAll<number>().as('stored'))
      .executeTakeFirstOrThrow();
    expect(stored).toBeGreaterThan(6 * 500);
    expect(await countOf('tnt_killed', 'common', after)).toBe(stored);
    await expect.poll(() => misindexedCalls(after, kind)).toEqual([]);
    await after.close();
    await killed.remove();
  });

  // A SQLite database belongs to one process.
  test.runIf(kind === 'postgres')(
    'two processes share one queue and duplicate nothing',
    async () => {
      const other = await open();
      const batch = Array.from({ length: 200 }, (_, i) => ({ prompt_preview: `shared n${i}` }));
      for (let i = 0; i < 20; i += 1)
        await Promise.all([storage, other].map((one) => storeCalls(one, 'tnt_shared', batch)));
      const caughtUp = async () =>
        (await Promise.all([storage, other].map((one) => one.search.catchUp('tnt_shared')))).every(
          Boolean,
        );
      await expect.poll(caughtUp).toBe(true);
      expect(await countOf('tnt_shared', 'shared')).toBe(8000);
      expect(await countOf('tnt_shared', 'n7', other)).toBe(40);
      await other.close();
    },
  );

  test.runIf(kind === 'postgres')(
    'while its index is delayed, a search sees changes of indexed calls',
    async () => {
      const [kept, gone] = await storeCalls(storage, 'tnt_held', [
        { prompt_preview: 'held', cost: 1 },
        { prompt_preview: 'held', cost: 1 },
      ]);
      while (!(await storage.search.catchUp('tnt_held')));
      await storage.transaction(async (holding) => {
        await holding.lock(searchLock('tnt_held'));
        await storage.transaction(async (tx) => {
          await tx.db
            .deleteFrom('llm_calls')
            .where('id', '=', gone?.id ?? 0)
            .execute();
          await tx.db
            .updateTable('llm_calls')
            .set({ cost: 5 })
            .where('id', '=', kept?.id ?? 0)
            .execute();
          await storage.search.changed(tx, 'tnt_held', [kept?.id ?? 0, gone?.id ?? 0]);
        });
        const sort = { by: 'created_at', direction: 'desc' } as const;
        const query = { phrases: phrasesOf('held'), sort, limit: 5, offset: 0 };
        const { rows, aggregates } = await listCalls(storage, 'tnt_held', query);
        expect(rows.map(({ id, cost }) => ({ id, cost }))).toEqual([{ id: kept?.id, cost: 5 }]);
        expect(aggregates).toMatchObject({ total_calls: 1, total_cost: 5 });
      });
    },
  );
});
