import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../support/databases.ts';
import { recordScoredRuns, scoreNames, type ScoredRun } from '../support/scored-runs.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

describe.each(databases)('scores on %s', (kind) => {
  let service: TwoTenants;
  let user: string;
  let runs: ScoredRun[];

  beforeAll(async () => {
    service = await startTwoTenants(kind);
    user = (await service.one.byOwner.identity.me()).id;
    runs = await recordScoredRuns(service.one);
  });
  afterAll(() => service.stop());

  const scores = () => service.one.byOwner.scores;

  test('only the hundred most frequent values are listed', async () => {
    const one = { name: 'free text', data_type: 'categorical' } as const;
    const values = Array.from({ length: 120 }, (_, i) => `value ${i}`);
    const { recording } = service.other.byKey;
    const { run_id } = await recording.startRun({ body: { agent_name: 'other' } });
    const items = [...values, 'value 119', 'value 7'];
    await recording.recordScores({
      params: { run_id },
      body: { scores: items.map((string_value) => ({ ...one, string_value })) },
    });
    const { distributions } = await service.other.byOwner.scores.getScoreAnalytics({ query: {} });
    const value_counts = distributions.flatMap((one) =>
      one.data_type === 'numeric' ? [] : one.value_counts,
    );
    expect([distributions.map((one) => one.total_count), value_counts.length]).toEqual([
      [122],
      100,
    ]);
    expect(value_counts.slice(0, 2)).toEqual([
      { value: 'value 119', count: 2 },
      { value: 'value 7', count: 2 },
    ]);
  });

  test('many scores are sorted, also by their type', async () => {
    const { byKey, byOwner } = service.other;
    const { run_id } = await byKey.recording.startRun({ body: { agent_name: 'many' } });
    const record = (scores: object[]) =>
      byKey.recording.recordScores({ params: { run_id }, body: { scores: scores as [] } });
    const kinds = [
      { name: 'm first', data_type: 'categorical', string_value: 'v' },
      { name: 'm second', data_type: 'boolean', string_value: 'true' },
      { name: 'm third', data_type: 'boolean', string_value: 'false' },
      { name: 'm last', data_type: 'categorical', string_value: 'v' },
    ];
    for (const kind of kinds)
      for (let i = 0; i < 3; i += 1) await record(Array.from({ length: 1000 }, () => kind));
    const list = async (query: object) =>
      byOwner.scores.listScores({ query: { data_type: 'boolean', limit: 2, ...query } });
    for (const sort of ['name', '-name', 'source', 'created_at', '-created_at', 'numeric_value']) {
      const ids = new Set<string>();
      const names: string[] = [];
      for (const offset of [0, 2998, 3000, 5998]) {
        const page = await list({ sort, offset });
        expect([page.count, page.results.length]).toEqual([6000, 2]);
        for (const { id, name } of page.results) {
          ids.add(id);
          names.push(name);
        }
      }
      expect(ids.size).toBe(8);
      const [a, b] = sort.startsWith('-') ? ['m third', 'm second'] : ['m second', 'm third'];
      expect(names).toEqual([a, a, a, a, b, b, b, b]);
    }
    expect((await list({ sort: 'name', offset: 6000 })).results).toEqual([]);
  });

  const on = () => ({ name: 'x', run_id: runs[0]?.id });
  test.each([
    ['neither run nor call', () => ({ name: 'x', value: 1 }), 400, /^run_id: expected a run_id/],
    ['no value', () => on(), 400, /^value: expected a number/],
    [
      'a text for a number',
      () => ({ ...on(), value: '1' }),
      400,
      /^value: expected a number, because data_type is numeric/,
    ],
    ['a null', () => ({ ...on(), value: null }), 400, /^value: /],
    ['an absurd number', () => ({ ...on(), value: 1e300 }), 400, /^value: /],
    [
      'a number for a category',
      () => ({ ...on(), data_type: 'categorical', value: 1 }),
      400,
      /^value: expected a string/,
    ],
    [
      'a long category',
      () => ({ ...on(), data_type: 'categorical', value: 'x'.repeat(201) }),
      400,
      /^value: /,
    ],
    [
      'a text for a boolean',
      () => ({ ...on(), data_type: 'boolean', value: 'true' }),
      400,
      /^value: expected a boolean/,
    ],
    ['an unknown type', () => ({ ...on(), data_type: 'star', value: 1 }), 400, /^data_type: /],
    ['no name', () => ({ run_id: runs[0]?.id, value: 1 }), 400, /^name: /],
    ['an unknown field', () => ({ ...on(), value: 1, source: 'sdk' }), 400, /source/],
    [
      'an unknown run',
      () => ({ ...on(), run_id: 999_999, value: 1 }),
      404,
      /^there is no run 999999$/,
    ],
    [
      'an unknown call',
      () => ({ name: 'x', llm_call_id: 999_999, value: 1 }),
      404,
      /^there is no LLM call 999999$/,
    ],
    [
      'a call of another run',
      () => ({ ...on(), llm_call_id: runs[1]?.call, value: 1 }),
      400,
      /^llm_call_id: LLM call \d+ belongs to run \d+, not to run \d+$/,
    ],
  ])('a score with %s is rejected', async (_name, body, status, message) => {
    const before = await scores().listScores({ query: {} });
    await expect(scores().createScore({ body: body() as never })).rejects.toMatchObject({
      status,
      message: expect.stringMatching(message) as string,
    });
    expect((await scores().listScores({ query: {} })).count).toBe(before.count);
  });

  test('runs, calls and scores of another tenant are not found', async () => {
    const theirs = service.other.byOwner.scores;
    const [run] = runs as [ScoredRun];
    for (const place of [{ run_id: run.id }, { llm_call_id: run.call }])
      await expect(
        theirs.createScore({ body: { name: 'x', value: 1, ...place } }),
      ).rejects.toMatchObject({ status: 404 });
    const answers = await Promise.all([
      theirs.listScores({ query: { run_id: run.id } }),
      theirs.listScores({ query: { llm_call_id: run.call } }),
      theirs.listScores({ query: { name: scoreNames[0] } }),
    ]);
    expect(answers.map(({ aggregates, results }) => [results, aggregates])).toEqual(
      answers.map(() => [[], { total_count: 0, avg_numeric_value: null, score_names: [] }]),
    );
  });

  test.each(['viewer', 'analyst'] as const)('a %s has exactly its permissions', async (role) => {
    const setRole = (to: typeof role | 'owner') =>
      service.storage.db.updateTable('users').set({ role: to }).where('id', '=', user).execute();
    await setRole(role);
    const created = await scores()
      .createScore({ body: { name: 'x', value: 1, run_id: runs[0]?.id } })
      .then(
        () => 201,
        (error: { status: number }) => error.status,
      );
    await scores().listScores({ query: {} });
    await scores().getScoreAnalytics({ query: {} });
    await setRole('owner');
    expect(created).toBe(role === 'viewer' ? 403 : 201);
  });

  test.each([
    { run_id: 'abc' },
    { run_id: 0 },
    { llm_call_id: 1.5 },
    { source: 'me' },
    { data_type: 'star' },
    { sort: 'comment' },
    { min_value: 'x' },
    { min_value: 2, max_value: 1 },
    { start: '2026-02-01', end: '2026-01-01' },
    { limit: -1 },
    { offset: 'x' },
  ])('a list with %j is rejected, and the error names the parameter', async (query) => {
    await expect(scores().listScores({ query: query as object })).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(new RegExp(`^${Object.keys(query)[0]}: `)) as string,
    });
  });

  test('an unknown period is rejected', async () => {
    const query = { period: '90d' as '30d' };
    await expect(scores().getScoreAnalytics({ query })).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/^period: /) as string,
    });
  });
});
