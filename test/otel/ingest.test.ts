import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { newTraceId, requestOf, type TestSpan } from './spans.ts';

describe.each(databases)('OpenTelemetry on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());

  const send = (spans: TestSpan[], options: Parameters<typeof requestOf>[1]) =>
    service.byKey.otel.exportTraces({ body: requestOf(spans, options) });

  const runOf = async (trace: string) => {
    const { results } = await service.byOwner.runs.listRuns({ query: { limit: 100 } });
    const found = results.find(({ trace_id }) => trace_id === trace);
    return found && service.byOwner.runs.getRun({ params: { id: String(found.id) } });
  };

  test('an agent with a model and a tool becomes a run', async () => {
    const trace = newTraceId();
    await send(
      [
        {
          id: 'root',
          attributes: {
            'gen_ai.operation.name': 'invoke_agent',
            'gen_ai.agent.name': 'helper',
            'session.id': 's1',
            'user.id': 'u1',
          },
          from: 0,
          to: 3000,
        },
        {
          id: 'chat',
          parent: 'root',
          from: 100,
          to: 900,
          attributes: {
            'gen_ai.operation.name': 'chat',
            'gen_ai.provider.name': 'openai',
            'gen_ai.request.model': 'gpt-4o',
            'gen_ai.usage.input_tokens': 1000,
            'gen_ai.usage.output_tokens': 500,
            'gen_ai.input.messages': JSON.stringify([
              { role: 'user', parts: [{ type: 'text', content: 'Hi' }] },
            ]),
            'gen_ai.output.messages': JSON.stringify([
              { role: 'assistant', parts: [{ type: 'text', content: 'Hello' }] },
            ]),
          },
        },
        {
          id: 'tool',
          parent: 'root',
          from: 1000,
          to: 1200,
          attributes: {
            'gen_ai.operation.name': 'execute_tool',
            'gen_ai.tool.name': 'weather',
            'gen_ai.tool.call.arguments': '{"city":"Paris"}',
            'gen_ai.tool.call.result': '{"c":20}',
          },
        },
      ],
      { trace, resource: { 'service.name': 'svc', 'deployment.environment.name': 'prod' } },
    );
    const run = await runOf(trace);
    console.log(JSON.stringify(run, null, 1));
    expect(run?.cost).toBeCloseTo(0.0075, 10);
  });
});
