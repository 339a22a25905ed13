import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API_KEY, startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';

describe.each(databases)('recording on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());

  const startRun = async (): Promise<string> => {
    const { run_id } = await service.byKey.recording.startRun({ body: { agent_name: 'a' } });
    return run_id;
  };

  test('a repeated request with the same id changes nothing, also concurrently', async () => {
    const { events, recording } = service.byKey;
    const call = { model: 'm', tokens_in: 1, tokens_out: 1 };
    const twice = async <T>(send: () => Promise<T>): Promise<T[]> => [
      ...(await Promise.all([send(), send()])),
      await send(),
    ];
    const start = { agent_name: `again-${kind}`, batch_id: crypto.randomUUID() };
    const started = await twice(() => recording.startRun({ body: start }));
    expect(new Set(started.map((run) => JSON.stringify(run))).size).toBe(1);
    const params = { run_id: started[0]?.run_id ?? '' };
    const calls = { batch_id: crypto.randomUUID(), calls: [call, call] };
    expect(await twice(() => recording.recordLlmCalls({ params, body: calls }))).toEqual(
      Array.from({ length: 3 }, () => ({ status: 'ok', count: 2 })),
    );
    const end = { batch_id: crypto.randomUUID(), steps: [{ step_name: 's' }] };
    await twice(() => recording.completeRun({ params, body: end }));
    const event = { batch_id: crypto.randomUUID(), events: [{ event_type: `again-${kind}` }] };
    await twice(() => events.recordEvents({ body: event }));
    // A request with the same content and another id is a new request.
    await recording.recordLlmCalls({ params, body: { calls: [call] } });

    const query = { agent: start.agent_name };
    const { results, count } = await service.byOwner.runs.listRuns({ query });
    expect([count, results[0]?.llm_call_count, results[0]?.tokens]).toEqual([1, 3, 6]);
    const run = await service.byOwner.runs.getRun({ params: { id: params.run_id } });
    expect(run.counts).toEqual({
      llm_calls: 3,
      steps: 1,
      spans: 0,
      scores: 0,
      evaluations: 0,
      incidents: 0,
    });
    const found = await service.byOwner.events.listEvents({
      query: { event_type: `again-${kind}` },
    });
    expect(found.count).toBe(1);
  });

  test('a batch id identifies one request', async () => {
    const { recording } = service.byKey;
    const [one, other] = [await startRun(), await startRun()];
    const batch_id = crypto.randomUUID();
    const steps = [{ step_name: 's' }];
    const call = { model: 'm', tokens_in: 1, tokens_out: 1 };
    const span = { name: 't', kind: 'tool' } as const;
    const score = { name: 'n', value: 1 };
    const record = (run_id: string, more = steps) =>
      recording.recordSteps({ params: { run_id }, body: { batch_id, steps: more } });
    await record(one);
    const answers = await Promise.allSettled([
      record(other),
      record(one, [...steps, ...steps]),
      recording.recordLlmCalls({ params: { run_id: one }, body: { batch_id, calls: [call] } }),
      recording.recordSpans({ params: { run_id: one }, body: { batch_id, spans: [span] } }),
      recording.recordScores({ params: { run_id: one }, body: { batch_id, scores: [score] } }),
      recording.startRun({ body: { agent_name: 'a', batch_id } }),
      recording.completeRun({ params: { run_id: one }, body: { batch_id } }),
      service.byKey.events.recordEvents({ body: { batch_id, events: [{ event_type: 'x' }] } }),
    ]);
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 'rejected', reason: { status: 409 } });
    expect(await record(one)).toEqual({ status: 'ok', count: 1 });
  });

  test('a rejected request may be sent again with the same id', async () => {
    const { recording } = service.byKey;
    const body = { batch_id: crypto.randomUUID(), steps: [{ step_name: 's' }] };
    const send = (run_id: string) => recording.recordSteps({ params: { run_id }, body });
    await expect(send('999999')).rejects.toMatchObject({ status: 404 });
    expect(await send(await startRun())).toEqual({ status: 'ok', count: 1 });
  });

  test('concurrent calls are all counted for the run', async () => {
    const params = { run_id: await startRun() };
    const call = { model: 'gpt-4o', tokens_in: 1, tokens_out: 1, cost: 0.25 };
    await Promise.all(
      Array.from({ length: 40 }, () =>
        service.byKey.recording.recordLlmCalls({ params, body: { calls: [call, call] } }),
      ),
    );
    const run = await service.byOwner.runs.getRun({ params: { id: params.run_id } });
    expect(run).toMatchObject({ llm_call_count: 80, tokens: 160, cost: 20 });
    expect(run.llm_calls).toHaveLength(80);
  });

  const key = { 'X-Svc-Key': API_KEY };
  const post = (path: string, body: string, headers: Record<string, string> = key) =>
    fetch(`${service.urls.public}${path}`, { method: 'POST', body, headers });

  test('a body above the limit gets 413', async () => {
    const calls = [{ model: 'm', tokens_in: 1, tokens_out: 1, prompt_preview: 'x'.repeat(11e6) }];
    const response = await post('/api/v1/observe/runs/1/llm-calls/', JSON.stringify({ calls }));
    expect(response.status).toBe(413);
  });

  test('a batch with one invalid item is not stored at all', async () => {
    const run_id = await startRun();
    const steps = '{"steps":[{"step_name":"good"},{"step_name":""}]}';
    expect((await post(`/api/v1/observe/runs/${run_id}/steps/`, steps)).status).toBe(400);
    const run = await service.byOwner.runs.getRun({ params: { id: run_id } });
    expect(run.steps).toEqual([]);
  });
});
