import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';

const SPANS = 30_000;

describe.each(databases)('runs on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());

  const start = async (agent_name = 'a') =>
    (await service.byKey.recording.startRun({ body: { agent_name } })).run_id;

  test('a run with 30,000 spans is listed and paged', async () => {
    const run_id = await start('big');
    for (let from = 0; from < SPANS; from += 1000)
      await service.byKey.recording.recordSpans({
        params: { run_id },
        body: {
          spans: Array.from({ length: 1000 }, (_, i) => ({
            name: `span ${from + i}`,
            kind: 'tool' as const,
            position: from + i,
            input_data: { text: 'x'.repeat(500) },
          })),
        },
      });
    const { runs } = service.byOwner;
    const run = await runs.getRun({ params: { id: run_id } });
    expect([run.counts.spans, run.spans.length]).toEqual([SPANS, 100]);
    expect(run.spans[0]).toMatchObject({
      name: 'span 0',
      attributes: null,
      input_data: { text: 'x'.repeat(500) },
      output_data: null,
      truncated: false,
    });
    const pageAt = async (offset: number) => {
      const page = await runs.listRunSpans({
        params: { id: run_id },
        query: { limit: 100, offset },
      });
      return [page.count, page.results.map(({ name }) => name), page.next !== null];
    };
    const names = (from: number, length: number) =>
      Array.from({ length }, (_, i) => `span ${from + i}`);
    expect(await pageAt(15_000)).toEqual([SPANS, names(15_000, 100), true]);
    expect(await pageAt(SPANS - 50)).toEqual([SPANS, names(SPANS - 50, 50), false]);
    expect(await pageAt(SPANS)).toEqual([SPANS, [], false]);
  });

  test('spans are listed with their texts if these are short', async () => {
    const run_id = await start('carrying');
    const long = { long: 'ä'.repeat(5000) };
    const [attributes, input_data, output_data] = [{ n: 1 }, { q: ['why?'] }, { a: 'because' }];
    const spans = [
      { attributes, input_data, output_data },
      { attributes, input_data: long, output_data },
      { output_data: {} },
      {},
    ];
    await service.byKey.recording.recordSpans({
      params: { run_id },
      body: { spans: spans.map((span) => ({ name: 's', kind: 'tool' as const, ...span })) },
    });
    const { runs } = service.byOwner;
    const params = { id: run_id };
    const run = await runs.getRun({ params });
    const none = { attributes: null, input_data: null, output_data: null };
    expect(run.spans).toMatchObject([
      { attributes, input_data, output_data, truncated: false },
      { attributes, input_data: null, output_data, truncated: true },
      { ...none, output_data: {}, truncated: false },
      { ...none, truncated: false },
    ]);
    expect((await runs.listRunSpans({ params, query: {} })).results).toEqual(run.spans);
    const second = { id: run_id, span_id: String(run.spans[1]?.id) };
    expect((await runs.getSpan({ params: second })).input_data).toEqual(long);
  });

  test('the total size of the texts in one response is limited', async () => {
    const run_id = await start('heavy');
    const text = { text: 'x'.repeat(9900) };
    const span = { name: 's', kind: 'tool' as const };
    const full = { ...span, attributes: text, input_data: text, output_data: text };
    await service.byKey.recording.recordSpans({
      params: { run_id },
      body: { spans: [...Array.from({ length: 60 }, () => full), span] },
    });
    const { spans } = await service.byOwner.runs.getRun({ params: { id: run_id } });
    expect(JSON.stringify(spans).length).toBeLessThan(1_100_000);
    // 35 times 29,733 bytes.
    expect(spans.map(({ truncated }) => truncated)).toEqual([
      ...Array.from({ length: 35 }, () => false),
      ...Array.from({ length: 25 }, () => true),
      false,
    ]);
    expect(spans.map(({ input_data }) => input_data !== null)).toEqual([
      ...Array.from({ length: 35 }, () => true),
      ...Array.from({ length: 26 }, () => false),
    ]);
    const query = { limit: 25, offset: 35 };
    const rest = await service.byOwner.runs.listRunSpans({ params: { id: run_id }, query });
    expect(rest.results.every(({ truncated }) => !truncated)).toBe(true);
  });

  test('the records of a run are paged, each once and in order', async () => {
    const run_id = await start();
    const params = { run_id };
    const numbers = Array.from({ length: 7 }, (_, i) => i);
    const { recording } = service.byKey;
    await recording.recordLlmCalls({
      params,
      body: {
        calls: numbers.map((n) => ({
          model: `m${n}`,
          tokens_in: n,
          tokens_out: 0,
          prompt_preview: '😀'.repeat(300),
          cache_read_tokens: n,
          provider: 'openai',
          duration_ms: 5,
        })),
      },
    });
    await recording.recordSteps({
      params,
      body: { steps: numbers.map((n) => ({ step_name: `s${n}` })) },
    });
    await recording.recordScores({
      params,
      body: { scores: numbers.map((n) => ({ name: `q${n}`, numeric_value: n })) },
    });
    const { runs } = service.byOwner;
    const request = (offset: number) => ({ params: { id: run_id }, query: { limit: 3, offset } });
    const offsets = [0, 3, 6];
    const calls = await Promise.all(offsets.map((at) => runs.listRunLlmCalls(request(at))));
    const steps = await Promise.all(offsets.map((at) => runs.listRunSteps(request(at))));
    const scores = await Promise.all(offsets.map((at) => runs.listRunScores(request(at))));
    expect(calls.flatMap(({ results }) => results).map(({ model }) => model)).toEqual(
      numbers.map((n) => `m${n}`),
    );
    expect(calls[0]?.results[2]).toMatchObject({
      tokens_in: 2,
      cache_read_tokens: 2,
      cache_write_tokens: 0,
      provider: 'openai',
      duration_ms: 5,
      cost_source: 'unpriced',
      prompt_preview: '😀'.repeat(200),
    });
    expect(steps.flatMap(({ results }) => results).map((step) => step.step_name)).toEqual(
      numbers.map((n) => `s${n}`),
    );
    expect(scores.flatMap(({ results }) => results).map(({ name }) => name)).toEqual(
      numbers.map((n) => `q${n}`),
    );
  });

  test('calls are in chronological order, whatever the order of arrival', async () => {
    const run_id = await start();
    const now = Date.now();
    const calls = [1, 3, 2, 2].map((minutes, i) => ({
      model: `m${minutes}${i}`,
      tokens_in: 1,
      tokens_out: 1,
      created_at: new Date(now - minutes * 60_000).toISOString(),
    }));
    await service.byKey.recording.recordLlmCalls({ params: { run_id }, body: { calls } });
    const { runs } = service.byOwner;
    const list = await runs.listRunLlmCalls({ params: { id: run_id }, query: {} });
    const ofRun = await runs.getRun({ params: { id: run_id } });
    expect(list.results.map(({ model }) => model)).toEqual(['m31', 'm22', 'm23', 'm10']);
    expect(ofRun.llm_calls).toEqual(list.results);
  });

  test('times from the client are used unless they are implausible', async () => {
    const { recording } = service.byKey;
    const started_at = '2026-02-03T04:05:06.000Z';
    const { run_id } = await recording.startRun({ body: { agent_name: 'late', started_at } });
    const params = { run_id };
    const call = { model: 'm', tokens_in: 1, tokens_out: 1 };
    const at = (created_at: string) =>
      recording.recordLlmCalls({ params, body: { calls: [call, { ...call, created_at }] } });
    await expect(at('9999-01-01T00:00:00Z')).rejects.toThrow(/calls\[1\]\.created_at.*future/);
    await expect(at('1950-01-01T00:00:00Z')).rejects.toThrow(/created_at.*1999/);
    await at('2026-02-03T04:05:10+01:00');
    await recording.completeRun({ params, body: { completed_at: '2026-02-03T04:00:00Z' } });
    const run = await service.byOwner.runs.getRun({ params: { id: run_id } });
    expect(run).toMatchObject({ started_at, completed_at: started_at, duration: 0 });
    expect(run.llm_calls[0]?.created_at).toBe('2026-02-03T03:05:10.000Z');
  });

  test('unknown ids return 404', async () => {
    const id = await start();
    const { runs } = service.byOwner;
    const query = {};
    const nowhere = { params: { id: '999999' }, query };
    const answers = await Promise.allSettled([
      runs.getRun(nowhere),
      runs.listRunSpans(nowhere),
      runs.listRunSteps(nowhere),
      runs.listRunScores(nowhere),
      runs.listRunLlmCalls(nowhere),
      runs.getSpan({ params: { id, span_id: '1' } }),
      runs.getStep({ params: { id, step_id: '1' } }),
      runs.listRunSpans({ params: { id: 'x' }, query }),
    ]);
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 'rejected', reason: { status: 404 } });
  });

  test('the list counts runs by agent and by status', async () => {
    const agent = 'counted';
    for (const end of [undefined, 'success', 'success', 'error'] as const) {
      const run_id = await start(agent);
      if (end)
        await service.byKey.recording.completeRun({ params: { run_id }, body: { status: end } });
    }
    const count = async (query: object) =>
      (await service.byOwner.runs.listRuns({ query: { agent, ...query } })).count;
    expect([
      await count({}),
      await count({ status: 'running' }),
      await count({ status: 'success' }),
      await count({ status: 'error' }),
    ]).toEqual([4, 1, 2, 1]);
  });

  test('the service reports its health and the catalog', async () => {
    const { guard, service: health } = service.byOwner;
    const ok = { status: 'ok' };
    expect(await health.healthz()).toEqual({
      status: 'ok',
      version: expect.stringMatching(/^\d/) as string,
    });
    await expect
      .poll(() => health.readyz())
      .toEqual({
        status: 'ok',
        checks: { database: ok, recording: ok, migrations: ok },
        search: { calls: expect.any(Number) as number, seconds: expect.any(Number) as number },
      });
    expect((await guard.listCatalog()).hosts.length).toBeGreaterThan(60);
  });
});
