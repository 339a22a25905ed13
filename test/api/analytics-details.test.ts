import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agents, ids } from '../support/activity.ts';
import { databases } from '../support/databases.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

const HOUR_MS = 3_600_000;

describe.each(databases)('sessions, users and models on %s', (kind) => {
  let service: TwoTenants;
  let now: number;
  beforeAll(async () => {
    service = await startTwoTenants(kind);
    now = Date.now();
    service.setTime(now);
  });
  afterAll(() => service.stop());

  const analytics = () => service.one.byOwner.analytics;
  const iso = (ms: number | undefined) =>
    ms === undefined ? undefined : new Date(ms).toISOString();

  test.each(ids)(
    'the session and user %j are found by path, but only within their tenant',
    async (id) => {
      const { other, one } = service;
      await one.byKey.recording.startRun({
        body: { agent_name: 'paths', session_id: id, user_id: id },
      });
      const request = ({ analytics: client }: typeof one.byOwner) =>
        Promise.allSettled([
          client.getSession({ params: { session_id: id }, query: {} }),
          client.getTrackedUser({ params: { user_id: id }, query: {} }),
        ]);
      expect(await request(one.byOwner)).toMatchObject([
        { value: { session_id: id } },
        { value: { user_id: id } },
      ]);
      expect(await request(other.byOwner)).toMatchObject([
        { reason: { status: 404, message: `there is no session ${JSON.stringify(id)}` } },
        { reason: { status: 404, message: `there is no user ${JSON.stringify(id)}` } },
      ]);
    },
  );

  test('another tenant has separate lists', async () => {
    const theirs = service.other.byOwner.analytics;
    const nothing = { results: [], count: 0, next: null, previous: null };
    expect([
      await theirs.listSessions({ query: { search: 's' } }),
      await theirs.listSessions({ query: {} }),
      await theirs.listTrackedUsers({ query: { agent: agents[0] } }),
      await theirs.listTrackedUsers({ query: { start: '2020-01-01' } }),
      await theirs.getModelAnalytics({ query: {} }),
    ]).toEqual([
      nothing,
      nothing,
      nothing,
      nothing,
      {
        period: '7d',
        aggregates: { total_cost: 0, total_tokens: 0, total_calls: 0 },
        model_totals: [],
        time_series: [],
      },
    ]);
  });

  test('a detail lists the newest runs first, up to the given limit', async () => {
    const session = { agent_name: 'long', session_id: 'long', user_id: 'long' };
    const started: number[] = [];
    for (let i = 0; i < 103; i += 1) {
      const { run_id } = await service.one.byKey.recording.startRun({
        body: { ...session, trace_id: `t-${i}` },
      });
      started.unshift(Number(run_id));
    }
    const params = { session_id: 'long', user_id: 'long' };
    const whole = await analytics().getSession({ params, query: {} });
    const part = await analytics().getSession({ params, query: { limit: 2, offset: 100 } });
    const user = await analytics().getTrackedUser({ params, query: { limit: 5000 } });
    expect({
      count: whole.aggregates.run_count,
      whole: whole.runs.map(({ id }) => id),
      part: part.runs.map(({ id, trace_id }) => [id, trace_id]),
      user: user.runs.map(({ id }) => id),
    }).toEqual({
      count: 103,
      whole: started.slice(0, 100),
      part: [
        [started[100], 't-2'],
        [started[101], 't-1'],
      ],
      user: started,
    });
  });

  test('models without cost have no percentage', async () => {
    const { recording } = service.other.byKey;
    const { run_id } = await recording.startRun({ body: { agent_name: 'free' } });
    const calls = [{ model: 'own', tokens_in: 1, tokens_out: 2, cost: 0 }];
    await recording.recordLlmCalls({ params: { run_id }, body: { calls } });
    const { model_totals } = await service.other.byOwner.analytics.getModelAnalytics({ query: {} });
    expect(model_totals).toEqual([
      { model: 'own', total_cost: 0, total_tokens: 3, total_calls: 1, percentage: 0 },
    ]);
  });

  test('calls from a client with a fast clock are counted, as in lists', async () => {
    const { byKey, byOwner } = service.other;
    const { run_id } = await byKey.recording.startRun({ body: { agent_name: 'early' } });
    const created_at = new Date(Date.now() + 3 * HOUR_MS).toISOString();
    const calls = [{ model: 'later', tokens_in: 1, tokens_out: 2, cost: 0, created_at }];
    await byKey.recording.recordLlmCalls({ params: { run_id }, body: { calls } });
    const { aggregates } = await byOwner.analytics.getModelAnalytics({
      query: { period: '1d', agent: 'early' },
    });
    expect(aggregates.total_calls).toBe(1);
  });

  test('a session or user matches a time range in which any of their runs was active', async () => {
    const { recording } = service.one.byKey;
    const end = Date.parse('2026-01-10T12:00:00Z');
    const session = { agent_name: 'hours', session_id: 'hours', user_id: 'hours' };
    const run = async (from: number, to?: number, agent_name = 'hours') => {
      service.setTime(end + from * HOUR_MS);
      const { run_id } = await recording.startRun({ body: { ...session, agent_name } });
      if (to !== undefined) {
        service.setTime(end + to * HOUR_MS);
        await recording.completeRun({ params: { run_id }, body: {} });
      }
      return run_id;
    };
    await run(-10, -9.5);
    await run(-7, -4);
    await run(-8, -8, 'other');
    await run(1, 1, 'other');
    const found = async (from?: number, to?: number, agent?: string) => {
      const at = (hours?: number) => iso(hours === undefined ? undefined : end + hours * HOUR_MS);
      const query = { search: 'hours', start: at(from), end: at(to), agent };
      const counts = [
        (await analytics().listSessions({ query })).count,
        (await analytics().listTrackedUsers({ query })).count,
      ];
      expect(counts[1]).toBe(counts[0]);
      return counts[0];
    };
    // A run was active although none started; then no run was active.
    expect([await found(-6, -5), await found(-4, -3), await found(-3, -2)]).toEqual([1, 1, 0]);
    expect([await found(-5, undefined, 'hours'), await found(-3, undefined, 'hours')]).toEqual([
      1, 0,
    ]);
    expect([await found(-6, -5, 'other'), await found(-3, 0.5, 'other')]).toEqual([0, 0]);
    expect([await found(undefined, -10), await found(undefined, -9.9)]).toEqual([0, 1]);
    const params = { run_id: await run(-3) };
    expect([await found(-2, -1), await found(0, undefined, 'hours')]).toEqual([1, 1]);
    expect(await found(-2, -1, 'other')).toBe(0);
    service.setTime(end + 3 * HOUR_MS);
    const calls = [{ model: 'own', tokens_in: 1, tokens_out: 1, cost: 0 }];
    await recording.recordLlmCalls({ params, body: { calls } });
    await recording.completeRun({ params, body: {} });
    service.setTime(now);
    expect([await found(2), await found(2, 4), await found(4)]).toEqual([1, 1, 0]);
    expect([await found(2, undefined, 'hours'), await found(2, undefined, 'other')]).toEqual([
      1, 0,
    ]);
  });

  test('a date without a time, and a time without an offset, are UTC', async () => {
    const count = async (query: object) => (await analytics().listSessions({ query })).count;
    const [day] = new Date(now).toISOString().split('T');
    const forms = [`${day}`, `${day}T00:00`, `${day}T00:00:00Z`, `${day}T02:00:00+02:00`];
    const counts = await Promise.all(forms.map((start) => count({ start })));
    expect(new Set(counts).size).toBe(1);
    expect(await count({ start: '2020-01-01', end: '2020-01-01' })).toBe(0);
  });

  const lists = { listSessions: 'last_seen', listTrackedUsers: 'last_activity' } as const;
  test.each([
    ...Object.entries(lists).flatMap(([list, foreign]) =>
      [
        { limit: 0 },
        { limit: 'ten' },
        { limit: 2.5 },
        { offset: -1 },
        { sort: foreign },
        { sort: '' },
        { start: 'yesterday' },
        { end: '2026-02-30' },
        { start: '2026-02-02', end: '2026-02-01' },
      ].map((query) => [list, query] as const),
    ),
    ['getModelAnalytics', { period: '2d' }] as const,
  ])('%s rejects %j and names the parameter', async (route, query) => {
    const request = analytics()[route as 'listSessions'];
    await expect(request({ query: query as object })).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(new RegExp(`^${Object.keys(query)[0]}: `)) as string,
    });
  });
});
