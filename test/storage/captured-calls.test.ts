import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Pricer } from '#control-plane/costs/pricer.ts';
import { prepareCapture } from '#control-plane/captures/captured-call.ts';
import { findRunOf } from '#control-plane/captures/queries.ts';
import { deleteCaptures } from '#control-plane/device-reports/retention-queries.ts';
import { createBatchWriter, type StoreBatch } from '#control-plane/device-reports/write.ts';
import { createMasker } from '#control-plane/settings/masking/masker.ts';
import { prepare } from '#control-plane/otel/prepare-span.ts';
import { storeBatches } from '#control-plane/otel/store.ts';
import { createRecorder, type Recorder } from '#control-plane/recording/group-recorder.ts';
import { callRow, runRow } from '#control-plane/recording/rules.ts';
import { deleteOld } from '#control-plane/retention/queries.ts';
import { findCapturedOn, findRunDetail } from '#control-plane/runs/queries.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import type { RunTransaction } from '#control-plane/storage/transaction.ts';
import {
  type FindTenantState,
  createTenantStateCache,
} from '#control-plane/tenants/tenant-states.ts';
import { testSpan } from '../otel/test-span.ts';
import { responseId, chatCapture } from '../support/captured-exchange.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';
import { expectTotalsOfRecords } from '../support/totals.ts';

const AT = Date.parse('2026-03-01T10:00:00Z');
const masker = createMasker({ enabled: false, builtin: [], keys: [], patterns: [] });
const content = { masker, keepsTexts: true };
/** Multiples of an eighth, whose sums are exact in any order. */
const price: Pricer = ({ tokens_in }) => ({ cost: tokens_in / 8, cost_source: 'table' });

/**
 * A report of calls: the ids of the responses, and which repetition of the report it is. Equal
 * reports are repetitions.
 */
const anyReport = fc.record({
  by: fc.constantFrom('capture', 'client', 'trace'),
  answers: fc.uniqueArray(fc.nat(4), { minLength: 1, maxLength: 3 }),
  which: fc.nat(2),
});
type Report = typeof anyReport extends fc.Arbitrary<infer T> ? T : never;

const start = { agent_name: 'agent', workflow_name: 'w', user_id: 'ada' };

const tokensOf = (answer: number): number => 100 + answer;

