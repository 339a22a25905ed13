import { afterAll, beforeAll, expect, test } from 'vitest';
import { listCaptures } from '#control-plane/captures/list-queries.ts';
import { findRunOf } from '#control-plane/captures/queries.ts';
import { countReports } from '#control-plane/devices/queries.ts';
import { countFlowsOverTime, listFlows } from '#control-plane/flows/queries.ts';
import { listApps } from '#control-plane/inventory/app-queries.ts';
import {
  deleteCaptures,
  deleteReportBatches,
  deleteReports,
} from '#control-plane/device-reports/retention-queries.ts';
import { openQueryPlans, type QueryPlans } from '../support/query-plans.ts';

let explained: QueryPlans;
beforeAll(async () => {
  explained = await openQueryPlans();
});
afterAll(() => explained.close());

/** Returns full scans and sorts, except scans of a page that was already read. */
const scans = (plans: readonly string[]): string[] =>
  plans.filter((line) => /^SCAN (?!page|found)|TEMP B-TREE FOR ORDER BY/.test(line));

const page = { limit: 25, offset: 0 };
const newest = { by: 'started_at', direction: 'desc' } as const;

test.each([
  [{}, ['flows_by_start (tenant_id=?)']],
  // For counting, any index that excludes unknown hosts is suitable.
  [
    { known_host: 'true' },
    ['flows_of_known_hosts (tenant_id=?)', 'flows_by_host (tenant_id=? AND host>?)'],
  ],
  [{ known_host: 'false' }, ['flows_by_host (tenant_id=? AND host=?)']],
  [{ host: 'claude.ai' }, ['flows_by_host (tenant_id=? AND host=?)']],
  [{ process: 'claude' }, ['flows_by_process (tenant_id=? AND process=?)']],
  [{ device: 'dev_1' }, ['flows_by_device (tenant_id=? AND device_id=?)']],
] as const)('flows with %j are read by %j', async (filter, indexes) => {
  const plans = await explained.plansOf(() =>
    listFlows(explained.db, 'tnt_1', { ...page, sort: newest, ...filter }, 0),
  );
  // One use for the page and one for the count.
  const along = plans.filter((line) => indexes.some((index) => line.includes(`INDEX ${index}`)));
  expect(along).toHaveLength(2);
  expect(plans.find((line) => line.includes(`INDEX ${indexes[0]}`))).toBeDefined();
  expect(scans(plans)).toEqual([]);
});

test.each([
  [{}, 'captures_by_start (tenant_id=?)'],
  [{ start: 1, end: 2 }, 'captures_by_start (tenant_id=? AND started_at>? AND started_at<?)'],
  [{ device: 'dev_1' }, 'captures_by_device_id (tenant_id=? AND device_id=?)'],
  [{ host: 'claude.ai' }, 'captures_by_host (tenant_id=? AND host=?)'],
  [{ app: 'codex' }, 'captures_by_app_id (tenant_id=? AND app_id=?)'],
  [{ model: 'gpt-5' }, 'captures_by_model (tenant_id=? AND model=?)'],
  [{ status: 500 }, 'captures_by_status (tenant_id=? AND status=?)'],
  [{ outcome: 'none' }, 'captures_by_status (tenant_id=? AND status=?)'],
] as const)('captures with %j are read by %s', async (filter, index) => {
  const plans = await explained.plansOf(() =>
    listCaptures(explained.db, 'tnt_1', { ...page, sort: newest, ...filter }),
  );
  const along = plans.filter((line) => line.includes(`INDEX ${index}`));
  // All captures of a tenant may be counted in any index.
  expect(along).toHaveLength(Object.keys(filter).length === 0 ? 1 : 2);
  expect(scans(plans)).toEqual([]);
});

test('the run of a capture is found by the capture or by the response id', async () => {
  const capture = { id: 'cap_1', response_id: 'r' };
  const plans = await explained.plansOf(() => findRunOf(explained.db, 'tnt_1', capture));
  expect(plans.map((line) => / INDEX (.*)/.exec(line)?.[1])).toEqual([
    'runs_by_capture (tenant_id=? AND capture_id=?)',
    'llm_calls_by_response (tenant_id=? AND response_id=?)',
  ]);
});

