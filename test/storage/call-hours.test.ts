import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { analyticsQuery } from '#contract/analytics-query.ts';
import { countHours } from '#control-plane/analytics/hours/count-hours.ts';
import { answerQuery } from '#control-plane/analytics/measures/answer.ts';
import type { Pricer } from '#control-plane/costs/pricer.ts';
import { recompute } from '#control-plane/recomputation/recompute.ts';
import { attributeRun } from '#control-plane/recording/attribution-queries.ts';
import { findRuns } from '#control-plane/recording/queries.ts';
import { createRecorder, type Recorder } from '#control-plane/recording/group-recorder.ts';
import { runRecording } from '#control-plane/recording/recording-transaction.ts';
import { callRow, runRow } from '#control-plane/recording/rules.ts';
import { deleteOld } from '#control-plane/retention/queries.ts';
import { createMasker } from '#control-plane/settings/masking/masker.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import type { RunRef } from '#control-plane/usage/count.ts';
import { createTenantStateCache } from '#control-plane/tenants/tenant-states.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';

const HOUR = 3_600_000;
const START = 480_000 * HOUR;
const HOURS = 60;
/** In the middle of an hour, so that the last hour is not complete. */
const NOW = START + HOURS * HOUR + HOUR / 2;

const masker = createMasker({ enabled: false, builtin: [], keys: [], patterns: [] });
const priceOf =
  (eighths: number): Pricer =>
  ({ tokens_in }) => ({ cost: (tokens_in * eighths) / 8, cost_source: 'table' });

const call = fc.record({
  model: fc.constantFrom('gpt-4o', 'claude-sonnet-4-5'),
  provider: fc.option(fc.constantFrom('openai', 'anthropic'), { nil: undefined }),
  tokens_in: fc.nat(5000),
  tokens_out: fc.nat(500),
  duration_ms: fc.option(fc.nat(90_000), { nil: undefined }),
  minute: fc.nat(HOURS * 60),
});
const run = fc.record({
  agent_name: fc.constantFrom('a', 'b'),
  workflow_name: fc.constantFrom('default', 'other'),
  user_id: fc.option(fc.constantFrom('u1', 'u2'), { nil: undefined }),
  user_group: fc.option(fc.constantFrom('t1', 't2'), { nil: undefined }),
  tags: fc.constantFrom<string[]>([], ['eu'], ['eu', 'x"y']),
  calls: fc.array(call, { maxLength: 5 }),
});
type Run = typeof run extends fc.Arbitrary<infer T> ? T : never;

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('record' as const), run }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'count' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('delete' as const), hour: fc.nat(HOURS) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('price' as const), eighths: fc.nat(9) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('move' as const), user: fc.constantFrom('u2', 'u3') }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const query = fc.record({
  measure: fc.constantFrom(
    'llm_calls',
    'cost',
    'tokens',
    'tokens_in',
    'tokens_out',
    'tokens_cached',
    'call_latency_p50',
    'call_latency_p95',
  ),
  group_by: fc.constantFrom(
    'none',
    'agent',
    'workflow',
    'user',
    'team',
    'api_key',
    'tag',
    'model',
    'provider',
  ),
  interval: fc.constantFrom('none', 'hour', 'day', 'week'),
  timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kolkata'),
  from: fc.integer({ min: -30, max: HOURS * 60 }),
  minutes: fc.integer({ min: 1, max: HOURS * 60 }),
  top: fc.constantFrom(1, 8),
  filters: fc.oneof(
    fc.constant({}),
    fc.record({ agent: fc.constant('a') }),
    fc.record({ user: fc.constant('u1') }),
    fc.record({ team: fc.constant('t1'), agent: fc.constant('b') }),
    fc.record({ tag: fc.constantFrom(['eu'], ['eu', 'x"y']) }),
    fc.record({ model: fc.constant(['gpt-4o']), agent: fc.constant('a') }),
    fc.record({ model: fc.constant(['gpt-4o']), user: fc.constant('u1') }),
  ),
} as const);
type Query = typeof query extends fc.Arbitrary<infer T> ? T : never;

