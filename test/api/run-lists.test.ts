import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract } from '#contract/index.ts';
import { runSorts } from '#contract/run-list.ts';
import { databases } from '../support/databases.ts';
import { pollUntil } from '../support/processes.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

const T0 = Date.parse('2026-03-01T10:00:00.000Z');
const HOUR_MS = 3_600_000;

type Start = Parameters<TwoTenants['one']['byKey']['recording']['startRun']>[0]['body'];

interface Sent extends Start {
  /** Hours after `T0`. */
  at: number;
  seconds?: number;
  model?: string;
  cost?: number;
  tokens?: number;
  prompt?: string;
  status?: 'success' | 'error';
  error?: string;
  failedSpans?: number;
  scores?: NonNullable<
    Parameters<TwoTenants['one']['byKey']['recording']['recordScores']>[0]
  >['body']['scores'];
}

/** Runs by name; the names are in the order of their start. */
const sent: Record<string, Sent> = {
  a: {
    at: 0,
    agent_name: 'support',
    workflow_name: 'triage',
    user_id: 'ada',
    session_id: 's1',
    tags: ['prod', 'x,"y'],
    metadata: { environment: 'prod', service_version: '1.2' },
    model: 'gpt-4o',
    cost: 0.5,
    tokens: 100,
    prompt: 'the red fox',
    seconds: 10,
    status: 'success',
  },
  b: {
    at: 1,
    agent_name: 'support',
    user_id: 'Ada',
    session_id: 's2',
    tags: ['Prod'],
    metadata: { environment: 'production' },
    model: 'claude',
    cost: 0.25,
    tokens: 300,
    prompt: 'a green frog',
    seconds: 2.5,
    status: 'error',
    error: '=cmd("red")',
  },
  c: {
    at: 2,
    agent_name: 'research',
    workflow_name: 'triage',
    user_id: 'ada',
    tags: ['prod', 'blue'],
    model: 'claude',
    cost: 1,
    tokens: 50,
    prompt: 'the red frog',
    seconds: 60,
    status: 'success',
    failedSpans: 3,
    scores: [
      { name: 'quality', numeric_value: 0.5 },
      { name: 'quality', numeric_value: 1 },
      { name: 'mood', data_type: 'categorical', string_value: 'glad' },
      { name: 'mood', data_type: 'categorical', string_value: 'calm' },
    ],
  },
  d: { at: 30, agent_name: 'research', tags: ['prod"'], session_id: 's1' },
};

