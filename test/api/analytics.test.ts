import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sessionTimes, userTimes } from '#contract/analytics.ts';
import {
  agents,
  listAllPages,
  plans,
  sendRuns,
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

  /** The totals cover the whole group if any of its runs matches the filter. */
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

  /**
   * A run is active until its end. A run without an end is active until the last activity of the
   * group.
   */
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
      const up = await listAllPages((paging) => list({ ...query, ...paging, sort }), 3);
      const down = await listAllPages(
        (paging) => list({ ...query, ...paging, sort: `-${sort}` }),
        2,
      );
      expect(byId(by, up)).toEqual(expected);
      expect(down).toEqual(up.toReversed());
      const keys = up.map((row) => (row as Record<string, string | number>)[sort]);
      expect(keys).toEqual(keys.toSorted((a, b) => ((a ?? 0) < (b ?? 0) ? -1 : 1)));
    }
  };

  /** Compares the counts over time, and the list for each bucket, with the filtered list. */
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

  test('lists, details and analytics are equal to what was sent, for any runs', async () => {
    const filters = fc.record(
      {
        search: fc.constantFrom('S', '%', '_', '\\', 'Юля', 'юЛ', 'nothing', '1'),
        agent: fc.constantFrom(...agents, 'unknown-agent'),
        // Exactly the start or end of a run, where a range just includes or excludes it.
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
        sent.push(...(await sendRuns(service, plan, now)));
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
});
