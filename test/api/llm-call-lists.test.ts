import { beforeAll, describe, expect, test } from 'vitest';
import { searchLock } from '#control-plane/storage/locks.ts';
import { databases } from '../support/databases.ts';
import { setUpLlmCalls } from '../support/llm-calls-sent.ts';

const T0 = Date.parse('2026-03-01T10:00:00.000Z');

describe.each(databases)('LLM calls on %s', (kind) => {
  const world = setUpLlmCalls(kind);
  const { list, record, idOfCall } = world;

  let stored: number[];
  beforeAll(async () => {
    stored = await record(
      Array.from({ length: 12 }, (_, i) => ({
        agent: 'support',
        model: i % 2 === 0 ? 'gpt-4o' : 'claude',
        tokens: i,
        cost: i / 8,
        duration: null,
        text: i % 3 === 0 ? 'red' : 'green',
        at: T0 + i * 1000,
      })),
    );
  });

  test('a record has every field; the list truncates texts, the detail does not', async () => {
    const { recording } = world.service.one.byKey;
    const at = Date.parse('2026-04-01T00:00:00.000Z');
    world.service.setTime(at);
    const { run_id } = await recording.startRun({
      body: { agent_name: 'writer', workflow_name: 'long' },
    });
    const prompt_preview = '🎉'.repeat(250);
    const call = {
      model: 'gpt-4o',
      tokens_in: 1000,
      tokens_out: 500,
      task: 'write',
      span_id: 's-1',
      parent_span_id: 's-0',
      started_at: '2026-03-31T23:59:59.000Z',
      reasoning_tokens: 300,
      time_to_first_token_ms: 20,
      finish_reason: 'stop',
      tool_calls: [{ id: null, name: 'find', arguments: { q: [1] } }],
      prompt_preview,
      response_preview: 'short',
    };
    await recording.recordLlmCalls({ params: { run_id }, body: { calls: [call] } });
    world.service.setTime(undefined);
    const { results } = await list({ agent: 'writer' });
    const [row] = results;
    const record = {
      id: await idOfCall(run_id),
      run_id: Number(run_id),
      model: 'gpt-4o',
      provider: expect.anything() as unknown,
      task: 'write',
      agent_name: 'writer',
      workflow_name: 'long',
      tokens_in: 1000,
      tokens_out: 500,
      total_tokens: 1500,
      cache_read_tokens: 0,
      cache_write_tokens: 0,
      cost: 0.0075,
      cost_source: 'table',
      span_id: 's-1',
      parent_span_id: 's-0',
      started_at: '2026-03-31T23:59:59.000Z',
      duration_ms: null,
      reasoning_tokens: 300,
      time_to_first_token_ms: 20,
      finish_reason: 'stop',
      created_at: '2026-04-01T00:00:00.000Z',
      prompt_hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      response_preview: 'short',
    };
    const provider = row?.provider ?? null;
    expect(row).toEqual({ ...record, provider, prompt_preview: '🎉'.repeat(200) });
    const params = { call_id: String(row?.id) };
    const detail = await world.service.one.byOwner.llmCalls.getLlmCall({ params });
    const { tool_calls } = call;
    expect(detail).toEqual({ ...record, provider, prompt_preview, response_id: null, tool_calls });
  });

  test('another tenant does not see it', async () => {
    const { llmCalls } = world.service.other.byOwner;
    const id = String(stored[0]);
    await expect(llmCalls.getLlmCall({ params: { call_id: id } })).rejects.toMatchObject({
      status: 404,
      message: `there is no LLM call ${id}`,
    });
    for (const query of [{}, { min_cost: 0 }, { search: 'red' }, { start: '2020-01-01' }])
      expect(await llmCalls.listLlmCalls({ query })).toMatchObject({
        results: [],
        count: 0,
        aggregates: { total_cost: 0, total_tokens: 0, total_calls: 0, models_used: [] },
      });
  });

  test.each(['0', 'x', '1.5', '99999999999999999'])('the call %j is not found', async (call_id) => {
    await expect(
      world.service.one.byOwner.llmCalls.getLlmCall({ params: { call_id } }),
    ).rejects.toMatchObject({ status: 404 });
  });

  test.each([
    [{ limit: 0 }, /limit/],
    [{ limit: 'x' }, /limit/],
    [{ offset: -1 }, /offset/],
    [{ sort: 'task' }, /sort/],
    [{ sort: ['cost', 'model'] }, /sort/],
    [{ min_cost: 'cheap' }, /min_cost/],
    [{ min_cost: '' }, /min_cost/],
    [{ min_cost: '0x10' }, /^min_cost: expected a decimal number$/],
    [{ max_cost: ' 1' }, /max_cost/],
    [{ min_tokens: '0b1' }, /^min_tokens: expected a whole number$/],
    [{ max_tokens: 1.5 }, /max_tokens/],
    [{ max_tokens: 'Infinity' }, /max_tokens/],
    [{ min_cost: 2, max_cost: 1 }, /min_cost.*max_cost/],
    [{ min_tokens: 2, max_tokens: 1 }, /min_tokens.*max_tokens/],
    [{ min_duration_ms: 2, max_duration_ms: 1 }, /min_duration_ms.*max_duration_ms/],
    [{ min_duration_ms: 0.5 }, /min_duration_ms/],
    [{ start: 'yesterday' }, /start/],
    [{ end: '2026-13-01' }, /end/],
    [{ start: '2026-02-02', end: '2026-02-01' }, /start/],
    [{ search: 'x'.repeat(1001) }, /search/],
    [{ agent: ['a', 'b'] }, /agent/],
  ])('%j is rejected by name', async (bad, message) => {
    await expect(list(bad)).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(message) as string,
    });
  });

  test('decimals are accepted in any notation', async () => {
    const { count } = await list({});
    for (const none of ['0', '-1.5', '1e-7', 1e-9])
      expect((await list({ min_cost: none, max_cost: '1E9' })).count).toBeLessThanOrEqual(count);
  });

  test('empty parameters do not filter; a limit above the maximum is reduced to it', async () => {
    const { count } = await list({});
    expect((await list({ search: ' ', model: '', agent: '' })).count).toBe(count);
    expect((await list({ limit: 5000 })).results.length).toBe(Math.min(count, 100));
    expect(await list({ search: '!!!' })).toMatchObject({ results: [], count: 0 });
    expect(await list({ offset: 1_000_000 })).toMatchObject({ results: [], count, next: null });
  });

  test.runIf(kind === 'postgres')('a search that cannot cover all calls yet says so', async () => {
    const { search, transaction } = world.service.storage;
    const tenant_id = await tenantOf();
    await expect.poll(() => search.catchUp(tenant_id)).toBe(true);
    await transaction(async (other) => {
      // Another process is indexing calls of this tenant and does not finish.
      await other.lock(searchLock(tenant_id));
      await transaction(async (tx) => {
        // The calls do not exist, so nothing is indexed twice.
        await search.enqueue(tx, tenant_id, [999_991, 999_992, 999_993]);
        await tx.bulk.insert('search_queue', [
          { tenant_id, call_ids: '[999994]', call_count: 1, queued_at: Date.now() - 60_000 },
        ]);
      });
      const { incomplete, search_lag } = await list({ search: 'red' });
      expect({ incomplete, calls: search_lag?.calls }).toEqual({ incomplete: true, calls: 4 });
      expect(search_lag?.seconds).toBeGreaterThanOrEqual(60);
      expect(await list({})).toMatchObject({ incomplete: false, search_lag: null });
      await expect
        .poll(() => world.service.one.byOwner.service.readyz())
        .toMatchObject({ status: 'ok', search: { calls: 4 } });
    });
    await expect.poll(() => search.catchUp(tenant_id)).toBe(true);
    expect(await list({ search: 'red' })).toMatchObject({ incomplete: false, search_lag: null });
    expect(await search.lag()).toEqual({ calls: 0, seconds: 0 });
  });
  const tenantOf = async (): Promise<string> => {
    const { tenant_id } = await world.service.storage.db
      .selectFrom('llm_calls')
      .select('tenant_id')
      .limit(1)
      .executeTakeFirstOrThrow();
    return tenant_id;
  };

  test('links keep the filter, including several models', async () => {
    const { next } = await list({ model: ['gpt-4o', 'claude'], search: 'a b', limit: 1 });
    const first = await list({ model: ['gpt-4o', 'claude'], min_tokens: 0, limit: 1 });
    expect(next).toBeNull();
    expect(new URL(first.next ?? '').search).toBe(
      '?model=gpt-4o&model=claude&min_tokens=0&limit=1&offset=1',
    );
  });
});
