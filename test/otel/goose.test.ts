import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../support/databases.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { loadSamples, type Sample, sendSamples, sessionOf, split } from './samples.ts';
import { START } from './spans.ts';

const ANSWER = 'It is 20 degrees in Paris.';

describe.each(databases)('telemetry of Goose, on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
    service.setTime(START + 60_000);
  });
  afterAll(() => service.stop());

  const send = (samples: readonly Sample[]) => sendSamples(service, samples);

  /** The run of a session, which is recorded with its user and host, and without the ids. */
  const runOf = async (samples: readonly Sample[]) => {
    const session = `ada@laptop/${sessionOf(samples)}`;
    const { runs } = service.byOwner;
    const { results } = await runs.listRuns({ query: { limit: 100 } });
    const found = results.filter(({ session_id }) => session_id === session);
    expect(found).toHaveLength(1);
    return runs.getRun({ params: { id: String(found[0]?.id) } });
  };

  test('a prompt is a run with its calls and tools, and nothing counts twice', async () => {
    const samples = await loadSamples('goose-traces', 'goose-logs', 'goose-metrics');
    expect(await send(samples)).toEqual(samples.map(() => ({})));
    const run = await runOf(samples);
    expect(run).toMatchObject({
      agent_name: 'goose',
      status: 'success',
      inputs: { messages: [{ role: 'user', content: 'Is it warm in Paris?' }] },
      result: { messages: [{ role: 'assistant', content: ANSWER }] },
      metadata: { root_span: 'reply', service: 'goose', service_version: '1.52.0' },
      user_id: 'ada',
      llm_call_count: 2,
      tokens: 120 + 180,
    });
    expect(run.llm_calls).toMatchObject([
      {
        model: 'gpt-4o',
        provider: 'openai',
        tokens_in: 100,
        tokens_out: 20,
        cache_read_tokens: 40,
        cost_source: 'table',
      },
      { tokens_in: 150, tokens_out: 30, response_preview: ANSWER, finish_reason: 'stop' },
    ]);
    expect(run.spans).toMatchObject([
      { kind: 'reasoning', name: 'reply' },
      { kind: 'reasoning', name: 'reply_stream' },
      { kind: 'tool', name: 'shell', status: 'ok', input_data: { command: 'echo 20 degrees' } },
    ]);
    const id = String(run.spans[2]?.id);
    const params = { id: String(run.id), span_id: id };
    expect(await service.byOwner.runs.getSpan({ params })).toMatchObject({
      output_data: { structuredContent: { stdout: '20 degrees' } },
    });
  });

  test('a run fails with its turn, whose call was retried in vain', async () => {
    const samples = await loadSamples('goose-failed-traces');
    await send(samples);
    const error = 'Error: Request failed: Bad request (400): the stand-in refuses this';
    expect(await runOf(samples)).toMatchObject({
      status: 'error',
      error,
      llm_call_count: 1,
      tokens: 0,
      spans: [
        { name: 'reply', status: 'ok' },
        { name: 'reply_stream', status: 'error', attributes: { error } },
        {
          name: 'stream_response_from_provider',
          status: 'error',
          attributes: { error: expect.stringContaining('status: 400 Bad Request') as string },
        },
      ],
    });
  });

  test.each<[string, (samples: readonly Sample[]) => Sample[]]>([
    ['backwards', (samples) => samples.flatMap(split).toReversed()],
    ['twice', (samples) => [...samples, ...samples]],
  ])('spans sent %s result in the same run', async (_, change) => {
    const essenceOf = async (samples: readonly Sample[]) => {
      const run = await runOf(samples);
      const { agent_name, status, tokens, cost, llm_call_count, inputs, result } = run;
      const spans = run.spans.map(({ name, status: of }) => `${name} ${of}`);
      return { agent_name, status, tokens, cost, llm_call_count, inputs, result, spans };
    };
    const plain = await loadSamples('goose-traces');
    await send(plain);
    const changed = await loadSamples('goose-traces');
    await send(change(changed));
    expect(await essenceOf(changed)).toEqual(await essenceOf(plain));
  });

  test('all names are mapped', async () => {
    const { results } = await service.byOwner.otel.listUnmappedAttributes({ query: {} });
    expect(results).toEqual([]);
  });
});
