import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { contract } from '#contract/index.ts';
import type { RouteRequest, RouteResponse } from '#contract/route.ts';
import { databases } from '../support/databases.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

type Query = RouteRequest<(typeof contract)['analytics']['queryAnalytics']>['body'];
type QueryResult = RouteResponse<(typeof contract)['analytics']['queryAnalytics']>;

const NOW = Date.parse('2026-03-31T10:30:00.000Z');
const HOUR_MS = 3_600_000;

interface Run {
  agent: string;
  user: string | null;
  team: string | null;
  tags: string[];
  status: 'success' | 'error' | 'running';
  at: number;
  duration: number;
}
interface Call {
  run: Run;
  model: string;
  provider: string | null;
  tokens_in: number;
  tokens_out: number;
  cost: number;
  at: number;
  duration: number | null;
}

/**
 * Varied but deterministic runs, around the start of daylight saving time in Berlin on March 29.
 */
const runs: Run[] = Array.from({ length: 40 }, (_, at) => ({
  agent: ['alpha', 'beta', 'gamma'][at % 3] as string,
  user: [null, 'ada', 'grace', 'alan', 'edsger'][at % 5] as string | null,
  team: at % 4 === 0 ? null : `team-${at % 2}`,
  tags: [[], ['eu'], ['eu', 'batch'], ['batch', 'x"y']][at % 4] as string[],
  status: (['success', 'error', 'success', 'running'] as const)[at % 4] as Run['status'],
  at: NOW - 5 * 24 * HOUR_MS + at * 3 * HOUR_MS - (at % 7) * 611_000,
  duration: 50 + at * at * 137,
}));
const calls: Call[] = runs.flatMap((run, at) =>
  Array.from({ length: 1 + (at % 4) }, (_, index) => ({
    run,
    model: ['m-1', 'm-2', 'm-3', 'm-4', 'm-5'][(at + index * 2) % 5] as string,
    provider: ['openai', 'anthropic', null][(at + index) % 3] as string | null,
    tokens_in: 10 + ((at * 37 + index * 11) % 90),
    tokens_out: (at * 13 + index) % 40,
    cost: ((at * 7 + index * 3) % 23) / 8,
    at: run.at + index * 41 * 60_000,
    duration: index === 3 ? null : 20 + ((at * 91 + index * 733) % 5000),
  })),
);

