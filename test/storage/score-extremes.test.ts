import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMasker } from '#control-plane/settings/masking/masker.ts';
import { createRecorder } from '#control-plane/recording/group-recorder.ts';
import { runRow, scoreRow } from '#control-plane/recording/rules.ts';
import { deleteOld } from '#control-plane/retention/queries.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import { createTenantStateCache } from '#control-plane/tenants/tenant-states.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';

const HOUR = 3_600_000;
const START = 480_000 * HOUR;
const CUTOFF = START - HOUR;
const masker = createMasker({ enabled: false, builtin: [], keys: [], patterns: [] });

/** A run with one score. Old runs are deleted, although their scores may be recent. */
interface Scored {
  agent: string;
  old: boolean;
  hour: number;
  value: number;
}

const scored: fc.Arbitrary<Scored> = fc.record({
  agent: fc.constantFrom('a', 'b'),
  old: fc.boolean(),
  hour: fc.nat(1),
  value: fc.integer({ min: -4, max: 4 }),
});

describe.each(databases)('the minimum and maximum score per hour on %s', (kind) => {
  let database: TestDatabase;
  let storage: Storage;
  let worlds = 0;
  let scores = 0;
  beforeAll(async () => {
    database = await newDatabase(kind);
    storage = await openStorage({ ...database, onProblem: () => undefined });
  });
  afterAll(async () => {
    await storage.close();
    await database.remove();
  });

  async function record(runs: readonly Scored[]): Promise<string> {
    const tenantId = `tnt_${(worlds += 1)}`;
    const recorder = createRecorder(
      storage,
      createTenantStateCache(storage),
      Date.now,
      () => undefined,
    );
    for (const { agent, old, hour, value } of runs) {
      const at = old ? CUTOFF - 1 : CUTOFF;
      const body = { agent_name: agent, workflow_name: 'default' };
      const { id } = await recorder.start(runRow(tenantId, body, at, masker));
      const given = { name: 'quality', data_type: 'numeric', numeric_value: value } as const;
      const score = { ...given, string_value: null, comment: null };
      scores += 1;
      const row = scoreRow(score, `scr_${scores}`, START + hour * HOUR, masker);
      await recorder.add({ tenantId, runId: id, at }, { scores: [row] });
    }
    return tenantId;
  }

  /** Computes extremes by agent and hour. The empty name stands for all agents together. */
  function extremesOf(runs: readonly Scored[]): object {
    const groups = Map.groupBy(
      runs.flatMap((run) => [run, { ...run, agent: '' }]),
      ({ agent, hour }) => `${agent} ${hour}`,
    );
    const entries = [...groups].map(([key, group]) => {
      const values = group.map(({ value }) => value);
      return [key, [values.length, Math.min(...values), Math.max(...values)]];
    });
    return Object.fromEntries(entries) as object;
  }

  async function storedExtremes(tenantId: string): Promise<object> {
    const rows = await storage.db
      .selectFrom('score_hours')
      .select(['agent_name', 'hour', 'score_count', 'numeric_min', 'numeric_max'])
      .where('tenant_id', '=', tenantId)
      .execute();
    return Object.fromEntries(
      rows.map(({ agent_name, hour, score_count, numeric_min, numeric_max }) => [
        `${agent_name} ${hour - START / HOUR}`,
        [score_count, numeric_min, numeric_max],
      ]),
    );
  }

  async function expectExtremes(runs: readonly Scored[]): Promise<void> {
    const tenantId = await record(runs);
    expect(await storedExtremes(tenantId)).toEqual(extremesOf(runs));
    await deleteOld(storage, tenantId, CUTOFF, 1000);
    expect(await storedExtremes(tenantId)).toEqual(extremesOf(runs.filter(({ old }) => !old)));
  }

  test('match the agent and all agents after a run is deleted', async () => {
    await expectExtremes([
      { agent: 'a', old: true, hour: 0, value: -4 },
      { agent: 'a', old: true, hour: 0, value: 4 },
      { agent: 'a', old: false, hour: 0, value: 1 },
      { agent: 'b', old: false, hour: 0, value: -2 },
      { agent: 'b', old: false, hour: 0, value: 3 },
    ]);
  });

  test('match the remaining scores, whichever runs are deleted', async () => {
    await fc.assert(fc.asyncProperty(fc.array(scored, { maxLength: 8 }), expectExtremes), {
      numRuns: 10,
    });
  });
});
