import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Pricer } from '#control-plane/costs/pricer.ts';
import { createMasker } from '#control-plane/settings/masking/masker.ts';
import { findRuns, type Telemetry } from '#control-plane/recording/queries.ts';
import { addTelemetry } from '#control-plane/recording/telemetry-queries.ts';
import { createRecorder, type Recorder } from '#control-plane/recording/group-recorder.ts';
import { callRow, runRow, scoreRow } from '#control-plane/recording/rules.ts';
import { deleteOld } from '#control-plane/retention/queries.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import type { RunRef } from '#control-plane/usage/count.ts';
import { runRecording } from '#control-plane/recording/recording-transaction.ts';
import type { Recording } from '#control-plane/recording/queries.ts';
import { createTenantStateCache } from '#control-plane/tenants/tenant-states.ts';
import {
  databases,
  newDatabase,
  type TestDatabase,
  untilLockWaiter,
} from '../support/databases.ts';
import { expectTotalsOfRecords } from '../support/totals.ts';

const HOUR = 3_600_000;
const START = 480_000 * HOUR;

const call = fc.record({
  model: fc.constantFrom('gpt-4o', 'claude-sonnet-4-5', 'unknown-model'),
  tokens_in: fc.nat(5000),
  tokens_out: fc.nat(500),
  // Multiples of an eighth, whose sums are exact in any order and can be compared for equality.
  cost: fc.option(
    fc.nat(80).map((n) => n / 8),
    { nil: undefined },
  ),
  hour: fc.nat(3),
});

const score = fc.oneof(
  fc.record({
    name: fc.constantFrom('quality', 'speed'),
    data_type: fc.constant('numeric' as const),
    string_value: fc.constant(null),
    numeric_value: fc.integer({ min: -5, max: 5 }).map((n) => n / 8),
  }),
  fc.record({
    name: fc.constantFrom('quality', 'label'),
    data_type: fc.constant('categorical' as const),
    numeric_value: fc.constant(null),
    string_value: fc.constantFrom('good', 'bad'),
  }),
);

const run = fc.record({
  agent_name: fc.constantFrom('a', 'b'),
  workflow_name: fc.constantFrom('default', 'other'),
  session_id: fc.option(fc.constantFrom('s1', 's2'), { nil: undefined }),
  user_id: fc.option(fc.constantFrom('u1', 'u2'), { nil: undefined }),
  day: fc.nat(3),
  batches: fc.array(fc.array(call, { maxLength: 5 }), { maxLength: 3 }),
  scores: fc.array(score, { maxLength: 3 }),
  end: fc.option(fc.constantFrom('success' as const, 'error' as const), { nil: undefined }),
});
type Run = typeof run extends fc.Arbitrary<infer T> ? T : never;

const price: Pricer = ({ model, tokens_in }) =>
  model === 'unknown-model'
    ? { cost: 0, cost_source: 'unpriced' }
    : { cost: tokens_in / 8, cost_source: 'table' };
const masker = createMasker({ enabled: false, builtin: [], keys: [], patterns: [] });

describe.each(databases)('totals on %s', (kind) => {
  let database: TestDatabase;
  let storage: Storage;
  let recorder: Recorder;
  const problems: string[] = [];
  let worlds = 0;
  let scores = 0;

  beforeAll(async () => {
    database = await newDatabase(kind);
    storage = await openStorage({ ...database, onProblem: (line) => problems.push(line) });
    recorder = createRecorder(storage, createTenantStateCache(storage), Date.now, () => undefined);
  });
  afterAll(async () => {
    await storage.close();
    await database.remove();
  });

  async function record(tenantId: string, { day, batches, end, ...given }: Run): Promise<void> {
    const at = START + day * 24 * HOUR;
    const { scores: given_scores, ...body } = given;
    const { id } = await recorder.start(runRow(tenantId, body, at, masker));
    const to = { tenantId, runId: id, at: at + 60_000 };
    const telemetry: Telemetry[] = [
      ...batches.map((calls) => ({
        calls: calls.map(({ hour, ...item }) =>
          callRow({ ...item, cost: item.cost }, at + hour * HOUR, { price, masker }),
        ),
      })),
      {
        scores: given_scores.map((item) =>
          scoreRow({ ...item, comment: null }, `scr_${(scores += 1)}`, at + HOUR, masker),
        ),
      },
    ];
    await Promise.all(telemetry.map((one) => recorder.add(to, one)));
    if (end)
      await recorder.complete(
        to,
        {
          status: end,
          result: null,
          error: null,
          completed_at: at + 10 ** (batches.length + given_scores.length),
        },
        {},
      );
  }

  const inNewTenant = (runs: readonly Run[]): Promise<string> => {
    const tenantId = `tnt_${(worlds += 1)}`;
    return Promise.all(runs.map((one) => record(tenantId, one))).then(() => tenantId);
  };

  test('match the records, whatever else was committed with them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(run, { maxLength: 12 }), async (runs) => {
        await inNewTenant(runs);
        expect(problems).toEqual([]);
        await expectTotalsOfRecords(storage);
      }),
      { numRuns: 15 },
    );
  });

  test('match the remaining records while old runs are deleted in small batches', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(run, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 12 }),
        async (runs, most) => {
          const tenantId = await inNewTenant(runs);
          const cutoff = START + 2 * 24 * HOUR;
          for (let deleted = most; deleted >= most;) {
            deleted = await deleteOld(storage, tenantId, cutoff, most);
            await expectTotalsOfRecords(storage);
          }
          const left = await storage.db
            .selectFrom('runs')
            .select('started_at')
            .where('tenant_id', '=', tenantId)
            .execute();
          expect(left.length).toBe(runs.filter(({ day }) => day >= 2).length);
          expect(left.every(({ started_at }) => started_at >= cutoff)).toBe(true);
        },
      ),
      { numRuns: 8 },
    );
  });

  test('records that arrive while their run is deleted are deleted with it', async () => {
    const tenantId = await inNewTenant([
      {
        agent_name: 'a',
        workflow_name: 'default',
        session_id: 's1',
        user_id: undefined,
        day: 0,
        batches: [],
        scores: [],
        end: undefined,
      },
    ]);
    const { id } = await storage.db
      .selectFrom('runs')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .executeTakeFirstOrThrow();
    let deleting: Promise<number> | undefined;
    const work = async (recording: Recording): Promise<void> => {
      const runs = await findRuns(recording, tenantId, [id]);
      deleting = deleteOld(storage, tenantId, START + 99 * 24 * HOUR, 100);
      // The deletion is waiting; on SQLite it can start only after this transaction.
      if (kind === 'postgres') await untilLockWaiter(storage.db);
      const call = { model: 'gpt-4o', tokens_in: 1, tokens_out: 1 };
      const calls = [callRow(call, START, { price, masker })];
      await addTelemetry(recording, [{ run: runs.get(id) as RunRef, calls }]);
    };
    await storage.transaction((tx) => runRecording(tx, storage, work));
    expect(await deleting).toBe(2);
    const left = await storage.db
      .selectFrom('llm_calls')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .execute();
    expect(left).toEqual([]);
    await expectTotalsOfRecords(storage);
  });
});