test.each([
  [{}, 'apps_by_name (tenant_id=?)'],
  [{ kind: 'cli' }, 'apps_by_name (tenant_id=? AND kind=?)'],
  [{ device: 'dev_1' }, 'apps_by_device (tenant_id=? AND device_id=?)'],
] as const)('apps with %j are read by %s without sorting', async (filter, index) => {
  const sort = { by: 'kind', direction: 'asc' } as const;
  const plans = await explained.plansOf(() =>
    listApps(explained.db, 'tnt_1', { ...page, sort, ...filter }),
  );
  expect(plans.filter((line) => line.includes(`INDEX ${index}`)).length).toBeGreaterThan(0);
  expect(scans(plans)).toEqual([]);
});

test.each([
  ['first_seen', 'apps_by_first_seen (tenant_id=?)'],
  ['last_seen', 'apps_by_last_seen (tenant_id=?)'],
] as const)('apps by %s are read by %s without sorting', async (by, index) => {
  const sort = { by, direction: 'desc' } as const;
  const plans = await explained.plansOf(() =>
    listApps(explained.db, 'tnt_1', { ...page, sort, new_since: undefined }),
  );
  expect(plans.some((line) => line.includes(`INDEX ${index}`))).toBe(true);
  expect(scans(plans)).toEqual([]);
});

test('the reports of a device are counted only in indexes', async () => {
  const plans = await explained.plansOf(() => countReports(explained.db, 'tnt_1', 'dev_1'));
  expect(plans.map((line) => line.replace(/ \(.*/, ''))).toEqual([
    'SEARCH apps USING COVERING INDEX apps_by_device',
    'SEARCH flows USING COVERING INDEX flows_by_device',
  ]);
});

test('old rows are found without reading newer ones', async () => {
  const old = { tenantId: 'tnt_1', cutoff: 1, limit: 10 };
  const plans = await explained.plansOf(() =>
    explained.transaction(async (tx) => {
      await deleteCaptures(tx, old);
      await deleteReports(tx, old);
      await deleteReportBatches(tx, 'tnt_1', 1, 10);
    }),
  );
  const along = plans.filter((line) => line.endsWith('<?)'));
  expect([...new Set(along.map((line) => / INDEX (\S+)/.exec(line)?.[1]))]).toEqual([
    'captures_by_start',
    'observation_gaps_by_time',
    'capture_pauses_by_time',
    'flows_by_start',
    'apps_by_last_seen',
    'device_batches_by_time',
  ]);
  expect(plans.filter((line) => /^SCAN (?!json_each)/.test(line))).toEqual([]);
});

test.each([
  [{}, 'flows_by_start (tenant_id=? AND started_at>? AND started_at<?)'],
  [{ host: 'a.b' }, 'flows_by_host (tenant_id=? AND host=? AND started_at>? AND started_at<?)'],
  [
    { device: 'dev_1' },
    'flows_by_device (tenant_id=? AND device_id=? AND started_at>? AND started_at<?)',
  ],
] as const)(
  'flows with %j are counted over time only in ranges of an index',
  async (filter, index) => {
    await explained.storage.db
      .insertInto('flows')
      .values(anyFlow)
      .onConflict((c) => c.doNothing())
      .execute();
    const plans = await explained.plansOf(() => countFlowsOverTime(explained.db, 'tnt_1', filter));
    expect(plans).toContain(`SEARCH flows USING COVERING INDEX ${index}`);
    expect(plans.filter((line) => /GROUP BY|^SEARCH flows USING INDEX/.test(line))).toEqual([]);
  },
);

test('sorted flows are limited by the index on their time', async () => {
  const sort = { by: 'bytes_in', direction: 'desc' } as const;
  const plans = await explained.plansOf(() =>
    listFlows(explained.db, 'tnt_1', { ...page, sort }, 0),
  );
  expect(plans.filter((line) => line.includes('INDEX flows_by_start (tenant_id=?)'))).toHaveLength(
    2,
  );
});

const anyFlow = {
  tenant_id: 'tnt_1',
  device_id: 'dev_1',
  id: 'flow_1',
  app_id: null,
  process: null,
  path: null,
  pid: null,
  user: null,
  host: 'a.b',
  address: '203.0.113.9',
  port: 443,
  protocol: 'tcp',
  started_at: 1_700_000_000_000,
  ended_at: null,
  bytes_in: null,
  bytes_out: null,
} as const;
