import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sessionTimes, userTimes } from '#contract/analytics.ts';
import {
  agents,
  ids,
  pagesOf,
  plans,
  send,
  type SentRun,
  totalsOf,
  usageOf,
} from '../support/activity.ts';
import { databases } from '../support/databases.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

const HOUR_MS = 3_600_000;

const totalSorts = [
  'run_count',
  'error_count',
  'total_duration',
  'total_cost',
  'total_tokens',
] as const;

describe.each(databases)('sessions, users and models on %s', (kind) => {
  let service: TwoTenants;
  let now: number;
  const sent: SentRun[] = [];
  beforeAll(async () => {
    service = await startTwoTenants(kind);
    now = Date.now();
    service.setTime(now);
  });
  afterAll(() => service.stop());

  const analytics = () => service.one.byOwner.analytics;

  interface Page {
    results: object[];
    count: number;
    next: string | null;
    previous: string | null;
  }
  const sessionOf = (session_id: string, runs: readonly SentRun[]) => {
    const { first, last, ...totals } = totalsOf(runs);
    return { session_id, first_run: first, last_activity: last, ...totals };
  };
  const userOf = (user_id: string, runs: readonly SentRun[]) => {
    const { first, last, ...totals } = totalsOf(runs);
    return { user_id, first_seen: first, last_seen: last, ...totals };
  };
  const kinds = {
    session: {
      list: (query: object): Promise<Page> => analytics().listSessions({ query }),
      expected: sessionOf,
      summarize: (query: object) => analytics().summarizeSessions({ query }),
      times: sessionTimes,
      sorts: ['last_activity', 'first_run', ...totalSorts],
    },
    user: {
      list: (query: object): Promise<Page> => analytics().listTrackedUsers({ query }),
      expected: userOf,
      summarize: (query: object) => analytics().summarizeTrackedUsers({ query }),
      times: userTimes,
      sorts: ['last_seen', 'first_seen', ...totalSorts],
    },
  } as const;

  interface Filter {
    search?: string;
    agent?: string;
    start?: number;
    end?: number;
  }

  /** Totals are of the whole group, if any of its runs is wanted. */
  const expectedOf = (by: 'session' | 'user', filter: Filter) => {
    const groups = Map.groupBy(
      sent.filter((run) => run[by] !== null),
      (run) => run[by] as string,
    );
    return [...groups]
      .filter(([id]) => folded(id).includes(folded(filter.search ?? '')))
      .filter(([, runs]) => isActive(runs, filter))
      .map(([id, runs]) => kinds[by].expected(id, runs));
  };

  /** A run goes on to its end; without one to the last activity, which is of the group otherwise. */
  const isActive = (runs: readonly SentRun[], { agent, start, end }: Filter): boolean => {
    const last = Date.parse(totalsOf(runs).last);
    const times = runs
      .filter((run) => !agent || run.agent === agent)
      .map((run) => [run.startedAt, run.completedAt ?? last] as const);
    if (!agent) times.push([last, last]);
    return times.some(([from, to]) => from < (end ?? Infinity) && to >= (start ?? -Infinity));
  };

  const folded = (text: string) => text.toLowerCase();
  const iso = (ms: number | undefined) =>
    ms === undefined ? undefined : new Date(ms).toISOString();
  const byId = (by: 'session' | 'user', rows: readonly object[]) =>
    rows.toSorted((a, b) => (idOf(by, a) < idOf(by, b) ? -1 : 1));
  const idOf = (by: 'session' | 'user', row: object) =>
    (row as Record<string, string>)[`${by}_id`] ?? '';

  const checkList = async (by: 'session' | 'user', filter: Filter) => {
    const { list, sorts } = kinds[by];
    const query = { ...filter, start: iso(filter.start), end: iso(filter.end) };
    const expected = byId(by, expectedOf(by, filter));
    for (const sort of sorts) {
      const up = await pagesOf((paging) => list({ ...query, ...paging, sort }), 3);
      const down = await pagesOf((paging) => list({ ...query, ...paging, sort: `-${sort}` }), 2);
      expect(byId(by, up)).toEqual(expected);
      expect(down).toEqual(up.toReversed());
      const keys = up.map((row) => (row as Record<string, string | number>)[sort]);
      expect(keys).toEqual(keys.toSorted((a, b) => ((a ?? 0) < (b ?? 0) ? -1 : 1)));
    }
  };

  /** The counts over time are those of the list, and so is the list of a bucket. */
  const checkOverTime = async (by: 'session' | 'user', filter: Filter) => {
    const { list, summarize, times } = kinds[by];
    const query = { ...filter, start: iso(filter.start), end: iso(filter.end) };
    const rows: Partial<Record<(typeof times)[number], string>>[] = expectedOf(by, filter);
    for (const time of times) {
      const { bucket_seconds, buckets, ...all } = await summarize({ ...query, by: time });
      expect(all).toEqual({ count: rows.length, complete: true });
      const length = bucket_seconds * 1000;
      const floors = rows.map((row) => Date.parse(row[time] ?? ''));
      const expected = [...Map.groupBy(floors, (at) => at - (at % length))]
        .sort(([a], [b]) => a - b)
        .map(([start, own]) => ({ start: iso(start), count: own.length }));
      expect(buckets).toEqual(expected);
      const [first] = buckets;
      if (!first || filter.start !== undefined || filter.end !== undefined) continue;
      const bucket = { start: first.start, end: iso(Date.parse(first.start) + length) };
      expect(await list({ ...filter, ...bucket, time })).toMatchObject({ count: first.count });
    }
  };

  const checkModels = async (period: '1d' | '7d' | '30d', agent: string | undefined) => {
    const since = Math.floor(now / HOUR_MS) * HOUR_MS - Number.parseInt(period, 10) * 24 * HOUR_MS;
    const calls = sent
      .filter((run) => agent === undefined || run.agent === agent)
      .flatMap((run) => run.calls)
      .filter(({ at }) => at >= since);
    const date = (at: number) => new Date(at).toISOString().slice(0, 10);
    const aggregates = { ...usageOf(calls), total_calls: calls.length };
    const models = [...Map.groupBy(calls, ({ model }) => model)];
    const days = [...Map.groupBy(calls, ({ at, model }) => `${date(at)} ${model}`)];
    const answer = await analytics().getModelAnalytics({ query: { period, agent } });
    expect(answer).toEqual({
      period,
      aggregates,
      model_totals: models
        .map(([model, own]) => ({
          model,
          ...usageOf(own),
          total_calls: own.length,
          percentage: aggregates.total_cost
            ? expect.closeTo((usageOf(own).total_cost / aggregates.total_cost) * 100, 9)
            : 0,
        }))
        .sort((a, b) => b.total_cost - a.total_cost || (a.model < b.model ? -1 : 1)),
      time_series: days
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([day, own]) => {
          const { total_cost: cost, total_tokens: tokens } = usageOf(own);
          return { date: day.slice(0, 10), model: day.slice(11), cost, tokens, calls: own.length };
        }),
    });
  };

  const statusOf = ({ completedAt, failed }: SentRun) => {
    if (completedAt === null) return 'running';
    return failed ? 'error' : 'success';
  };

  const checkDetails = async () => {
    const summary = (run: SentRun) => ({
      id: run.id,
      agent_name: run.agent,
      workflow_name: 'default',
      started_at: iso(run.startedAt),
      completed_at: iso(run.completedAt ?? undefined) ?? null,
      duration: run.completedAt === null ? null : (run.completedAt - run.startedAt) / 1000,
      status: statusOf(run),
      cost: usageOf(run.calls).total_cost,
      tokens: usageOf(run.calls).total_tokens,
    });
    const runsOf = (by: 'session' | 'user', id: string) =>
      sent.filter((run) => run[by] === id).sort((a, b) => b.startedAt - a.startedAt || b.id - a.id);
    const session = sent.findLast((run) => run.session !== null)?.session;
    if (session) {
      const runs = runsOf('session', session);
      const { first: _first, last: _last, ...aggregates } = totalsOf(runs);
      expect(await analytics().getSession({ params: { session_id: session }, query: {} })).toEqual({
        session_id: session,
        aggregates,
        runs: runs.map((run) => ({ ...summary(run), trace_id: null })),
      });
    }
    const user = sent.findLast((run) => run.user !== null)?.user;
    if (!user) return;
    const runs = runsOf('user', user);
    const { user_id: _id, ...aggregates } = userOf(user, runs);
    const models = Map.groupBy(
      runs.flatMap((run) => run.calls),
      ({ model }) => model,
    );
    expect(await analytics().getTrackedUser({ params: { user_id: user }, query: {} })).toEqual({
      user_id: user,
      aggregates,
      cost_by_model: [...models]
        .map(([model, calls]) => ({ model, ...usageOf(calls), call_count: calls.length }))
        .sort((a, b) => b.total_cost - a.total_cost || (a.model < b.model ? -1 : 1)),
      runs: runs.map(summary),
    });
  };

  test('lists, details and analytics equal what was sent, whatever was sent', async () => {
    const filters = fc.record(
      {
        search: fc.constantFrom('S', '%', '_', '\\', 'Юля', 'юЛ', 'nothing', '1'),
        agent: fc.constantFrom(...agents, 'nobody'),
        // Right at the start or the end of a run, where a range includes or excludes it.
        start: fc.nat(),
        end: fc.nat(),
      },
      { requiredKeys: [] },
    );
    const moment = (pick: number | undefined) =>
      pick === undefined ? undefined : moments()[pick % moments().length];
    const moments = () =>
      sent.flatMap(({ startedAt, completedAt }) => [
        startedAt,
        ...(completedAt === null ? [] : [completedAt, completedAt + 1]),
      ]);
    const inOrder = (start?: number, end?: number) =>
      start !== undefined && end !== undefined && start > end
        ? { start: end, end: start }
        : { start, end };
    const narrow = fc.array(filters, { minLength: 2, maxLength: 2 });
    const property = fc.asyncProperty(
      plans,
      fc.nat(),
      fc.nat(),
      narrow,
      async (plan, a, b, more) => {
        sent.push(...(await send(service, plan, now)));
        const agent = plan[0]?.agent;
        const ranges = [
          { start: a },
          { end: b },
          { start: a, end: b },
          { start: a, end: b, agent },
        ];
        for (const { start, end, ...filter } of [{}, ...ranges, ...more]) {
          const range = inOrder(moment(start), moment(end));
          for (const by of ['session', 'user'] as const) {
            await checkList(by, { ...filter, ...range });
            await checkOverTime(by, { ...filter, ...range });
          }
        }
        for (const period of ['1d', '7d', '30d'] as const) {
          await checkModels(period, undefined);
          await checkModels(period, agent);
        }
        await checkDetails();
      },
    );
    await fc.assert(property, { numRuns: 5, endOnFailure: true });
  });

  test.each(ids)(
    'the session and user %j are found by path, within their tenant only',
    async (id) => {
      const { other, one } = service;
      await one.byKey.recording.startRun({
        body: { agent_name: 'paths', session_id: id, user_id: id },
      });
      const ask = ({ analytics: client }: typeof one.byOwner) =>
        Promise.allSettled([
          client.getSession({ params: { session_id: id }, query: {} }),
          client.getTrackedUser({ params: { user_id: id }, query: {} }),
        ]);
      expect(await ask(one.byOwner)).toMatchObject([
        { value: { session_id: id } },
        { value: { user_id: id } },
      ]);
      expect(await ask(other.byOwner)).toMatchObject([
        { reason: { status: 404, message: `there is no session ${JSON.stringify(id)}` } },
        { reason: { status: 404, message: `there is no user ${JSON.stringify(id)}` } },
      ]);
    },
  );

  test('another tenant has lists of its own', async () => {
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

  test('models without any cost have no percentage', async () => {
    const { recording } = service.other.byKey;
    const { run_id } = await recording.startRun({ body: { agent_name: 'free' } });
    const calls = [{ model: 'own', tokens_in: 1, tokens_out: 2, cost: 0 }];
    await recording.recordLlmCalls({ params: { run_id }, body: { calls } });
    const { model_totals } = await service.other.byOwner.analytics.getModelAnalytics({ query: {} });
    expect(model_totals).toEqual([
      { model: 'own', total_cost: 0, total_tokens: 3, total_calls: 1, percentage: 0 },
    ]);
  });

  test('calls of a clock that is fast count, as they do in lists', async () => {
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

  test('a session and a user belong to a time at which any of their runs went on', async () => {
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
    // While the long one went on, though nothing began; then while nothing did.
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

  test('a date alone and a time without an offset are UTC', async () => {
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
  ])('%s refuses %j with the name of the parameter', async (route, query) => {
    const ask = analytics()[route as 'listSessions'];
    await expect(ask({ query: query as object })).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(new RegExp(`^${Object.keys(query)[0]}: `)) as string,
    });
  });
});
