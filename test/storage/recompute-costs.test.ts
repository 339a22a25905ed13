import { costSource } from '#contract/costs.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Pricer } from '#control-plane/costs/pricer.ts';
import { recompute, type Scope } from '#control-plane/recomputation/recompute.ts';
import { listCalls } from '#control-plane/llm-calls/queries.ts';
import { createMasker } from '#control-plane/settings/masking/masker.ts';
import { ANY_CALL, countEarlier, startCounting } from '#control-plane/prompts/usage-queries.ts';
import { createRecorder, type Recorder } from '#control-plane/recording/group-recorder.ts';
import { runRow } from '#control-plane/recording/rules.ts';
import { phrasesOf } from '#control-plane/storage/search/word-rules.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import { createTenantStateCache } from '#control-plane/tenants/tenant-states.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';

const HOUR = 3_600_000;
const masker = createMasker({ enabled: false, builtin: [], keys: [], patterns: [] });
const START = 480_000 * HOUR;
const sources = costSource.options;
/** Sources whose price is kept if no other is known. */
const KEPT: readonly string[] = ['given', 'table', 'table_prefix'];

const call = fc.record({
  model: fc.constantFrom('a', 'b', 'unknown-model'),
  prompt_hash: fc.constantFrom('', 'hash-1', 'hash-2'),
  tokens_in: fc.nat(5000),
  // Multiples of an eighth, whose sums are exact in any order and can be compared for equality.
  cost: fc.nat(80).map((n) => n / 8),
  cost_source: fc.constantFrom(...sources),
  hour: fc.nat(3),
});
const run = fc.record({
  agent_name: fc.constantFrom('x', 'y'),
  session_id: fc.option(fc.constantFrom('s1', 's2'), { nil: undefined }),
  user_id: fc.option(fc.constantFrom('u1', 'u2'), { nil: undefined }),
  calls: fc.array(call, { maxLength: 8 }),
});
type Run = typeof run extends fc.Arbitrary<infer T> ? T : never;

const scope = fc.record({
  model: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
  since: fc.option(
    fc.nat(3).map((hour) => START + hour * HOUR),
    { nil: undefined },
  ),
  unpriced_only: fc.boolean(),
  include_given: fc.boolean(),
  dry_run: fc.boolean(),
});

const everything: Scope = { unpriced_only: false, include_given: false, dry_run: false };

const pricer =
  (eighths: number): Pricer =>
  ({ model, tokens_in }) =>
    model === 'unknown-model'
      ? { cost: 0, cost_source: 'unpriced' }
      : { cost: (tokens_in * eighths) / 8, cost_source: 'table' };

