import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { keyValues, newTraceId, requestOf, spanId, START, type TestSpan } from './spans.ts';
import { runOfTrace } from './stored.ts';

const call: TestSpan = {
  id: 'call',
  parent: 'root',
  to: 2000,
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.system': 'openai',
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.usage.input_tokens': 1000,
    'gen_ai.usage.output_tokens': 500,
  },
};
const root: TestSpan = { id: 'root', to: 3000, attributes: { 'gen_ai.agent.name': 'weather' } };
const resource = { 'service.name': 'weather-service' };

type Body = Parameters<typeof keyValues>[0];

describe.each(databases)('messages of a call as log records, on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());

  const sendSpans = (trace: string, ...spans: TestSpan[]) =>
    service.byKey.otel.exportTraces({ body: requestOf(spans, { trace, resource }) });

  /** Sends logs like `@opentelemetry/instrumentation-openai`. */
  const sendLogs = (trace: string, ...events: [name: string, body: Body][]) => {
    const logRecords = events.map(([name, body], i) => ({
      timeUnixNano: `${BigInt(START + 100 + i) * 1_000_000n}`,
      traceId: trace,
      spanId: spanId('call'),
      attributes: keyValues({ 'event.name': name, 'gen_ai.system': 'openai' }),
      body: { kvlistValue: { values: keyValues(body) } },
    }));
    const scopeLogs = [{ scope: { name: 'openai', version: '1' }, logRecords }];
    const resourceLogs = [{ resource: { attributes: keyValues(resource) }, scopeLogs }];
    return service.byKey.otel.exportLogs({ body: { resourceLogs } });
  };
  const question: [string, Body] = ['gen_ai.user.message', { content: 'Is it warm?' }];
  const choice: [string, Body] = [
    'gen_ai.choice',
    { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Yes' } },
  ];
  const runOf = async (trace: string) => {
    const run = await runOfTrace(service, trace, ['weather', 'weather-service']);
    return run as NonNullable<typeof run>;
  };

  const orders: [string, (trace: string) => (() => Promise<unknown>)[]][] = [
    ['spans first', (t) => [() => sendSpans(t, call, root), () => sendLogs(t, question, choice)]],
    ['logs first', (t) => [() => sendLogs(t, question, choice), () => sendSpans(t, call, root)]],
    [
      'logs in two requests, around the span',
      (t) => [
        () => sendLogs(t, question),
        () => sendSpans(t, call),
        () => sendLogs(t, choice),
        () => sendSpans(t, root),
      ],
    ],
    [
      'all twice',
      (t) => [
        () => sendLogs(t, question, choice),
        () => sendSpans(t, root, call),
        () => sendLogs(t, question, choice),
        () => sendSpans(t, root, call),
      ],
    ],
  ];
  test.each(orders)('%s: the call has its messages', async (_name, steps) => {
    const trace = newTraceId();
    for (const step of steps(trace)) await step();
    expect(await runOf(trace)).toMatchObject({
      agent_name: 'weather',
      status: 'success',
      duration: 3,
      llm_call_count: 1,
      tokens: 1500,
      cost: 0.0075,
      llm_calls: [
        {
          model: 'gpt-4o',
          prompt_preview: 'Is it warm?',
          response_preview: 'Yes',
          tokens_in: 1000,
        },
      ],
    });
  });

  test('a score on the call is kept', async () => {
    const trace = newTraceId();
    await sendLogs(trace, question);
    const before = await runOf(trace);
    await service.byOwner.scores.createScore({
      body: { llm_call_id: before.llm_calls[0]?.id, name: 'good', value: 1 },
    });
    await sendSpans(trace, call, root);
    const after = await runOf(trace);
    const { results } = await service.byOwner.scores.listScores({ query: { run_id: after.id } });
    expect(results).toMatchObject([{ llm_call_id: String(after.llm_calls[0]?.id) }]);
  });
});
