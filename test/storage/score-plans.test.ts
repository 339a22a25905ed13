import { afterAll, beforeAll, expect, test } from 'vitest';
import { listRunLlmCalls } from '#control-plane/runs/queries.ts';
import { listScores, type ScoreFilter } from '#control-plane/scores/queries.ts';
import { openQueryPlans, type QueryPlans } from '../support/query-plans.ts';

let explained: QueryPlans;
beforeAll(async () => {
  explained = await openQueryPlans();
});
afterAll(() => explained.close());

const plansOfScores = (filter: Partial<ScoreFilter>, count: number) => {
  const sort = { by: 'created_at', direction: 'desc' } as const;
  return explained.plansOf(() =>
    listScores(explained.db, 'tnt_1', { sort, limit: 25, offset: 0, ...filter }, count),
  );
};

test.each<Partial<ScoreFilter>>([
  { data_type: 'boolean' },
  { source: 'sdk', data_type: 'categorical' },
  { data_type: 'boolean', sort: { by: 'name', direction: 'asc' } },
])('a few scores with %j are found by their names', async (filter) => {
  const plans = await plansOfScores(filter, 8);
  expect(plans).toContainEqual(expect.stringMatching(/SEARCH score_totals USING .*tenant_id=\?/));
  expect(plans).toContainEqual(
    expect.stringMatching(/SEARCH scores USING INDEX scores_by_name \(tenant_id=\? AND name=\?/),
  );
});

test.each<[Partial<ScoreFilter>, string]>([
  [{}, 'scores_by_time (tenant_id=?)'],
  [{ data_type: 'boolean' }, 'scores_by_time (tenant_id=?)'],
  [
    { data_type: 'boolean', sort: { by: 'name', direction: 'asc' } },
    'scores_by_name (tenant_id=? AND name>? AND name<?)',
  ],
  [
    { data_type: 'boolean', sort: { by: 'source', direction: 'desc' } },
    'scores_by_source (tenant_id=? AND source>? AND source<?)',
  ],
])('many scores with %j are read by %s without sorting', async (filter, index) => {
  const plans = await plansOfScores(filter, 100_000);
  expect(plans.some((line) => line.includes(`INDEX ${index}`))).toBe(true);
  expect(plans.filter((line) => line.includes('TEMP B-TREE'))).toEqual([]);
});

test('the index contains the calls of a run in the order of the list', async () => {
  const run = { tenantId: 'tnt_1', runId: 1 };
  const plans = await explained.plansOf(() =>
    listRunLlmCalls(explained.db, run, { limit: 25, offset: 100 }),
  );
  expect(plans).toEqual([
    'SEARCH llm_calls USING COVERING INDEX llm_calls_by_run (tenant_id=? AND run_id=?)',
    'SEARCH llm_calls USING COVERING INDEX llm_calls_by_run (tenant_id=? AND run_id=?)',
  ]);
});