describe.each(databases)('recomputing costs on %s', (kind) => {
  let database: TestDatabase;
  let storage: Storage;
  let recorder: Recorder;
  let worlds = 0;

  beforeAll(async () => {
    database = await newDatabase(kind);
    storage = await openStorage({ ...database, onProblem: () => undefined });
    recorder = createRecorder(storage, createTenantStateCache(storage), Date.now, () => undefined);
  });
  afterAll(async () => {
    await storage.close();
    await database.remove();
  });

  async function inNewTenant(runs: readonly Run[]): Promise<string> {
    const tenantId = `tnt_${(worlds += 1)}`;
    for (const { calls, ...body } of runs) {
      const row = runRow(tenantId, { ...body, workflow_name: 'w' }, START, masker);
      const { id } = await recorder.start(row);
      const rows = calls.map(({ hour, cost_source, ...given }) => ({
        ...given,
        cost: cost_source === 'unpriced' ? 0 : given.cost,
        cost_source,
        tokens_out: 0,
        total_tokens: given.tokens_in,
        cache_read_tokens: 0,
        cache_write_tokens: 0,
        provider: null,
        task: null,
        duration_ms: null,
        prompt_preview: '',
        response_preview: '',
        created_at: START + hour * HOUR,
      }));
      await recorder.add({ tenantId, runId: id, at: START }, { calls: rows });
    }
    await usePrompts(tenantId);
    return tenantId;
  }

  /** Creates prompts, with the current cost of their contents. */
  async function usePrompts(tenant_id: string): Promise<void> {
    for (const content_hash of ['hash-1', 'never-used'])
      await storage.db
        .insertInto('prompt_usage')
        .values({
          tenant_id,
          content_hash,
          call_count: 0,
          total_tokens: 0,
          total_cost: 0,
          uncounted_below: ANY_CALL,
        })
        .execute();
    await startCounting(storage, tenant_id, new Set(['hash-1', 'never-used']));
    while (await countEarlier(storage, tenant_id, { ids: 1000, calls: 1000 }));
  }

  const callsOf = (tenantId: string) =>
    storage.db
      .selectFrom('llm_calls')
      .select(['id', 'model', 'tokens_in', 'cost', 'cost_source', 'created_at'])
      .where('tenant_id', '=', tenantId)
      .orderBy('id')
      .execute();

  async function recomputed(tenantId: string, given: Scope, price: Pricer) {
    const until = START + 100 * HOUR;
    let last;
    for await (last of recompute(storage, tenantId, { pricer: price, scope: given, until }));
    return last;
  }

  /** Compares each total of costs with the sum over the calls. */
  async function expectTotalsOfCalls(tenantId: string): Promise<void> {
    const ofRuns = (column: string): string =>
      `(select coalesce(sum(c.cost), 0) from llm_calls c join runs r
        on r.tenant_id = c.tenant_id and r.id = c.run_id
        where c.tenant_id = t.tenant_id and r.${column} = t.${column})`;
    const ofCalls = (value: string, ...columns: string[]): string =>
      `(select coalesce(sum(${value}), 0) from llm_calls c where c.tenant_id = t.tenant_id
        ${columns.map((column) => `and c.${column} = t.${column}`).join(' ')})`;
    const unpriced = "case when c.cost_source = 'unpriced' then 1 else 0 end";
    const checks: [table: string, stored: string, counted: string][] = [
      [
        'runs',
        'cost',
        '(select coalesce(sum(c.cost), 0) from llm_calls c where c.tenant_id = t.tenant_id and c.run_id = t.id)',
      ],
      ['run_sessions', 'total_cost', ofRuns('session_id')],
      ['tracked_users', 'total_cost', ofRuns('user_id')],
      ['model_totals', 'total_cost', ofCalls('c.cost', 'agent_name', 'model')],
      ['model_totals', 'unpriced_count', ofCalls(unpriced, 'agent_name', 'model')],
      [
        'prompt_usage',
        'total_cost',
        ofCalls('c.cost').replace(/\)$/, ' and c.prompt_hash = t.content_hash)'),
      ],
    ];
    for (const [table, stored, counted] of checks) {
      const wrong = await sql`
        select * from (select ${sql.ref(stored)} as stored, ${sql.raw(counted)} as counted
          from ${sql.table(table)} t where t.tenant_id = ${tenantId}) as both_of_them
        where stored <> counted`.execute(storage.db);
      expect([table, wrong.rows]).toEqual([table, []]);
    }
    const hours = await sql`
      select hour, model, agent_name, total_cost from model_hours t where tenant_id = ${tenantId}
      and total_cost <> (select coalesce(sum(c.cost), 0) from llm_calls c
        where c.tenant_id = t.tenant_id and c.model = t.model
        and (t.agent_name = '' or c.agent_name = t.agent_name)
        and c.created_at >= t.hour * ${sql.lit(HOUR)} and c.created_at < (t.hour + 1) * ${sql.lit(HOUR)})`.execute(
      storage.db,
    );
    expect(hours.rows).toEqual([]);
    const users = await sql`
      select user_id, model from user_models t where tenant_id = ${tenantId}
      and total_cost <> (select sum(c.cost) from llm_calls c join runs r
        on r.tenant_id = c.tenant_id and r.id = c.run_id
        where c.tenant_id = t.tenant_id and c.model = t.model and r.user_id = t.user_id)`.execute(
      storage.db,
    );
    expect(users.rows).toEqual([]);
  }

  /** Returns the cost of the calls that a search finds. */
  async function costFound(tenantId: string, word: string): Promise<number> {
    const sort = { by: 'created_at', direction: 'asc' } as const;
    const list = { phrases: phrasesOf(word), sort, limit: 1, offset: 0 };
    return (await listCalls(storage, tenantId, list)).aggregates.total_cost;
  }

  test('every total follows, and only the selected calls change', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(run, { minLength: 1, maxLength: 6 }),
        scope,
        fc.nat(5),
        async (runs, given, eighths) => {
          const tenantId = await inNewTenant(runs);
          const before = await callsOf(tenantId);
          await expectTotalsOfCalls(tenantId);
          await recomputed(tenantId, given, pricer(eighths));
          await expectTotalsOfCalls(tenantId);
          const expected = before.map((one) => {
            const priced = pricer(eighths)(
              {
                ...one,
                provider: null,
                tokens_out: 0,
                cache_read_tokens: 0,
                cache_write_tokens: 0,
              },
              0,
            );
            // A cost of 0 that a client sent with tokens does not count as a price.
            const isZero = one.cost_source === 'given' && one.cost === 0 && one.tokens_in > 0;
            const source = isZero ? 'unpriced' : one.cost_source;
            const isMeant =
              !given.dry_run &&
              (given.model === undefined || one.model === given.model) &&
              (given.since === undefined || one.created_at >= given.since) &&
              (!given.unpriced_only || source === 'unpriced') &&
              (given.include_given || source !== 'given');
            const isLost = priced.cost_source === 'unpriced' && KEPT.includes(source);
            return isMeant && !isLost ? { ...one, ...priced } : one;
          });
          expect(await callsOf(tenantId)).toEqual(expected);
        },
      ),
      { numRuns: 25 },
    );
  });

  test('a cost of 0 that a client sent with tokens does not count as a price', async () => {
    const given = { prompt_hash: '', cost: 0, cost_source: 'given', hour: 0 } as const;
    const calls: Run['calls'] = [
      { ...given, model: 'a', tokens_in: 8 },
      { ...given, model: 'unknown-model', tokens_in: 8 },
      { ...given, model: 'a', tokens_in: 0 },
      { ...given, model: 'a', tokens_in: 8, cost: 0.5 },
    ];
    const tenantId = await inNewTenant([
      { agent_name: 'x', session_id: undefined, user_id: undefined, calls },
    ]);
    await recomputed(tenantId, { ...everything, unpriced_only: true }, pricer(8));
    const stored = await callsOf(tenantId);
    expect(stored.map(({ cost, cost_source }) => [cost, cost_source])).toEqual([
      [8, 'table'],
      [0, 'unpriced'],
      [0, 'given'],
      [0.5, 'given'],
    ]);
    await expectTotalsOfCalls(tenantId);
  });

  const many = (count: number): Run => ({
    agent_name: 'x',
    session_id: 's1',
    user_id: 'u1',
    calls: Array.from({ length: count }, (_, index) => ({
      model: index % 4 === 0 ? 'unknown-model' : 'a',
      prompt_hash: 'hash-1',
      tokens_in: index,
      cost: 0,
      cost_source: 'unpriced' as const,
      // Many calls at the same time: iterating by time must lose none where a step ends.
      hour: index % 2,
    })),
  });

  test('it works in steps and reports its progress', async () => {
    const tenantId = await inNewTenant([many(500), many(500), many(400)]);
    while (!(await storage.search.catchUp(tenantId)));
    const steps = [];
    const until = START + 100 * HOUR;
    for await (const step of recompute(storage, tenantId, {
      pricer: pricer(8),
      scope: everything,
      until,
    }))
      steps.push(step);
    expect(steps.map(({ checked }) => checked)).toEqual(
      Array.from({ length: 6 }, (_, step) => Math.min(1400, (step + 1) * 250)),
    );
    const cost = (await callsOf(tenantId)).reduce((sum, one) => sum + one.cost, 0);
    expect(steps.at(-1)).toEqual({
      checked: 1400,
      changed: 1050,
      cost_before: 0,
      cost_after: cost,
      unpriced: [{ model: 'unknown-model', call_count: 350 }],
    });
    await expectTotalsOfCalls(tenantId);
    // The calls without cost have the other model.
    expect(await costFound(tenantId, 'a')).toBe(cost);
    expect((await recomputed(tenantId, everything, pricer(8)))?.changed).toBe(0);
  });

  test('two concurrent recomputations during recording leave correct totals', async () => {
    const tenantId = await inNewTenant([many(900)]);
    await Promise.all([
      recomputed(tenantId, everything, pricer(8)),
      recomputed(tenantId, everything, pricer(8)),
      ...Array.from({ length: 5 }, () => recordMore(tenantId)),
    ]);
    await expectTotalsOfCalls(tenantId);
  });

  async function recordMore(tenantId: string): Promise<void> {
    const row = runRow(
      tenantId,
      { agent_name: 'x', workflow_name: 'w', session_id: 's1' },
      START,
      masker,
    );
    const { id } = await recorder.start(row);
    const one = {
      model: 'a',
      cost: 1,
      cost_source: 'table' as const,
      created_at: START + 200 * HOUR,
    };
    const counts = {
      tokens_in: 8,
      tokens_out: 0,
      total_tokens: 8,
      cache_read_tokens: 0,
      cache_write_tokens: 0,
    };
    const texts = { prompt_hash: '', prompt_preview: '', response_preview: '' };
    const calls = [{ ...one, ...counts, ...texts, provider: null, task: null, duration_ms: null }];
    await recorder.add({ tenantId, runId: id, at: START }, { calls });
  }
});
