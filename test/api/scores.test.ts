import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listAllPages, sum } from '../support/activity.ts';
import { databases } from '../support/databases.ts';
import { scoreNames, recordScoredRuns, runAgents, type ScoredRun } from '../support/scored-runs.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

type Value =
  | { data_type: 'numeric'; value: number | undefined }
  | { data_type: 'categorical'; value: string }
  | { data_type: 'boolean'; value: boolean };

interface Planned {
  name: string;
  on: 'run' | 'call';
  by: 'sdk' | 'manual';
  run: number;
  ago: number;
  given: Value;
}

/** The values are binary fractions, so that their sums are exact in any order of addition. */
const planned: fc.Arbitrary<Planned> = fc.record({
  name: fc.constantFrom(...scoreNames),
  on: fc.constantFrom('run', 'call'),
  by: fc.constantFrom('sdk', 'manual'),
  run: fc.nat(runAgents.length - 1),
  ago: fc.oneof(fc.nat(35 * DAY_MS), fc.constantFrom(0, DAY_MS, 7 * DAY_MS, 30 * DAY_MS)),
  given: fc.oneof<fc.Arbitrary<Value>[]>(
    fc.record({
      data_type: fc.constant('numeric'),
      // A client may record a numeric score without a value.
      value: fc.option(
        fc.integer({ min: -4000, max: 4000 }).map((n) => n / 16),
        { nil: undefined },
      ),
    }),
    fc.record({
      data_type: fc.constant('categorical'),
      value: fc.constantFrom('good', 'bad', 'Юля'),
    }),
    fc.record({ data_type: fc.constant('boolean'), value: fc.boolean() }),
  ),
});

