import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';

const SPANS = 30_000;
const at = (ms: number): string => new Date(Date.UTC(2026, 2, 1, 10) + ms).toISOString();

describe.each(databases)('the trace of a run on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());

  const start = async (agent_name: string, more: object = {}): Promise<string> =>
    (await service.byKey.recording.startRun({ body: { agent_name, ...more } })).run_id;

  async function traceOf(id: string, limit?: number) {
    const items = [];
    let pages = 0;
    for (let cursor: string | undefined; ; pages += 1) {
      const page = await service.byOwner.runs.getRunTrace({
        params: { id },
        query: { ...(cursor !== undefined && { cursor }), ...(limit && { limit }) },
      });
      items.push(...page.items);
      if (page.next_cursor === null) return { ...page, items, pages: pages + 1 };
      cursor = page.next_cursor;
    }
  }

  test('records keep their position in the trace, and calls the details from the provider', async () => {
    const run_id = await start('placed');
    const place = { span_id: 'call-1', parent_span_id: 'agent', started_at: at(0) };
    await service.byKey.recording.recordLlmCalls({
      params: { run_id },
      body: {
        calls: [
          {
            model: 'gpt-4o',
            tokens_in: 10,
            tokens_out: 8,
            ...place,
            created_at: at(900),
            duration_ms: 900,
            reasoning_tokens: 5,
            time_to_first_token_ms: 250,
            finish_reason: 'tool_calls',
            tool_calls: [{ id: 'c1', name: 'find', arguments: { q: 'x' } }, { name: 'stop' }],
          },
          { model: 'bare', tokens_in: 1, tokens_out: 1 },
        ],
      },
    });
    await service.byKey.recording.recordSpans({
      params: { run_id },
      body: {
        spans: [
          { name: 'agent', kind: 'reasoning', span_id: 'agent', started_at: at(0) },
          { name: 'find', kind: 'tool', span_id: '', parent_span_id: 'call-1', duration_ms: 7 },
        ],
      },
    });
    await service.byKey.recording.recordSteps({
      params: { run_id },
      body: { steps: [{ step_name: 'done', parent_span_id: 'agent', started_at: at(950) }] },
    });
    const run = await service.byOwner.runs.getRun({ params: { id: run_id } });
    expect(run.parent_span_id).toBeNull();
    const [call, bare] = run.llm_calls;
    expect(call).toMatchObject({
      ...place,
      reasoning_tokens: 5,
      time_to_first_token_ms: 250,
      finish_reason: 'tool_calls',
    });
    const nothing = { span_id: null, parent_span_id: null, started_at: null };
    const { items } = await traceOf(run_id);
    expect(items.filter((item) => item.kind === 'llm_call')).toMatchObject([
      { time_to_first_token_ms: 250 },
      { time_to_first_token_ms: null },
    ]);
    expect(bare).toMatchObject({ ...nothing, reasoning_tokens: null, finish_reason: null });
    expect(run.spans).toMatchObject([
      { span_id: 'agent', parent_span_id: null, started_at: at(0) },
      { span_id: null, parent_span_id: 'call-1', started_at: null },
    ]);
    expect(run.steps).toMatchObject([
      { span_id: null, parent_span_id: 'agent', started_at: at(950) },
    ]);
    const detail = await service.byOwner.llmCalls.getLlmCall({
      params: { call_id: String(call?.id) },
    });
    expect(detail.tool_calls).toEqual([
      { id: 'c1', name: 'find', arguments: { q: 'x' } },
      { id: null, name: 'stop', arguments: null },
    ]);
    const params = { id: run_id, span_id: String(run.spans[1]?.id) };
    expect(await service.byOwner.runs.getSpan({ params })).toMatchObject({
      parent_span_id: 'call-1',
    });
    const step = { id: run_id, step_id: String(run.steps[0]?.id) };
    expect(await service.byOwner.runs.getStep({ params: step })).toMatchObject({
      started_at: at(950),
    });
  });

  test('texts are found in every kind of record, also in child runs, ignoring case', async () => {
    const outer = await start('searched', { inputs: { question: 'a "Needle" to find' } });
    const inner = await start('inner', { parent_run_id: outer });
    const { recording } = service.byKey;
    const call = { model: 'm', tokens_in: 1, tokens_out: 1 };
    await recording.recordLlmCalls({
      params: { run_id: inner },
      body: {
        calls: [
          { ...call, prompt_preview: 'where is the NEEDLE?' },
          { ...call, response_preview: 'in the 100% haystack' },
          { ...call, tool_calls: [{ name: 'sew', arguments: { with: 'needle' } }] },
        ],
      },
    });
    await recording.recordSpans({
      params: { run_id: outer },
      body: {
        spans: [
          { name: 'needle', kind: 'tool' },
          { name: 'a', kind: 'tool', output_data: { found: 'Naehnadel, a needle' } },
          { name: 'b', kind: 'reasoning', attributes: { error: 'no needle' } },
        ],
      },
    });
    await recording.recordSteps({
      params: { run_id: inner },
      body: { steps: [{ step_name: 's', output: { text: 'ÖSE, needle' } }] },
    });
    const search = async (text: string) => {
      const params = { id: outer };
      const { found, complete } = await service.byOwner.runs.searchRunTrace({
        params,
        query: { text },
      });
      expect(complete).toBe(true);
      return found;
    };
    const kinds = async (text: string) => (await search(text)).map(({ kind }) => kind);
    expect(await kinds('needle')).toEqual(['run', 'llm_call', 'llm_call', 'tool', 'span', 'step']);
    expect(await kinds('"needle"')).toEqual(['run']);
    expect(await kinds('öse')).toEqual(['step']);
    expect(await kinds('100%')).toEqual(['llm_call']);
    expect(await kinds('%')).toEqual(['llm_call']);
    expect(await kinds('nothing of it')).toEqual([]);
    const { items } = await traceOf(outer);
    const known = new Set(items.map(({ kind, id }) => `${kind} ${id}`));
    for (const { kind, id } of await search('needle')) expect(known).toContain(`${kind} ${id}`);
    await expect(search(' ')).rejects.toMatchObject({ status: 400 });
  });

  test('a trace contains child runs, policy verdicts and incidents', async () => {
    const policy = await service.byKey.policies.createPolicy({
      body: {
        name: 'in time',
        category: 'operations',
        scope: { agents: ['inner'] },
        rules: { timeout_seconds: 60 },
      },
    });
    const outer = await start('outer', { started_at: at(0) });
    const child = { parent_run_id: outer, parent_span_id: 'delegate', started_at: at(0) };
    const inner = await start('inner', child);
    const innermost = await start('innermost', { parent_run_id: inner });
    await start('stranger');
    for (const run_id of [innermost, outer, inner])
      await service.byKey.recording.recordLlmCalls({
        params: { run_id },
        body: {
          calls: [
            { model: 'm', tokens_in: 2, tokens_out: 1, created_at: at(500), duration_ms: 200 },
          ],
        },
      });
    await service.byKey.recording.completeRun({
      params: { run_id: outer },
      body: { completed_at: at(2000) },
    });
    const { items, runs_left_out } = await traceOf(outer);
    const ids = [outer, inner, innermost].map(Number);
    expect(runs_left_out).toBe(false);
    expect(items.filter((item) => item.kind === 'run')).toMatchObject([
      { run_id: ids[0], name: 'outer', parent_run_id: null, status: 'ok', duration_ms: 2000 },
      { run_id: ids[1], name: 'inner', parent_run_id: ids[0], parent_span_id: 'delegate' },
      { run_id: ids[2], name: 'innermost', parent_run_id: ids[1], status: 'running' },
    ]);
    const calls = items.filter((item) => item.kind === 'llm_call');
    expect(calls.map(({ run_id }) => run_id)).toEqual(ids);
    // A call is recorded at its end.
    expect(calls[0]).toMatchObject({
      started_at: at(300),
      duration_ms: 200,
      tokens: 3,
      model: 'm',
    });
    const findings = items.filter(({ policy_id }) => policy_id !== undefined);
    const of = { run_id: ids[1], name: 'in time', policy_id: policy.id };
    expect(findings).toMatchObject([
      { ...of, kind: 'verdict', phase: 'before_workflow', reason: 'Timeout set to 60s' },
      { ...of, kind: 'verdict', phase: 'mid_execution', action: 'warn' },
      { ...of, kind: 'incident', action: 'warn' },
    ]);
    expect((await traceOf(inner)).items.map(({ name }) => name)).not.toContain('outer');
  });

  test('a trace is paged without gaps or repetitions, whatever the size of the pages', async () => {
    const outer = await start('paged');
    const inner = await start('paged inside', { parent_run_id: outer });
    for (const run_id of [outer, inner]) {
      const params = { run_id };
      const calls = Array.from({ length: 5 }, (_, i) => ({
        model: `m${i}`,
        tokens_in: 1,
        tokens_out: 1,
        created_at: at(10 - i),
      }));
      await service.byKey.recording.recordLlmCalls({ params, body: { calls } });
      const spans = Array.from({ length: 5 }, (_, i) => ({ name: `s${i}`, kind: 'tool' as const }));
      await service.byKey.recording.recordSpans({ params, body: { spans } });
      const steps = [{ step_name: 'a' }, { step_name: 'b' }];
      await service.byKey.recording.recordSteps({ params, body: { steps } });
    }
    const whole = await traceOf(outer);
    expect([whole.items.length, whole.pages]).toEqual([26, 1]);
    for (const limit of [1, 3, 13, 26]) {
      const { items, pages } = await traceOf(outer, limit);
      expect(items).toEqual(whole.items);
      expect(pages).toBe(Math.ceil(26 / limit));
    }
  });

  test('an invalid cursor is rejected', async () => {
    const id = await start('refused');
    for (const cursor of ['', 'x', Buffer.from('["spans",1,2]').toString('base64url')])
      await expect(
        service.byOwner.runs.getRunTrace({ params: { id }, query: { cursor } }),
      ).rejects.toMatchObject({ status: 400 });
  });

  test('a trace contains a limited number of runs, and says if there are more', async () => {
    const outer = await start('many');
    for (let done = 0; done < 510; done += 51)
      await Promise.all(
        Array.from({ length: 51 }, () => start('one of many', { parent_run_id: outer })),
      );
    const { items, runs_left_out } = await traceOf(outer);
    expect([items.length, runs_left_out]).toEqual([500, true]);
  });

  test('30,000 spans with long texts take a few pages', async () => {
    const run_id = await start('big');
    for (let from = 0; from < SPANS; from += 1000)
      await service.byKey.recording.recordSpans({
        params: { run_id },
        body: {
          spans: Array.from({ length: 1000 }, (_, i) => ({
            name: `span ${from + i}`,
            kind: 'tool' as const,
            position: from + i,
            span_id: `s${from + i}`,
            parent_span_id: from + i === 0 ? null : `s${(from + i) >> 1}`,
            started_at: at(from + i),
            input_data: { text: 'x'.repeat(3000) },
          })),
        },
      });
    const { items, pages } = await traceOf(run_id, 5000);
    expect([items.length, pages]).toEqual([SPANS + 1, 7]);
    expect(items.at(-1)).toMatchObject({ span_id: 's29999', parent_span_id: 's14999' });
    expect(new Set(items.map(({ id, kind: of }) => `${of} ${id}`)).size).toBe(SPANS + 1);
  });
});