describe.each(databases)('calls that are reported more than once, on %s', (kind) => {
  let database: TestDatabase;
  let storage: Storage;
  let takeBatch: StoreBatch;
  let findTenantState: FindTenantState;
  let recorder: Recorder;
  let worlds = 0;
  beforeAll(async () => {
    database = await newDatabase(kind);
    storage = await openStorage({ ...database, onProblem: (line) => expect.fail(line) });
    findTenantState = createTenantStateCache(storage);
    takeBatch = createBatchWriter(storage, findTenantState);
    recorder = createRecorder(
      storage,
      findTenantState,
      () => AT,
      () => undefined,
    );
  });
  afterAll(async () => {
    await storage.close();
    await database.remove();
  });

  /** Reports captures like a device: each capture has an id, and so has the batch. */
  async function capture(tenantId: string, { answers, which }: Report): Promise<void> {
    const device = { tenantId, deviceId: `dev_${which}` };
    const attribution = { hostname: 'h', user: 'ada', user_group: null };
    const agentOf = (): string => 'captured';
    const settings = { device, attribution, agentOf, price, masker, now: AT };
    const captures = answers.map((answer) => {
      const times = { started_at: AT + which, ended_at: AT + 1000, redactions: '{}' };
      const flags = { request_truncated: 0, response_truncated: 0 };
      const chat = chatCapture(`${answer}`, '', {
        id: responseId(`${answer}`),
        tokens_in: tokensOf(answer),
        requestFields: { session_id: 's' },
      });
      return prepareCapture(settings, { ...chat, ...times, ...flags });
    });
    await takeBatch({ device, batchId: `batch ${answers.join()}`, at: AT, captures });
  }

  async function record(tenantId: string, { answers, which }: Report): Promise<void> {
    const by = { ...start, agent_name: `agent-${which}` };
    const batch = (of: string): string => `${which} ${answers.join()} ${of}`;
    const { id } = await recorder.start(runRow(tenantId, by, AT, masker), batch('run'));
    const calls = answers.map((answer) => {
      const call = { model: 'm', tokens_in: tokensOf(answer), tokens_out: 10 };
      const response_id = responseId(`${answer}`);
      return callRow({ ...call, response_id }, AT, { price, masker });
    });
    await recorder.add({ tenantId, runId: id, at: AT }, { calls }, batch('calls'));
  }

  async function trace(tenantId: string, { answers, which }: Report): Promise<void> {
    const spans = answers.map((answer) =>
      prepare(
        testSpan({
          trace_id: `${which}${answers.join('')}`.padEnd(32, 'a'),
          span_id: `${answer}`.padEnd(16, 'b'),
          started_at: AT,
          ended_at: AT + 100,
          attributes: {
            'gen_ai.operation.name': 'chat',
            'gen_ai.response.id': responseId(`${answer}`),
            'gen_ai.usage.input_tokens': tokensOf(answer),
            'gen_ai.usage.output_tokens': 10,
          },
        }),
        {
          price,
          masker,
          hashOf: () => undefined,
          newId: (prefix) => prefix,
          content,
          level: 'tools',
        },
      ),
    );
    await storeBatches({ storage, findTenantState }, [
      { tenantId, at: AT, spans, rejected: [], masker },
    ]);
  }

  const means = { capture, client: record, trace };

  const report = (tenantId: string, one: Report): Promise<void> => means[one.by](tenantId, one);

  async function expectOneCallOfEach(tenantId: string, reports: readonly Report[]): Promise<void> {
    const calls = await storage.db
      .selectFrom('llm_calls as call')
      .innerJoin('runs', (join) =>
        join.onRef('runs.tenant_id', '=', 'call.tenant_id').onRef('runs.id', '=', 'call.run_id'),
      )
      .select(['response_id', 'total_tokens', 'capture_id'])
      .where('call.tenant_id', '=', tenantId)
      .orderBy('response_id')
      .execute();
    const answers = new Set(reports.flatMap((one) => one.answers));
    const byClients = new Set(
      reports.filter(({ by }) => by !== 'capture').flatMap((one) => one.answers),
    );
    expect(
      calls.map(({ capture_id, ...call }) => ({ ...call, captured: capture_id !== null })),
    ).toEqual(
      [...answers]
        .toSorted((a, b) => a - b)
        .map((answer) => ({
          response_id: responseId(`${answer}`),
          total_tokens: tokensOf(answer) + 10,
          captured: !byClients.has(answer),
        })),
    );
    const runs = await storage.db
      .selectFrom('runs')
      .select('llm_call_count')
      .where('tenant_id', '=', tenantId)
      .where('capture_id', 'is not', null)
      .execute();
    expect(runs.every(({ llm_call_count }) => llm_call_count === 1)).toBe(true);
    await expectTotalsOfRecords(storage);
  }

  test('are each stored once, from the client if it reported them, in any order and number', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyReport, { maxLength: 10 }), async (reports) => {
        const tenantId = `tnt_${(worlds += 1)}`;
        for (const one of reports) await report(tenantId, one);
        await expectOneCallOfEach(tenantId, reports);
      }),
      { numRuns: 30 },
    );
  });

  test('are stored once each when reported at the same time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyReport, { maxLength: 10 }), async (reports) => {
        const tenantId = `tnt_${(worlds += 1)}`;
        await Promise.all(reports.map((one) => report(tenantId, one)));
        await expectOneCallOfEach(tenantId, reports);
      }),
      { numRuns: 30 },
    );
  });

  test('calls without a response id are not looked up', async () => {
    const lookups: string[] = [];
    const transaction: RunTransaction = (work) =>
      storage.transaction(async (tx) => {
        const find = vi.spyOn(tx.bulk, 'find');
        try {
          return await work(tx);
        } finally {
          lookups.push(...find.mock.calls.map(([table, , { by }]) => `${table} by ${String(by)}`));
          find.mockRestore();
        }
      });
    const watched = createRecorder(
      { ...storage, transaction },
      findTenantState,
      () => AT,
      () => undefined,
    );
    const tenantId = `tnt_${(worlds += 1)}`;
    const { id } = await watched.start(runRow(tenantId, start, AT, masker));
    const add = (response_id: string | null) => {
      const call = { model: 'm', tokens_in: 1, tokens_out: 1, response_id };
      const calls = [callRow(call, AT, { price, masker })];
      return watched.add({ tenantId, runId: id, at: AT }, { calls });
    };
    await add(null);
    await add('chatcmpl-417');
    expect(lookups).not.toContain('llm_calls by response_id');
    await add(responseId('looked for'));
    expect(lookups).toContain('llm_calls by response_id');
  });

  test('a deleted capture keeps its run, and creates no other when it is reported again', async () => {
    const tenantId = `tnt_${(worlds += 1)}`;
    const one: Report = { by: 'capture', answers: [0], which: 0 };
    const captureId = async () =>
      (
        await storage.db
          .selectFrom('captures')
          .select('id')
          .where('tenant_id', '=', tenantId)
          .execute()
      ).map(({ id }) => id);
    await report(tenantId, one);
    const [id = ''] = await captureId();
    const run = (await findRunOf(storage.db, tenantId, { id, response_id: null })) ?? 0;
    const capturedOn = async () => {
      const row = await findRunDetail(storage.db, tenantId, run);
      return row && findCapturedOn(storage.db, tenantId, row);
    };
    expect(await capturedOn()).toMatchObject({ device_id: 'dev_0', capture_id: id });
    const old = { tenantId, cutoff: AT + 1, limit: 10 };
    await storage.transaction((tx) => deleteCaptures(tx, old));
    expect(await captureId()).toEqual([]);
    expect(await capturedOn()).toMatchObject({ device_id: 'dev_0', capture_id: null });
    await storage.db.deleteFrom('device_batches').where('tenant_id', '=', tenantId).execute();
    // Now only the id of the capture identifies it.
    await storage.db.updateTable('llm_calls').set({ response_id: null }).execute();
    await report(tenantId, one);
    expect(await captureId()).toEqual([id]);
    expect(await capturedOn()).toMatchObject({ capture_id: id });
    const runs = await storage.db
      .selectFrom('runs')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .execute();
    expect(runs).toEqual([{ id: run }]);
  });

  test('a deleted run keeps its capture', async () => {
    const tenantId = `tnt_${(worlds += 1)}`;
    await report(tenantId, { by: 'capture', answers: [0], which: 0 });
    await storage.db
      .updateTable('captures')
      .set({ started_at: AT + 10_000 })
      .where('tenant_id', '=', tenantId)
      .execute();
    await deleteOld(storage, tenantId, AT + 5000, 1000);
    const captures = await storage.db
      .selectFrom('captures')
      .select(['id', 'response_id'])
      .where('tenant_id', '=', tenantId)
      .execute();
    expect(captures).toHaveLength(1);
    for (const one of captures) expect(await findRunOf(storage.db, tenantId, one)).toBeNull();
    await expectTotalsOfRecords(storage);
  });

  test('runs of captures count towards quotas, unless they are withdrawn', async () => {
    const id = `tnt_${(worlds += 1)}`;
    const tenant = { id, name: id, slug: id, config_version: 0, created_at: AT };
    await storage.db
      .insertInto('tenants')
      .values({ ...tenant, max_agent_runs_per_day: 3 })
      .execute();
    const used = () =>
      storage.db
        .selectFrom('quota_days')
        .select(['run_count', 'total_tokens'])
        .where('tenant_id', '=', id)
        .executeTakeFirst();
    const captures = (...answers: number[]) => report(id, { by: 'capture', answers, which: 0 });
    await captures(0, 1);
    expect(await used()).toEqual({ run_count: 2, total_tokens: 110 + 111 });
    await report(id, { by: 'client', answers: [0], which: 0 });
    expect(await used()).toEqual({ run_count: 2, total_tokens: 110 + 111 });
    // Both captures are stored, although the quota allows only one of them to become a run.
    await captures(2, 3);
    expect(await used()).toEqual({ run_count: 3, total_tokens: 110 + 111 + 112 });
    const rows = await storage.db
      .selectFrom('captures')
      .select('id')
      .where('tenant_id', '=', id)
      .execute();
    expect(rows).toHaveLength(4);
  });
});
