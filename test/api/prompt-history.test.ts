import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OWNER } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { pollUntil } from '../support/processes.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.parse('2026-05-10T12:30:00.000Z');

describe.each(databases)('the history of prompts on %s', (kind) => {
  let service: TwoTenants;
  let prompts: TwoTenants['one']['byOwner']['prompts'];
  beforeAll(async () => {
    service = await startTwoTenants(kind);
    ({ prompts } = service.one.byOwner);
  });
  afterAll(() => service.stop());

  let made = 0;
  /** Creates a prompt with this number of versions, each with different content. */
  async function create(versions = 1) {
    const name = `prompt ${(made += 1)}`;
    const { id: prompt_id } = await prompts.createPrompt({ body: { name, content: `${name}, 1` } });
    for (let at = 2; at <= versions; at += 1)
      await prompts.createPromptVersion({
        params: { prompt_id },
        body: { content: `${name}, ${at}` },
      });
    return { prompt_id, name };
  }
  const putLabel = (prompt_id: string, label: string, version: number, more: object = {}) =>
    prompts.putPromptLabel({ params: { prompt_id, label }, body: { version, ...more } });
  const movesOf = (prompt_id: string, query = {}) =>
    prompts.listPromptLabelMoves({ params: { prompt_id }, query });

  test('every change of a label is stored with its user and time; setting it to the same version is no change', async () => {
    const { prompt_id } = await create(2);
    const at = (minute: number) => service.setTime(NOW + minute * 60_000);
    at(0);
    await putLabel(prompt_id, 'production', 1);
    at(1);
    await putLabel(prompt_id, 'production', 2);
    await putLabel(prompt_id, 'production', 2);
    at(2);
    await prompts.deletePromptLabel({ params: { prompt_id, label: 'production' } });
    service.setTime(undefined);
    const { results, count } = await movesOf(prompt_id);
    const moved = (minute: number, from_version: number | null, to_version: number | null) => ({
      id: expect.stringMatching(/^plm_\w+$/) as string,
      label: 'production',
      from_version,
      to_version,
      moved_by: OWNER.email,
      moved_at: new Date(NOW + minute * 60_000).toISOString(),
    });
    expect(results).toEqual([moved(2, 2, null), moved(1, 1, 2), moved(0, null, 1)]);
    expect(count).toBe(3);
    const second = await movesOf(prompt_id, { limit: 1, offset: 1 });
    expect(second.results).toEqual([moved(1, 1, 2)]);
  });

  test('a request that expects an outdated version does not move a label', async () => {
    const { prompt_id } = await create(3);
    await putLabel(prompt_id, 'live', 1, { expected_version: null });
    await putLabel(prompt_id, 'live', 2, { expected_version: 1 });
    const conflict = (message: RegExp) => ({
      status: 409,
      reason: 'version_conflict',
      message: expect.stringMatching(message) as string,
    });
    await expect(putLabel(prompt_id, 'live', 3, { expected_version: 1 })).rejects.toMatchObject(
      conflict(/^the label "live" points to version 2, not version 1/),
    );
    await expect(putLabel(prompt_id, 'live', 3, { expected_version: null })).rejects.toMatchObject(
      conflict(/points to version 2, not none/),
    );
    await expect(putLabel(prompt_id, 'other', 3, { expected_version: 1 })).rejects.toMatchObject(
      conflict(/^the label "other" does not exist/),
    );
    const { versions } = await prompts.getPrompt({ params: { prompt_id } });
    expect(versions.map(({ labels }) => labels)).toEqual([[], ['live'], []]);
    expect((await movesOf(prompt_id)).count).toBe(2);
  });

  test('an archived prompt can still be fetched, and changed again once restored', async () => {
    const { prompt_id, name } = await create();
    const params = { prompt_id };
    await putLabel(prompt_id, 'live', 1);
    const archived = await prompts.updatePrompt({ params, body: { archived: true } });
    expect(archived.archived_at).toEqual(archived.updated_at);
    const refused = { status: 409, reason: 'invalid_state' };
    const changes = [
      () => prompts.createPromptVersion({ params, body: { content: 'x' } }),
      () => putLabel(prompt_id, 'live', 1),
      () => prompts.deletePromptLabel({ params: { prompt_id, label: 'live' } }),
    ];
    for (const change of changes) await expect(change()).rejects.toMatchObject(refused);
    const fetched = await service.one.byKey.prompts.fetchPrompt({
      params: { name },
      query: { label: 'live' },
    });
    expect(fetched).toMatchObject({ name, version: 1, labels: ['live'] });
    // Archiving it again keeps the time of the archiving.
    const again = await prompts.updatePrompt({ params, body: { archived: true, tags: ['x'] } });
    expect(again).toMatchObject({ archived_at: archived.archived_at, tags: ['x'] });
    const restored = await prompts.updatePrompt({ params, body: { archived: false } });
    expect(restored).toMatchObject({ archived_at: null, latest_version: 1 });
    for (const change of changes) await change();
  });

  test('a config that replaces the previous one drops omitted members', async () => {
    const { prompt_id } = await create();
    const params = { prompt_id };
    const add = async (body: object) => {
      const { version } = await prompts.createPromptVersion({
        params,
        body: { content: 'x', ...body },
      });
      const version_num = String(version);
      return (await prompts.getPromptVersion({ params: { prompt_id, version_num } })).config;
    };
    await add({ config: { model: 'a', top_p: 1 } });
    expect(await add({ config: { model: 'b' } })).toEqual({ model: 'b', top_p: 1 });
    expect(await add({ config: { model: 'c' }, replace_config: true })).toEqual({ model: 'c' });
    expect(await add({})).toEqual({ model: 'c' });
    expect(await add({ replace_config: true })).toEqual({});
  });

  /** Records a run with calls that have these contents and durations. */
  async function record(
    calls: { content: string; ms?: number; cost?: number; finish?: string }[],
    end: { status?: 'success' | 'error'; scores?: object[] } = {},
  ) {
    const { recording } = service.one.byKey;
    const { run_id } = await recording.startRun({ body: { agent_name: 'support' } });
    const params = { run_id };
    await recording.recordLlmCalls({
      params,
      body: {
        calls: calls.map(({ content, ms, cost = 0.5, finish }) => ({
          model: 'gpt-4o',
          tokens_in: 10,
          tokens_out: 5,
          cost,
          prompt_preview: content,
          duration_ms: ms ?? null,
          finish_reason: finish ?? null,
        })),
      },
    });
    await recording.recordScores({ params, body: { scores: (end.scores ?? []) as never } });
    await recording.completeRun({ params, body: { status: end.status ?? 'success' } });
    return Number(run_id);
  }

  test('the performance of a version has its calls, cost, latency, failures and scores', async () => {
    service.setTime(NOW - 50 * HOUR_MS);
    const { prompt_id, name } = await create(3);
    const [first, second] = [`${name}, 1`, `${name}, 2`];
    const durations = Array.from({ length: 20 }, (_, at) => ({
      content: first,
      ms: (at + 1) * 100,
    }));
    await record(durations);
    service.setTime(NOW - HOUR_MS);
    const run_id = await record(
      [
        { content: first, ms: 5000 },
        { content: first, finish: 'error' },
        { content: second, ms: 70 },
      ],
      {
        scores: [
          { name: 'helpful', numeric_value: 4 },
          { name: 'kind', data_type: 'boolean', value: true },
          { name: 'tone', data_type: 'categorical', value: 'warm' },
        ],
      },
    );
    await record([{ content: second, ms: 30 }], { status: 'error' });
    const { results } = await service.one.byOwner.llmCalls.listLlmCalls({
      query: { prompt: prompt_id, prompt_version: '2', sort: 'created_at' },
    });
    const scored = results.find((call) => call.run_id === run_id)?.id;
    const body = { name: 'helpful', llm_call_id: scored, value: 1 };
    await service.one.byOwner.scores.createScore({ body });
    service.setTime(NOW);

    const read = (period: '1d' | '7d') =>
      prompts.getPromptPerformance({ params: { prompt_id }, query: { period } });
    const week = await read('7d');
    expect([week.bucket, week.since]).toEqual(['day', '2026-05-03T12:00:00.000Z']);
    const [third, two, one] = week.versions;
    expect(one).toMatchObject({
      version: 1,
      call_count: 22,
      failed_count: 1,
      total_tokens: 330,
      total_cost: 11,
      // The 11th and 20th of 21 durations; the call without a duration is not counted.
      latency_p50: 1100,
      latency_p95: 2000,
      scores: [
        { name: 'helpful', count: 1, avg: 4 },
        { name: 'kind', count: 1, avg: 1 },
      ],
      points: [
        { at: '2026-05-08T00:00:00.000Z', call_count: 20, latency_p50: 1000, latency_p95: 1900 },
        { at: '2026-05-10T00:00:00.000Z', call_count: 2, failed_count: 1, latency_p95: 5000 },
      ],
    });
    expect(two).toMatchObject({
      version: 2,
      call_count: 2,
      failed_count: 1,
      latency_p50: 30,
      // One score of the run as a whole and one of the call itself.
      scores: [
        { name: 'helpful', count: 2, avg: 2.5 },
        { name: 'kind', count: 1, avg: 1 },
      ],
    });
    const none = { call_count: 0, latency_p50: null, scores: [], points: [] };
    expect(third).toMatchObject({ version: 3, ...none });

    const day = await read('1d');
    expect([day.bucket, day.versions[2]?.call_count]).toEqual(['hour', 2]);
    expect(day.versions[2]?.points).toMatchObject([{ at: '2026-05-10T11:00:00.000Z' }]);
    service.setTime(undefined);
  });

  test('LLM calls are filtered by prompt and version, alone, with other filters and in a search', async () => {
    const { prompt_id, name } = await create(2);
    await record([
      { content: `${name}, 1`, cost: 1 },
      { content: `${name}, 1`, cost: 2 },
      { content: `${name}, 2`, cost: 4 },
      { content: 'of no prompt', cost: 8 },
    ]);
    const { llmCalls } = service.one.byOwner;
    const costOf = async (query: object) => {
      const { count, aggregates, results } = await llmCalls.listLlmCalls({ query });
      expect(results).toHaveLength(count);
      return aggregates.total_cost;
    };
    const prompt = prompt_id;
    // A search does not wait for its index for longer than two seconds.
    await pollUntil(
      () => llmCalls.listLlmCalls({ query: { search: name } }),
      ({ incomplete }) => !incomplete,
    );
    expect(await costOf({ prompt })).toBe(7);
    expect(await costOf({ prompt, prompt_version: 1 })).toBe(3);
    expect(await costOf({ prompt, prompt_version: 1, min_cost: 2, agent: 'support' })).toBe(2);
    expect(await costOf({ prompt, prompt_version: 9 })).toBe(0);
    expect(await costOf({ prompt: 'prm_unknown' })).toBe(0);
    expect(await costOf({ prompt, prompt_version: 2, search: name })).toBe(4);
    expect(await costOf({ prompt, search: 'nothing-like-it' })).toBe(0);
    await expect(llmCalls.listLlmCalls({ query: { prompt_version: 1 } })).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/prompt_version: expected `prompt`, too/) as string,
    });
    const file = await llmCalls.exportLlmCalls({
      query: { prompt, prompt_version: 2, format: 'jsonl' },
    });
    expect(file.trim().split('\n')).toHaveLength(1);
    const { llmCalls: foreign } = service.other.byOwner;
    expect((await foreign.listLlmCalls({ query: { prompt } })).count).toBe(0);
  });

  test('deleting a prompt deletes its history', async () => {
    const { prompt_id } = await create();
    await putLabel(prompt_id, 'live', 1);
    await prompts.deletePrompt({ params: { prompt_id } });
    const { storage } = service;
    const rows = await storage.db
      .selectFrom('prompt_label_moves')
      .select('id')
      .where('prompt_id', '=', prompt_id)
      .execute();
    expect(rows).toEqual([]);
  });
});