describe.each(databases)('calls counted by hour on %s', (kind) => {
  let database: TestDatabase;
  let storage: Storage;
  let recorder: Recorder;
  let worlds = 0;

  beforeAll(async () => {
    database = await newDatabase(kind);
    storage = await openStorage({ ...database, onProblem: () => undefined });
    recorder = createRecorder(
      storage,
      createTenantStateCache(storage),
      () => NOW,
      () => undefined,
    );
  });
  afterAll(async () => {
    await storage.close();
    await database.remove();
  });

  const count = (tenantId: string) =>
    countHours(storage, tenantId, NOW, new AbortController().signal);

  async function record(tenantId: string, { calls, ...body }: Run): Promise<void> {
    const first = Math.min(...calls.map(({ minute }) => minute), HOURS * 60);
    const { id } = await recorder.start(runRow(tenantId, body, START + first * 60_000, masker));
    const to = { tenantId, runId: id, at: NOW };
    const price = priceOf(1);
    const rows = calls.map(({ minute, ...one }) =>
      callRow(one, START + minute * 60_000, { price, masker }),
    );
    await recorder.add(to, { calls: rows });
  }

  /** Simulates a trace whose user becomes known late. */
  async function moveFirst(tenantId: string, user_id: string): Promise<void> {
    const first = await storage.db
      .selectFrom('runs')
      .select(['id', 'workflow_id'])
      .where('tenant_id', '=', tenantId)
      .orderBy('id')
      .executeTakeFirst();
    if (!first) return;
    await storage.transaction((tx) =>
      runRecording(tx, storage, async (recording) => {
        const found = (await findRuns(recording, tenantId, [first.id])).get(first.id) as RunRef;
        recording.emptiesTotals = true;
        const { agent_name, workflow_name, session_id } = found;
        const { workflow_id } = first;
        await attributeRun(recording, found, {
          agent_name,
          workflow_name,
          session_id,
          user_id,
          workflow_id,
        });
      }),
    );
  }

  async function take(tenantId: string, one: Step): Promise<void> {
    if (one.kind === 'record') return record(tenantId, one.run);
    if (one.kind === 'count') return count(tenantId);
    if (one.kind === 'move') return moveFirst(tenantId, one.user);
    if (one.kind === 'delete') {
      await deleteOld(storage, tenantId, START + one.hour * HOUR, 1000);
      return;
    }
    const scope = { unpriced_only: false, include_given: false, dry_run: false };
    const how = { pricer: priceOf(one.eighths), scope, until: NOW };
    for await (const _progress of recompute(storage, tenantId, how));
  }

  function queryTotals(tenantId: string, { from, minutes, ...rest }: Query) {
    const start = START + from * 60_000;
    const times = {
      start: new Date(start).toISOString(),
      end: new Date(start + minutes * 60_000).toISOString(),
    };
    const body = analyticsQuery.parse({ ...rest, ...times, compare: true });
    return answerQuery({ now: () => NOW, storage }, { tenantId, role: 'owner' }, body);
  }

  test('an answer matches the calls, whatever happened since they were counted', async () => {
    let counted = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 3, maxLength: 12 }),
        fc.array(query, { minLength: 6, maxLength: 6 }),
        async (steps, queries) => {
          const tenantId = `tnt_${(worlds += 1)}`;
          for (const one of steps) await take(tenantId, one);
          const fast = [];
          for (const one of queries) fast.push(await queryTotals(tenantId, one));
          await storage.db.deleteFrom('counted_hours').where('tenant_id', '=', tenantId).execute();
          for (const [at, one] of queries.entries()) {
            const { source: _source, ...plain } = await queryTotals(tenantId, one);
            const { source, ...answer } = fast[at] as (typeof fast)[number];
            if (source === 'totals') counted += 1;
            expect(answer).toEqual(plain);
          }
        },
      ),
      { numRuns: 40 },
    );
    expect(counted).toBeGreaterThan(3);
  });

  test('hours without remaining calls are deleted', async () => {
    const tenantId = `tnt_${(worlds += 1)}`;
    const model = 'gpt-4o' as const;
    const calls = [0, 90].map<Run['calls'][number]>((minute) => ({
      model,
      provider: undefined,
      tokens_in: 8,
      tokens_out: 1,
      duration_ms: 5,
      minute,
    }));
    const body: Omit<Run, 'calls'> = {
      agent_name: 'a',
      workflow_name: 'default',
      user_id: 'u1',
      user_group: undefined,
      tags: [],
    };
    await record(tenantId, { ...body, calls });
    const hours = async () => {
      const rows = await storage.db
        .selectFrom('call_hours')
        .select('hour')
        .distinct()
        .where('tenant_id', '=', tenantId)
        .orderBy('hour')
        .execute();
      return rows.map(({ hour }) => hour - START / HOUR);
    };
    await count(tenantId);
    expect(await hours()).toEqual([0, 1]);
    await deleteOld(storage, tenantId, NOW, 1000);
    await count(tenantId);
    expect(await hours()).toEqual([]);
  });
});
