import type { TestClient } from './control-plane.ts';

/** Milliseconds before now at which the trace begins. */
const AGE = 10 * 60_000;

/**
 * Records a planner that calls a researcher three times and a writer once: LLM calls, tools, a step
 * without a time, a failed tool, and a policy that blocks the writer. Returns the run of the
 * planner.
 */
export async function recordTrace(
  { recording, policies }: TestClient,
  now: number,
): Promise<string> {
  const at = (ms: number): string => new Date(now - AGE + ms).toISOString();
  const span = (name: string, from: number, duration_ms: number, more: object = {}) => ({
    name,
    kind: 'reasoning' as const,
    span_id: name,
    started_at: at(from),
    duration_ms,
    ...more,
  });
  const call = (model: string, from: number, duration_ms: number, more: object = {}) => ({
    model,
    tokens_in: 1840,
    tokens_out: 412,
    started_at: at(from),
    created_at: at(from + duration_ms),
    duration_ms,
    time_to_first_token_ms: Math.round(duration_ms / 4),
    finish_reason: 'stop',
    prompt_preview: 'Compare the three vendors for the board, in a page.',
    response_preview: 'Vendor A is the cheapest; vendor C has the best terms of support.',
    ...more,
  });
  await policies.createPolicy({
    body: {
      name: 'Models of writers',
      category: 'llm',
      scope: { agents: ['trace-writer'] },
      rules: { blocked_models: ['gpt-4o-mini'] },
    },
  });
  const { run_id } = await recording.startRun({
    body: {
      agent_name: 'trace-planner',
      started_at: at(0),
      inputs: { question: 'Which vendor should we take?' },
    },
  });
  const params = { run_id };
  await recording.recordSpans({
    params,
    body: {
      spans: [
        span('plan', 100, 2600),
        span('delegate research', 2800, 14_000),
        span('read the price list', 3000, 1200, {
          kind: 'tool',
          parent_span_id: 'delegate research',
          input_data: { file: 'prices.csv' },
          output_data: { rows: 240 },
        }),
        span('look up support terms', 4300, 900, {
          kind: 'tool',
          status: 'error',
          parent_span_id: 'delegate research',
          attributes: { error: 'HTTP 503 from terms.example' },
        }),
        { name: 'untimed check', kind: 'decision' as const },
      ],
    },
  });
  await recording.recordLlmCalls({
    params,
    body: {
      calls: [
        call('gpt-4o', 200, 2400, { parent_span_id: 'plan' }),
        call('gpt-4o', 17_000, 3000, { reasoning_tokens: 120 }),
      ],
    },
  });
  await recording.recordSteps({
    params,
    body: { steps: [{ step_name: 'summary written', output: { pages: 1 } }] },
  });
  const startChild = async (agent_name: string, from: number) =>
    recording.startRun({
      body: {
        agent_name,
        started_at: at(from),
        parent_run_id: run_id,
        parent_span_id: 'delegate research',
      },
    });
  for (const [index, from] of [5400, 8600, 11_200].entries()) {
    const child = { run_id: (await startChild('trace-researcher', from)).run_id };
    await recording.recordLlmCalls({
      params: child,
      body: { calls: [call('claude-sonnet-4-5', from + 100, 1900)] },
    });
    await recording.completeRun({
      params: child,
      body: {
        completed_at: at(from + 2200),
        ...(index === 1 && { status: 'error' as const, error: 'The source is not reachable.' }),
      },
    });
  }
  const writer = { run_id: (await startChild('trace-writer', 14_000)).run_id };
  await recording.recordLlmCalls({
    params: writer,
    body: { calls: [call('gpt-4o-mini', 14_100, 1500)] },
  });
  await recording.completeRun({ params: writer, body: { completed_at: at(16_200) } });
  await recording.completeRun({
    params,
    body: { completed_at: at(20_500), result: { answer: 'Vendor C.' } },
  });
  return run_id;
}