describe.each(databases)('analytics queries on %s', (kind) => {
  let service: TwoTenants;
  beforeAll(async () => {
    service = await startTwoTenants(kind);
    service.setTime(NOW);
    for (const run of runs) await record(run);
  });
  afterAll(() => service.stop());

  async function record(run: Run): Promise<void> {
    const { recording } = service.one.byKey;
    const { run_id } = await recording.startRun({
      body: {
        agent_name: run.agent,
        started_at: new Date(run.at).toISOString(),
        tags: run.tags,
        ...(run.user !== null && { user_id: run.user }),
        ...(run.team !== null && { user_group: run.team }),
      },
    });
    const params = { run_id };
    const body = {
      calls: calls
        .filter((call) => call.run === run)
        .map(({ at, duration, provider, run: _run, ...call }) => ({
          ...call,
          created_at: new Date(at).toISOString(),
          ...(provider !== null && { provider }),
          ...(duration !== null && { duration_ms: duration }),
        })),
    };
    await recording.recordLlmCalls({ params, body });
    const { status, at, duration } = run;
    if (status === 'running') return;
    const completed_at = new Date(at + duration).toISOString();
    await recording.completeRun({ params, body: { status, completed_at } });
  }

  const runQuery = (body: Query, of: 'one' | 'other' = 'one'): Promise<QueryResult> =>
    service[of].byOwner.analytics.queryAnalytics({ body });

  const nameOf: Record<string, (call: Call) => string | null> = {
    agent: ({ run }) => run.agent,
    user: ({ run }) => run.user,
    team: ({ run }) => run.team,
    model: ({ model }) => model,
    provider: ({ provider }) => provider,
  };
  const amountOf: Record<string, (call: Call) => number> = {
    llm_calls: () => 1,
    cost: ({ cost }) => cost,
    tokens: ({ tokens_in, tokens_out }) => tokens_in + tokens_out,
    tokens_in: ({ tokens_in }) => tokens_in,
    tokens_out: ({ tokens_out }) => tokens_out,
  };
  const total = (some: readonly Call[], measure: string): number =>
    some.reduce((sum, call) => sum + (amountOf[measure] as (call: Call) => number)(call), 0);

  const anyQuery = fc.record({
    measure: fc.constantFrom('llm_calls', 'cost', 'tokens', 'tokens_in', 'tokens_out'),
    group_by: fc.constantFrom('agent', 'user', 'team', 'model', 'provider'),
    interval: fc.constantFrom('none', 'hour', 'day', 'week'),
    timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/Los_Angeles'),
    start: fc.integer({ min: NOW - 6 * 24 * HOUR_MS, max: NOW - 12 * HOUR_MS }),
    hours: fc.integer({ min: 1, max: 140 }),
    top: fc.integer({ min: 1, max: 6 }),
    agent: fc.option(fc.constantFrom('alpha', 'beta')),
    status: fc.option(fc.constantFrom('success', 'error')),
    tag: fc.option(fc.constantFrom('eu', 'batch')),
  } as const);

  test('an answer is equal to values computed over all calls, and its parts add up', async () => {
    await fc.assert(
      fc.asyncProperty(anyQuery, async ({ hours, agent, status, tag, start, ...query }) => {
        const end = start + hours * HOUR_MS;
        const filters = {
          ...(agent !== null && { agent }),
          ...(status !== null && { status }),
          ...(tag !== null && { tag: [tag] }),
        };
        const result = await runQuery({
          ...query,
          filters,
          compare: true,
          start: new Date(start).toISOString(),
          end: new Date(end).toISOString(),
        });
        const passing = calls.filter(
          ({ run }) =>
            (agent === null || run.agent === agent) &&
            (status === null || run.status === status) &&
            (tag === null || run.tags.includes(tag)),
        );
        const within = passing.filter(({ at }) => at >= start && at < end);
        const before = passing.filter(({ at }) => at >= 2 * start - end && at < start);
        const { measure, group_by, timezone, interval } = query;
        expect(result.partial).toBeNull();
        expect(result.total.value).toBeCloseTo(total(within, measure), 6);
        expect(result.total.previous).toBeCloseTo(total(before, measure), 6);
        const groupOf = nameOf[group_by] as (call: Call) => string | null;
        for (const group of result.groups) {
          const own = within.filter((call) => groupOf(call) === group.key);
          expect(group.value).toBeCloseTo(total(own, measure), 6);
        }
        for (const field of ['value', 'previous'] as const) {
          const parts = [...result.groups, ...(result.other ? [result.other] : [])];
          const sum = parts.reduce((added, part) => added + (part[field] ?? 0), 0);
          expect(sum).toBeCloseTo(result.total[field] ?? 0, 6);
        }
        const day = new Intl.DateTimeFormat('sv', { timeZone: timezone });
        result.intervals.forEach((bounds, at) => {
          const [from, to] = [Date.parse(bounds.start), Date.parse(bounds.end)];
          const own = within.filter((call) => call.at >= from && call.at < to);
          expect(result.total.values[at]).toBeCloseTo(total(own, measure), 6);
          expect(interval !== 'day' || day.format(from) === day.format(to - 1)).toBe(true);
        });
        const steps = result.total.values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
        expect(steps).toBeCloseTo(interval === 'none' ? 0 : total(within, measure), 6);
      }),
      { numRuns: 60 },
    );
  });

  const week = { start: '2026-03-24T00:00:00Z', end: '2026-03-31T10:00:00Z' };
  const inWeek = (at: number): boolean => at >= Date.parse(week.start) && at < Date.parse(week.end);

  test('days begin at midnight in the time zone, also when the clocks change', async () => {
    const { intervals } = await runQuery({
      measure: 'cost',
      interval: 'day',
      timezone: 'Europe/Berlin',
      start: '2026-03-28T05:00:00Z',
      end: '2026-03-30T12:00:00Z',
    });
    expect(intervals.map(({ start }) => start)).toEqual([
      '2026-03-28T05:00:00.000Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ]);
  });

  test('percentiles are exact within the precision, from totals and from records', async () => {
    const exact = (durations: number[]): number =>
      durations.toSorted((a, b) => a - b)[Math.ceil(0.95 * durations.length) - 1] as number;
    const ended = runs.filter(({ status, at }) => status !== 'running' && inWeek(at));
    for (const group_by of ['none', 'agent'] as const) {
      const result = await runQuery({ measure: 'run_duration_p95', group_by, ...week });
      const wanted = exact(ended.map(({ duration }) => duration));
      expect(result.source).toBe(group_by === 'none' ? 'totals' : 'records');
      expect(result.total.value).toBeGreaterThan(wanted * (1 - (result.precision ?? 0)));
      expect(result.total.value).toBeLessThan(wanted * (1 + (result.precision ?? 0)));
    }
    const timed = calls.flatMap(({ at, duration }) =>
      inWeek(at) && duration !== null ? duration : [],
    );
    const { total: latency } = await runQuery({ measure: 'call_latency_p95', ...week });
    expect((latency.value ?? 0) / exact(timed)).toBeCloseTo(1, 1);
  });

  test('the error rate covers the runs that have ended', async () => {
    const result = await runQuery({ measure: 'error_rate', group_by: 'agent', ...week });
    const ended = runs.filter(({ status, at }) => status !== 'running' && inWeek(at));
    for (const { key, value } of result.groups) {
      const own = ended.filter(({ agent }) => agent === key);
      const failed = own.filter(({ status }) => status === 'error');
      expect(value).toBeCloseTo(failed.length / own.length, 9);
    }
    expect(result.unit).toBe('ratio');
  });

  test('a run counts for each of its tags, and the answer says so', async () => {
    const result = await runQuery({ measure: 'runs', group_by: 'tag', ...week });
    const counted = (tag: string | null): number =>
      runs.filter(
        ({ tags, at }) => inWeek(at) && (tag === null ? tags.length === 0 : tags.includes(tag)),
      ).length;
    expect(result.overlapping).toBe(true);
    expect(new Set(result.groups.map(({ key }) => key))).toEqual(
      new Set([null, 'eu', 'batch', 'x"y']),
    );
    for (const { key, value } of result.groups) expect(value).toBe(counted(key));
    const { groups, other } = await runQuery({ measure: 'runs', group_by: 'tag', top: 1, ...week });
    const shown = groups[0]?.key as string;
    const rest = runs.filter(({ tags, at }) => inWeek(at) && !tags.includes(shown));
    expect(other?.value).toBe(rest.length);
  });

  test("the API key that recorded a run is a group with the key's name", async () => {
    const result = await runQuery({ measure: 'cost', group_by: 'api_key', ...week });
    expect(result.groups).toHaveLength(1);
    const [{ key, label } = { key: null, label: '' }] = result.groups;
    expect(key).toMatch(/^key_/);
    expect(label).not.toBe(key);
    const { count } = await service.one.byOwner.runs.listRuns({
      query: { api_key: key ?? '', limit: 1 },
    });
    expect(count).toBe(runs.length);
    const none = await service.one.byOwner.runs.listRuns({ query: { team: 'team-1', limit: 1 } });
    expect(none.count).toBe(runs.filter(({ team }) => team === 'team-1').length);
  });

  test('scores are averaged by name', async () => {
    const { byKey } = service.one;
    const { run_id } = await byKey.recording.startRun({ body: { agent_name: 'scored' } });
    const scores = [1, 2, 6].map((numeric_value) => ({ name: 'quality', numeric_value }));
    await byKey.recording.recordScores({
      params: { run_id },
      body: { scores: [...scores, { name: 'tone', numeric_value: 5 }] },
    });
    for (const group_by of ['score', 'team'] as const) {
      const result = await runQuery({
        measure: 'score_average',
        group_by,
        filters: { score: 'quality' },
      });
      expect(result.source).toBe(group_by === 'score' ? 'totals' : 'records');
      expect(result.total.value).toBe(3);
    }
    const { groups } = await runQuery({ measure: 'score_average', group_by: 'score' });
    expect(groups.map(({ key, value }) => [key, value])).toEqual([
      ['quality', 3],
      ['tone', 5],
    ]);
  });

  test('verdicts include those of runs and of checks', async () => {
    const { policies, evaluations } = service.one.byKey;
    await policies.createPolicy({
      body: {
        name: 'one an hour',
        category: 'rate-limit',
        rules: { max_per_hour: 1 },
        scope: { agents: ['limited'] },
      },
    });
    for (const agent_name of ['limited', 'limited'])
      await evaluations.checkPolicy({ body: { agent_name } });
    const query = { measure: 'verdicts', filters: { agent: 'limited' } } as const;
    const result = await runQuery({ ...query, group_by: 'action' });
    expect(new Map(result.groups.map(({ key, value }) => [key, value]))).toEqual(
      new Map([
        ['allow', 1],
        ['block', 1],
      ]),
    );
    const listed = await service.one.byOwner.evaluations.listEvaluations({
      query: { agent: 'limited' },
    });
    expect(result.total.value).toBe(listed.count);
    const byPolicy = await runQuery({ ...query, group_by: 'policy' });
    expect(byPolicy.groups.map(({ key }) => key)).toEqual(['one an hour']);
  });

  test('a tenant sees no data of others, and each tenant below it as one group', async () => {
    const { total: theirs } = await runQuery({ measure: 'cost' }, 'other');
    expect(theirs.value).toBe(0);
    const sub = await service.one.byKey.subTenants.createSubTenant({ body: { name: 'Branch' } });
    const { groups } = await runQuery({ measure: 'cost', group_by: 'tenant', ...week });
    expect(groups.map(({ label }) => label)).toEqual(['this tenant']);
    expect(groups[0]?.key).not.toBe(sub.id);
  });

  test.each([
    [{ measure: 'runs', group_by: 'model' }, /group_by/],
    [{ measure: 'runs', timezone: 'Mars/Olympus' }, /timezone/],
    [{ measure: 'runs', interval: 'hour', start: '2020-01-01' }, /interval/],
    [{ measure: 'runs', start: '2026-02-01', end: '2026-01-01' }, /start/],
  ] as const)('%j is rejected', async (query, message) => {
    await expect(runQuery(query)).rejects.toThrow(message);
  });

  test('a viewer cannot compare tenants', async () => {
    const user = { email: 'viewer@example.test', password: 'a long enough pass phrase' };
    await service.one.byOwner.identity.createUser({
      body: { ...user, role: 'viewer', must_change_password: false },
    });
    const { token } = await service.one.byOwner.identity.login({ body: user });
    const response = await fetch(`${service.urls.public}/api/v1/observability/analytics/query/`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ measure: 'cost', group_by: 'tenant' }),
    });
    expect(response.status).toBe(403);
  });
});
