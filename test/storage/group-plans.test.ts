/** Checks that a list of sessions in a time range never makes SQLite read all their runs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listGroups } from '#control-plane/analytics/group-queries.ts';
import { openQueryPlans, type QueryPlans } from '../support/query-plans.ts';

let explained: QueryPlans;
beforeAll(async () => {
  explained = await openQueryPlans();
  const many = { tenant_id: 'many', session_id: 's', user_id: 'u' };
  // Two runs of one session, which are too many to start the query from.
  for (const id of [1, 2])
    await explained.storage.db
      .insertInto('runs')
      .values({
        ...many,
        id,
        workflow_id: 1,
        agent_name: 'a',
        workflow_name: 'w',
        tags: '[]',
        status: 'success',
        started_at: 5,
        completed_at: 6,
        llm_call_count: 0,
        tokens: 0,
        cost: 0,
      })
      .execute();
});
afterAll(() => explained.close());

/** Returns how SQLite reads runs for a page and its count. */
async function plansOf(tenant: string, filter: { agent?: string; start?: number; end?: number }) {
  const page = { sort: { by: 'last_at', direction: 'desc' }, limit: 25, offset: 0 } as const;
  const plans = await explained.plansOf(() =>
    listGroups(explained.db, 'sessions', tenant, { ...page, ...filter }),
  );
  return [...new Set(plans.filter((line) => / runs /.test(line)))].sort();
}

const LONG = 'SEARCH runs USING COVERING INDEX long_runs (tenant_id=? AND completed_at>?)';
const RUNNING =
  'SEARCH runs USING INDEX runs_by_status (tenant_id=? AND status=? AND started_at<?)';

test.each([
  [{ start: 5, end: 9 }, 'runs_by_start (tenant_id=? AND started_at>? AND started_at<?)'],
  [
    { start: 5, end: 9, agent: 'a' },
    'runs_by_agent (tenant_id=? AND agent_name=? AND started_at>? AND started_at<?)',
  ],
])('%j starts from the runs of the time range if they are few', async (filter, index) => {
  expect(await plansOf('few', filter)).toEqual(
    [
      LONG,
      RUNNING,
      `SEARCH runs USING COVERING INDEX ${index}`,
      `SEARCH runs USING INDEX ${index}`,
    ].sort(),
  );
});

test('each session is checked against its runs in the time range if those are many', async () => {
  expect(await plansOf('many', { start: 5, end: 9 })).toEqual(
    [
      LONG,
      RUNNING,
      'SEARCH runs USING COVERING INDEX runs_by_start (tenant_id=? AND started_at>? AND started_at<?)',
      'SEARCH runs USING INDEX runs_by_session_id (tenant_id=? AND session_id=? AND started_at>? AND started_at<?)',
    ].sort(),
  );
});

test.each([{ start: 5 }, { end: 9 }])('%j reads no runs', async (filter) => {
  expect(await plansOf('many', filter)).toEqual([]);
});