describe.each(databases)('lists of runs on %s', (kind) => {
  let service: TwoTenants;
  const ids: Record<string, number> = {};

  async function record({ at, seconds, model, failedSpans, status, scores, ...run }: Sent) {
    const { cost = 0, tokens = 0, prompt = '', error, ...start } = run;
    const { recording } = service.one.byKey;
    service.setTime(T0 + at * HOUR_MS);
    const params = { run_id: (await recording.startRun({ body: start })).run_id };
    const call = { model, cost, tokens_in: 0, tokens_out: tokens, prompt_preview: prompt };
    if (model) await recording.recordLlmCalls({ params, body: { calls: [{ ...call, model }] } });
    const span = { name: 's', kind: 'tool', status: 'error' } as const;
    const spans = Array.from({ length: failedSpans ?? 0 }, () => span);
    if (failedSpans) await recording.recordSpans({ params, body: { spans } });
    if (scores) await recording.recordScores({ params, body: { scores } });
    service.setTime(T0 + at * HOUR_MS + (seconds ?? 0) * 1000);
    if (status) await recording.completeRun({ params, body: { status, ...(error && { error }) } });
    return Number(params.run_id);
  }

  beforeAll(async () => {
    service = await startTwoTenants(kind);
    const blocked = {
      name: 'No gpt-4o',
      category: 'llm' as const,
      scope: { agents: ['support'] },
      rules: { blocked_models: ['gpt-4o'] },
    };
    await service.one.byKey.policies.createPolicy({ body: blocked });
    const warned = {
      name: 'Known models',
      category: 'llm' as const,
      mode: 'warn' as const,
      rules: { blocked_models: ['gpt-4o', 'claude'] },
    };
    await service.one.byKey.policies.createPolicy({ body: warned });
    for (const [name, run] of Object.entries(sent)) ids[name] = await record(run);
    service.setTime(undefined);
    await service.other.byKey.recording.startRun({
      body: { agent_name: 'support', tags: ['prod'] },
    });
    // A search does not wait for its index for longer than two seconds.
    await pollUntil(
      () => list({ search: 'red' }),
      ({ incomplete }) => !incomplete,
    );
  });
  afterAll(() => service.stop());

  const namesOf = (found: readonly { id: number }[]) =>
    found.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id)).join('');
  const list = (query: object) => service.one.byOwner.runs.listRuns({ query });
  const summarize = (query: object) => service.one.byOwner.runs.summarizeRuns({ query });
  const save = (query: object) =>
    service.one.byOwner.runs.exportRuns({ query: { format: 'jsonl', ...query } });

  test.each([
    [{}, 'dcba'],
    [{ agent: 'support' }, 'ba'],
    [{ workflow: 'triage' }, 'ca'],
    [{ status: 'running' }, 'd'],
    [{ user: 'ada' }, 'ca'],
    [{ session: 's1' }, 'da'],
    [{ model: 'claude' }, 'cb'],
    [{ model: ['claude', 'gpt-4o'] }, 'cba'],
    [{ model: 'unknown' }, ''],
    [{ tag: 'prod' }, 'ca'],
    [{ tag: ['prod', 'blue'] }, 'c'],
    [{ tag: 'x,"y' }, 'a'],
    [{ tag: 'y' }, ''],
    [{ tag: 'prod"' }, 'd'],
    [{ environment: 'prod' }, 'a'],
    [{ version: '1.2' }, 'a'],
    [{ has_error: 'true' }, 'cb'],
    [{ score: 'quality' }, 'c'],
    [{ score: 'tone' }, ''],
    [{ score: 'quality', min_score: 0.75, max_score: 0.75 }, 'c'],
    [{ score: 'quality', min_score: 0.8 }, ''],
    [{ score: 'quality', max_score: 0.5 }, ''],
    [{ score: 'mood', score_value: 'glad' }, 'c'],
    [{ score: 'mood', score_value: 'sad' }, ''],
    [{ score: 'mood', min_score: -1e9 }, ''],
    [{ verdict: 'block' }, 'a'],
    [{ verdict: 'warn' }, 'cb'],
    [{ verdict: 'warn', sort: 'started_at' }, 'bc'],
    [{ verdict: 'retry' }, ''],
    [{ has_error: 'false' }, 'da'],
    [{ min_cost: 0.5 }, 'ca'],
    [{ max_cost: 0.25 }, 'db'],
    [{ min_tokens: 100, max_tokens: 100 }, 'a'],
    [{ min_duration: 2.5, max_duration: 10 }, 'ba'],
    [{ max_duration: 1000 }, 'cba'],
    [{ start: new Date(T0 + HOUR_MS).toISOString() }, 'dcb'],
    [{ end: new Date(T0 + HOUR_MS).toISOString() }, 'a'],
    [{ search: 'red' }, 'ca'],
    [{ search: 'red frog' }, 'c'],
    [{ search: '...' }, ''],
    [{ search: 'frog', agent: 'support' }, 'b'],
    [{ sort: 'started_at' }, 'abcd'],
    [{ sort: '-cost' }, 'cabd'],
    [{ sort: 'tokens' }, 'dcab'],
    [{ sort: '-duration' }, 'cabd'],
    [{ sort: '-errors' }, 'cbda'],
    [{ sort: '-llm_calls' }, 'cbad'],
    [{ sort: 'errors', tag: 'prod' }, 'ac'],
  ])('%j finds %s: as pages, as a total and as a file', async (query, names) => {
    const page = await list(query);
    expect([namesOf(page.results), page.count, page.incomplete]).toEqual([
      names,
      names.length,
      false,
    ]);
    const { sort: _, ...filter } = query as { sort?: string };
    expect((await summarize(filter)).count).toBe(names.length);
    const lines = (await save(query)).split('\n').slice(0, -1);
    expect(namesOf(lines.map((line) => JSON.parse(line) as { id: number }))).toBe(names);
  });

  test('paging in any order shows each run once', async () => {
    const found: Record<string, number> = {};
    for (const sort of runSorts.flatMap((by) => [by, `-${by}`])) {
      const seen = new Set<number>();
      for (let offset = 0; offset < 4; offset += 1)
        for (const { id } of (await list({ sort, limit: 1, offset })).results) seen.add(id);
      found[sort] = seen.size;
    }
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((sort) => [sort, 4])));
  });

  test('errors of spans and of the run itself are counted', async () => {
    const { results } = await list({ sort: 'started_at' });
    expect(results.map(({ error_count, error }) => [error_count, error])).toEqual([
      [0, null],
      [1, '=cmd("red")'],
      [3, null],
      [0, null],
    ]);
  });

  test('a run has its strictest verdict and a summary of its scores, in lists and in its detail', async () => {
    const { results } = await list({ sort: 'started_at' });
    expect(results.map(({ verdict }) => verdict)).toEqual(['block', 'warn', 'warn', null]);
    const summaries = [
      { name: 'mood', count: 2, average: null, value: 'calm' },
      { name: 'quality', count: 2, average: 0.75, value: null },
    ];
    expect(results.map(({ score_summaries }) => score_summaries)).toEqual([[], [], summaries, []]);
    const run = await service.one.byOwner.runs.getRun({ params: { id: String(ids['c']) } });
    expect([run.verdict, run.score_summaries, run.error_count]).toEqual(['warn', summaries, 3]);
    const [line] = (await save({ verdict: 'warn', score: 'mood' })).split('\n');
    expect(JSON.parse(line ?? '')).toMatchObject({ verdict: 'warn', score_summaries: summaries });
  });

  test('totals and runs over time match the filter', async () => {
    const { buckets, ...totals } = await summarize({});
    expect(totals).toEqual({
      count: 4,
      error_count: 1,
      total_tokens: 450,
      total_cost: 1.75,
      total_duration: 72.5,
      bucket_seconds: 1800,
      incomplete: false,
    });
    const at = (hours: number) => new Date(T0 + hours * HOUR_MS).toISOString();
    expect(buckets).toEqual([
      { start: at(0), runs: 1, errors: 0, cost: 0.5, tokens: 100 },
      { start: at(1), runs: 1, errors: 1, cost: 0.25, tokens: 300 },
      { start: at(2), runs: 1, errors: 0, cost: 1, tokens: 50 },
      { start: at(30), runs: 1, errors: 0, cost: 0, tokens: 0 },
    ]);
    expect(await summarize({ agent: 'unknown' })).toMatchObject({ count: 0, buckets: [] });
  });

  test('sessions and end users are exported as listed', async () => {
    const { analytics } = service.one.byOwner;
    const parsed = (text: string) =>
      text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as object);
    const format = 'jsonl';
    for (const query of [
      {},
      { agent: 'support', sort: 'run_count' },
      { search: 'none' },
    ] as const) {
      const sessions = await analytics.listSessions({ query });
      const savedSessions = await analytics.exportSessions({ query: { ...query, format } });
      expect(parsed(savedSessions)).toEqual(sessions.results);
      const users = await analytics.listTrackedUsers({ query });
      const savedUsers = await analytics.exportTrackedUsers({ query: { ...query, format } });
      expect(parsed(savedUsers)).toEqual(users.results);
    }
    expect((await analytics.listTrackedUsers({ query: {} })).count).toBe(2);
  });

  test('a CSV file contains no formula', async () => {
    const text = await save({ format: 'csv', user: 'Ada' });
    const [header, row, end] = text.split('\r\n');
    expect(header).toContain('"id","agent_name"');
    expect(row).toContain(`${ids['b']},"support","default","error","2026-03-01T11:00:00.000Z"`);
    expect(row).toContain(`,300,0.25,1,"'=cmd(""red"")","Ada","s2","","[""Prod""]"`);
    expect(end).toBe('');
  });

  test('the file is a download that is never cached', async () => {
    const { urls } = service;
    const answer = await fetch(`${urls.public}${contract.runs.exportRuns.path}?format=csv`, {
      headers: service.one.headers.owner,
    });
    expect([answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual(
      ['text/csv; charset=utf-8', 'attachment; filename="runs.csv"'],
    );
    await answer.body?.cancel();
    const anonymous = await fetch(`${urls.public}${contract.runs.exportRuns.path}?format=csv`);
    expect(anonymous.status).toBe(401);
  });

  test.each([
    [{ min_cost: 2, max_cost: 1 }, 'min_cost'],
    [{ min_duration: 'x' }, 'min_duration'],
    [{ sort: 'agent' }, 'sort'],
    [{ has_error: 'yes' }, 'has_error'],
    [{ min_score: 1 }, 'score'],
    [{ score: 'quality', min_score: 2, max_score: 1 }, 'min_score'],
  ])('%j is rejected', async (query, field) => {
    await expect(list(query)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(field) as string,
    });
  });
});
