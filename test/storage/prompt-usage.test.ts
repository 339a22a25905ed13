import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recompute } from '#control-plane/recomputation/recompute.ts';
import { createMasker } from '#control-plane/settings/masking/masker.ts';
import { insertVersion } from '#control-plane/prompts/queries.ts';
import {
  countEarlier,
  listUncounted,
  startCounting,
} from '#control-plane/prompts/usage-queries.ts';
import { createRecorder, type Recorder } from '#control-plane/recording/group-recorder.ts';
import { callRow, runRow } from '#control-plane/recording/rules.ts';
import { deleteOld } from '#control-plane/retention/queries.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import { createTenantStateCache } from '#control-plane/tenants/tenant-states.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = 20_000 * DAY;
const DAYS = 4;
const masker = createMasker({ enabled: false, builtin: [], keys: [], patterns: [] });
const STEP = { ids: 7, calls: 2 };

const hash = fc.constantFrom('hash-1', 'hash-2');
const happening = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('call' as const),
      hash,
      day: fc.nat(DAYS - 1),
      eighths: fc.nat(80),
    }),
  },
  fc.record({ kind: fc.constant('version' as const), hash }),
  fc.record({ kind: fc.constant('step' as const) }),
  fc.record({ kind: fc.constant('retention' as const), day: fc.nat(DAYS) }),
  fc.record({ kind: fc.constant('price' as const), eighths: fc.nat(80) }),
);
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

describe.each(databases)('usage of prompts on %s', (kind) => {
  let database: TestDatabase;
  let storage: Storage;
  let recorder: Recorder;
  let worlds = 0;
  let versions = 0;

  beforeAll(async () => {
    database = await newDatabase(kind);
    storage = await openStorage({ ...database, onProblem: () => undefined });
    recorder = createRecorder(storage, createTenantStateCache(storage), Date.now, () => undefined);
  });
  afterAll(async () => {
    await storage.close();
    await database.remove();
  });

  async function happen(tenant_id: string, what: Happening): Promise<void> {
    switch (what.kind) {
      case 'call':
        return record(tenant_id, what);
      case 'version':
        return storage.transaction((tx) =>
          insertVersion(tx, {
            tenant_id,
            prompt_id: 'prm_1',
            version: (versions += 1),
            config: '{}',
            content_hash: what.hash,
            content_preview: '',
            commit_message: '',
            created_by: '',
            created_at: START,
            content: '""',
          }),
        );
      case 'step':
        return void (await step(tenant_id));
      case 'retention':
        return void (await deleteOld(storage, tenant_id, START + what.day * DAY, 1000));
      case 'price': {
        const cost = what.eighths / 8;
        const pricer = () => ({ cost, cost_source: 'override' as const });
        const scope = { unpriced_only: false, include_given: true, dry_run: false };
        const until = START + DAYS * DAY;
        for await (const _ of recompute(storage, tenant_id, { pricer, scope, until }));
      }
    }
  }

  async function step(tenantId: string): Promise<boolean> {
    const texts = await listUncounted(storage.db);
    await startCounting(storage, tenantId, texts.get(tenantId) ?? new Set());
    return countEarlier(storage, tenantId, STEP);
  }

  async function record(
    tenantId: string,
    { hash: prompt_hash, day, eighths }: Extract<Happening, { kind: 'call' }>,
  ): Promise<void> {
    const at = START + day * DAY + HOUR;
    const body = { agent_name: 'a', workflow_name: 'w' };
    const { id } = await recorder.start(runRow(tenantId, body, at, masker));
    const to = { tenantId, runId: id, at };
    const price = () => ({ cost: 0, cost_source: 'unpriced' as const });
    const given = { model: 'm', tokens_in: 3, tokens_out: 1, prompt_hash, cost: eighths / 8 };
    await recorder.add(to, { calls: [callRow(given, at, { price, masker })] });
    await recorder.complete(
      to,
      { status: 'success', result: null, error: null, completed_at: at },
      {},
    );
  }

  /** Returns the stored usage beside the sum over the calls, for every text that is a version. */
  async function usage(tenantId: string) {
    const stored = await storage.db
      .selectFrom('prompt_usage')
      .select(['content_hash', 'call_count', 'total_tokens', 'total_cost'])
      .where('tenant_id', '=', tenantId)
      .orderBy('content_hash')
      .execute();
    const calls = await storage.db
      .selectFrom('llm_calls')
      .select(['prompt_hash', 'total_tokens', 'cost'])
      .where('tenant_id', '=', tenantId)
      .execute();
    const counted = stored.map(({ content_hash }) => {
      const own = calls.filter(({ prompt_hash }) => prompt_hash === content_hash);
      return {
        content_hash,
        call_count: own.length,
        total_tokens: own.reduce((sum, call) => sum + call.total_tokens, 0),
        total_cost: own.reduce((sum, call) => sum + call.cost, 0),
      };
    });
    return { stored, counted };
  }

  test('matches the existing calls, in any order of events', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { maxLength: 25 }), async (happenings) => {
        const tenantId = `tnt_${(worlds += 1)}`;
        for (const what of happenings) await happen(tenantId, what);
        while (await step(tenantId));
        const { stored, counted } = await usage(tenantId);
        expect(stored).toEqual(counted);
      }),
      { numRuns: 40 },
    );
  });
});

describe.each(databases)('metrics of prompts on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());

  test('count calls that were recorded before the prompt existed', async () => {
    const { recording } = service.byKey;
    const { prompts } = service.byOwner;
    const call = { model: 'gpt-4o', tokens_in: 2, tokens_out: 1, cost: 0.5 };
    const { run_id } = await recording.startRun({ body: { agent_name: 'a' } });
    const record = (count: number) =>
      recording.recordLlmCalls({
        params: { run_id },
        body: {
          calls: Array.from({ length: count }, (_, i) => ({
            ...call,
            prompt_preview: i % 2 === 0 ? 'Hello' : 'Goodbye',
          })),
        },
      });
    await record(600);
    const { id } = await prompts.createPrompt({ body: { name: 'p', content: 'Hello' } });
    await record(4);
    const totals = async () =>
      (await prompts.getPromptMetrics({ params: { prompt_id: id } })).totals;
    await expect.poll(totals).toEqual({ call_count: 302, total_tokens: 906, total_cost: 151 });
  });
});
