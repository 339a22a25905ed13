import { afterAll, beforeAll, expect, test } from 'vitest';
import { findRunFindings } from '#control-plane/runs/findings-queries.ts';
import { listRuns, summarizeRuns } from '#control-plane/runs/list-queries.ts';
import type { RunFilter } from '#control-plane/runs/list-rules.ts';
import { openQueryPlans, type QueryPlans } from '../support/query-plans.ts';

let explained: QueryPlans;
beforeAll(async () => {
  explained = await openQueryPlans();
});
afterAll(() => explained.close());

const page = { sort: { by: 'started_at', direction: 'desc' }, limit: 25, offset: 0 } as const;
const selectionOf = (filter: RunFilter) => ({ tenantId: 'tnt_1', filter, found: undefined });

/** Tables that are read completely. */
const scans = (plans: readonly string[]): string[] =>
  plans.filter((line) => /^SCAN (?!json_each|found)/.test(line));

test.each<[RunFilter, RegExp]>([
  [{}, /INDEX runs_by_start \(tenant_id=\?\)/],
  [
    { start: 1, end: 2 },
    /INDEX runs_by_start \(tenant_id=\? AND started_at>\? AND started_at<\?\)/,
  ],
  [{ agent: 'a' }, /INDEX runs_by_agent \(tenant_id=\? AND agent_name=\?\)/],
  [{ status: 'error' }, /INDEX runs_by_status \(tenant_id=\? AND status=\?\)/],
  [{ user: 'u' }, /INDEX runs_by_user_id \(tenant_id=\? AND user_id=\?\)/],
  [{ session: 's' }, /INDEX runs_by_session_id \(tenant_id=\? AND session_id=\?\)/],
])('runs with %j are read by an index without sorting', async (filter, index) => {
  const plans = await explained.plansOf(() => listRuns(explained.db, selectionOf(filter), page));
  expect(plans.some((line) => index.test(line))).toBe(true);
  expect(plans.filter((line) => /TEMP B-TREE FOR ORDER BY/.test(line))).toEqual([]);
  expect(scans(plans)).toEqual([]);
});

test.each<[RunFilter]>([
  [{ model: ['m'] }],
  [{ has_error: 'true' }],
  [{ min_cost: 1, max_duration: 2 }],
  [{ verdict: 'warn' }],
  [{ score: 'quality', score_value: 'good', min_score: 0, max_score: 1 }],
])('runs with %j look each record up in an index', async (filter) => {
  const listed = await explained.plansOf(() => listRuns(explained.db, selectionOf(filter), page));
  const summed = await explained.plansOf(() => summarizeRuns(explained.db, selectionOf(filter)));
  expect(scans([...listed, ...summed])).toEqual([]);
  expect(
    listed.filter((line) => /llm_calls|spans|scores|evaluations/.test(line) && !/INDEX/.test(line)),
  ).toEqual([]);
});

test('verdicts and scores of many runs are read by the run indexes with two statements', async () => {
  const ids = Array.from({ length: 50 }, (_, at) => at + 1);
  const plans = await explained.plansOf(() => findRunFindings(explained.db, 'tnt_1', ids));
  expect(scans(plans.filter((line) => !/^SCAN (latest|\(subquery)/.test(line)))).toEqual([]);
  const searches = plans.filter((line) => /SEARCH (scores|evaluations)/.test(line));
  expect(searches).toEqual([
    expect.stringMatching(/INDEX evaluations_by_run \(tenant_id=\? AND run_id=\?\)/),
    expect.stringMatching(/INDEX scores_by_run \(tenant_id=\? AND run_id=\?\)/),
  ]);
});