describe.each(databases)('scores on %s', (kind) => {
  let service: TwoTenants;
  let now: number;
  let user: string;
  let runs: ScoredRun[];
  const sent: ReturnType<typeof expected>[] = [];

  beforeAll(async () => {
    service = await startTwoTenants(kind);
    now = Date.now();
    user = (await service.one.byOwner.identity.me()).id;
    runs = await recordScoredRuns(service.one);
  });
  afterAll(() => service.stop());

  const scores = () => service.one.byOwner.scores;
  const runOf = ({ run }: Pick<Planned, 'run'>) => runs[run] as ScoredRun;

  /** Only users add scores to calls, and only with a value. */
  const isManual = ({ by, given }: Planned) => by === 'manual' && given.value !== undefined;

  const expected = (plan: Planned) => {
    const { data_type, value } = plan.given;
    const onCall = isManual(plan) && plan.on === 'call';
    return {
      id: expect.stringMatching(/^scr_/) as string,
      name: plan.name,
      data_type,
      source: isManual(plan) ? 'manual' : 'sdk',
      numeric_value: data_type === 'numeric' ? (value ?? null) : null,
      string_value: data_type === 'numeric' ? null : String(value),
      comment: `by ${plan.by}`,
      metadata: isManual(plan) ? { at: [plan.ago] } : {},
      author_user_id: isManual(plan) ? user : '',
      evaluator_id: null,
      evaluator_name: null,
      run_id: String(runOf(plan).id),
      run_agent_name: runAgents[plan.run],
      llm_call_id: onCall ? String(runOf(plan).call) : null,
      llm_call_model: onCall ? 'gpt-4o' : null,
      truncated: false,
      created_at: new Date(now - plan.ago).toISOString(),
    };
  };

  const send = async (plan: Planned) => {
    const { name, given, on } = plan;
    const { id, call } = runOf(plan);
    const comment = `by ${plan.by}`;
    service.setTime(now - plan.ago);
    if (isManual(plan)) {
      const place = on === 'call' ? { llm_call_id: call } : { run_id: id };
      const metadata = { at: [plan.ago] };
      await scores().createScore({
        body: { name, ...place, ...given, value: given.value ?? 0, comment, metadata },
      });
    } else {
      const value =
        given.data_type === 'numeric'
          ? { numeric_value: given.value }
          : { string_value: given.value };
      const { data_type } = given;
      await service.one.byKey.recording.recordScores({
        params: { run_id: String(id) },
        body: { scores: [{ name, data_type, comment, ...value }] },
      });
    }
    sent.push(expected(plan));
  };

  const filters = fc.record(
    {
      name: fc.constantFrom(...scoreNames, 'none'),
      source: fc.constantFrom('sdk', 'manual', 'evaluator'),
      data_type: fc.constantFrom('numeric', 'categorical', 'boolean'),
      run_id: fc.nat(runAgents.length - 1),
      llm_call_id: fc.nat(runAgents.length - 1),
      agent: fc.constantFrom(...runAgents, 'none'),
      value: fc.constantFrom('good', 'true', 'Юля'),
      min_value: fc.constantFrom(-10, 0, 1.5),
      max_value: fc.constantFrom(1.5, 100),
      start: fc.constantFrom(0, DAY_MS, 7 * DAY_MS),
      end: fc.constantFrom(0, DAY_MS / 2),
    },
    { requiredKeys: [] },
  );
  type Filter = typeof filters extends fc.Arbitrary<infer F> ? F : never;

  const isWithin = (
    score: (typeof sent)[number],
    { value, min_value, max_value, ...of }: Filter,
  ) => {
    const { numeric_value: number } = score;
    const ago = now - Date.parse(score.created_at);
    return (
      (of.agent ?? score.run_agent_name) === score.run_agent_name &&
      (value === undefined || score.string_value === value) &&
      (min_value === undefined || (number !== null && number >= min_value)) &&
      (max_value === undefined || (number !== null && number <= max_value)) &&
      (of.start === undefined || ago <= of.start + 30 * DAY_MS) &&
      (of.end === undefined || ago > of.end)
    );
  };
  const moment = (ago: number) => new Date(now - ago).toISOString();

  const checkList = async ({ run_id, llm_call_id, name, source, data_type, ...more }: Filter) => {
    const same = {
      ...(name && { name }),
      ...(source && { source }),
      ...(data_type && { data_type }),
      ...(run_id !== undefined && { run_id: String(runs[run_id]?.id) }),
      ...(llm_call_id !== undefined && { llm_call_id: String(runs[llm_call_id]?.call) }),
    };
    const { start, end, ...rest } = more;
    const filter = {
      ...same,
      ...rest,
      ...(start !== undefined && { start: moment(start + 30 * DAY_MS) }),
      ...(end !== undefined && { end: moment(end) }),
    };
    const wanted = sent.filter(
      (score) =>
        Object.entries(same).every(([key, value]) => score[key as 'name'] === value) &&
        isWithin(score, more),
    );
    for (const sort of [
      'created_at',
      'name',
      'numeric_value',
      'source',
      'run_agent_name',
    ] as const) {
      const list = (paging: object, by: typeof sort | `-${typeof sort}`) =>
        scores().listScores({ query: { ...filter, ...paging, sort: by } });
      const up = await listAllPages((paging) => list(paging, sort), 4);
      const down = await listAllPages((paging) => list(paging, `-${sort}`), 3);
      expect(up).toHaveLength(wanted.length);
      expect(up).toEqual(expect.arrayContaining(wanted));
      expect(new Set(up.map(({ id }) => id)).size).toBe(wanted.length);
      const numbered = (score: (typeof up)[number]) =>
        sort !== 'numeric_value' || score.numeric_value !== null;
      const last = (rows: typeof up) => rows.filter((row) => !numbered(row));
      expect(down).toEqual([...up.filter(numbered).toReversed(), ...last(up).toReversed()]);
      const keys = up.filter(numbered).map((row) => row[sort] as number);
      expect(keys).toEqual(keys.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
      expect(up.slice(keys.length).some(numbered)).toBe(false);
    }
    const numbers = wanted.flatMap((score) => score.numeric_value ?? []);
    const { aggregates } = await scores().listScores({ query: { ...filter, limit: 1 } });
    expect(aggregates).toEqual({
      total_count: wanted.length,
      avg_numeric_value: numbers.length > 0 ? sum(numbers) / numbers.length : null,
      score_names: [...new Set(wanted.map(({ name }) => name))].sort(),
    });
    await checkSummary(filter, wanted);
    const text = await scores().exportScores({
      query: { ...filter, sort: 'created_at', format: 'jsonl' },
    });
    const ids = text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { id: string }).id);
    const listed = await listAllPages(
      (paging) => scores().listScores({ query: { ...filter, ...paging, sort: 'created_at' } }),
      10,
    );
    expect(ids).toEqual(listed.map(({ id }) => id));
  };

  const checkSummary = async (query: object, wanted: readonly (typeof sent)[number][]) => {
    const summary = await scores().summarizeScores({ query });
    const length = summary.bucket_seconds * 1000;
    const startOf = ({ created_at }: { created_at: string }) => {
      const at = Date.parse(created_at);
      return new Date(at - (at % length)).toISOString();
    };
    const meanOf = (all: readonly (typeof sent)[number][]) =>
      average(all.flatMap((score) => score.numeric_value ?? []));
    expect(summary).toEqual({
      count: wanted.length,
      avg_numeric_value: meanOf(wanted),
      bucket_seconds: summary.bucket_seconds,
      buckets: [...Map.groupBy(wanted, startOf)]
        .map(([start, all]) => ({ start, scores: all.length, avg: meanOf(all) }))
        .sort((a, b) => (a.start < b.start ? -1 : 1)),
    });
  };

  const average = (numbers: readonly number[]) =>
    numbers.length > 0 ? sum(numbers) / numbers.length : null;

  const distributionOf = (own: readonly (typeof sent)[number][]) => {
    const [{ name, data_type }] = own as [(typeof sent)[number]];
    const numbers = own.flatMap((score) => score.numeric_value ?? []);
    const days = Map.groupBy(
      own.filter((score) => score.numeric_value !== null),
      ({ created_at }) => created_at.slice(0, 10),
    );
    const values = Map.groupBy(own, ({ string_value }) => string_value);
    const head = { name, data_type, total_count: own.length };
    if (data_type !== 'numeric')
      return {
        ...head,
        value_counts: [...values]
          .map(([value, all]) => ({ value, count: all.length }))
          .sort((a, b) => b.count - a.count || ((a.value ?? '') < (b.value ?? '') ? -1 : 1)),
      };
    return {
      ...head,
      avg: average(numbers),
      min: numbers.length > 0 ? Math.min(...numbers) : null,
      max: numbers.length > 0 ? Math.max(...numbers) : null,
      time_series: [...days]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([date, all]) => ({
          date,
          avg: average(all.map((score) => score.numeric_value as number)),
          count: all.length,
        })),
    };
  };

  const checkAnalytics = async (query: {
    period: '1d' | '7d' | '30d';
    name?: string;
    agent?: string;
  }) => {
    const days = Number.parseInt(query.period, 10);
    const since = new Date(Math.floor(now / HOUR_MS) * HOUR_MS - days * DAY_MS).toISOString();
    const wanted = sent
      .filter(({ created_at }) => created_at >= since)
      .filter(({ name }) => !query.name || name === query.name)
      .filter(({ run_agent_name }) => !query.agent || run_agent_name === query.agent);
    const groups = Map.groupBy(wanted, ({ name, data_type }) => `${name} ${data_type}`);
    expect(await scores().getScoreAnalytics({ query })).toEqual({
      period: query.period,
      since,
      distributions: [...groups]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, own]) => distributionOf(own)),
    });
  };

  test('lists and analytics are equal to what was sent, for any scores', async () => {
    const arrival = fc.array(planned, { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(arrival, fc.array(filters, { maxLength: 3 }), async (plans, wanted) => {
        for (const plan of plans) await send(plan);
        service.setTime(now);
        for (const filter of [{}, ...wanted]) await checkList(filter);
        for (const period of ['1d', '7d', '30d'] as const) {
          await checkAnalytics({ period });
          await checkAnalytics({ period, agent: runAgents[0] });
          await checkAnalytics({ period, name: scoreNames[0] });
        }
      }),
      { numRuns: 6, endOnFailure: true },
    );
  });

  test('a manual score is returned with the fields of the specification', async () => {
    service.setTime(now);
    const [run] = runs as [ScoredRun];
    const base = { name: 'review', data_type: 'boolean', value: false } as const;
    const shown = {
      id: expect.stringMatching(/^scr_/) as string,
      name: 'review',
      data_type: 'boolean',
      source: 'manual',
      numeric_value: null,
      string_value: 'false',
      run_id: String(run.id),
      created_at: new Date(now).toISOString(),
    };
    const both = { run_id: run.id, llm_call_id: run.call };
    expect([
      await scores().createScore({ body: { ...base, run_id: run.id } }),
      await scores().createScore({ body: { ...base, ...both } }),
      await scores().createScore({ body: { name: 'n', value: 0.1, run_id: run.id } }),
    ]).toEqual([
      { ...shown, llm_call_id: null },
      { ...shown, llm_call_id: String(run.call) },
      {
        ...shown,
        name: 'n',
        data_type: 'numeric',
        numeric_value: 0.1,
        string_value: null,
        llm_call_id: null,
      },
    ]);
    const stored = await scores().listScores({ query: { run_id: run.id, name: 'review' } });
    expect(stored.results).toMatchObject([{ author_user_id: user }, { author_user_id: user }]);
  });
});
