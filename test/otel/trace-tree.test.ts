import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { maintenanceSteps } from '#control-plane/otel/maintenance/maintenance-steps.ts';
import {
  maintainTraces,
  type MaintenanceContext,
} from '#control-plane/otel/maintenance/maintain-traces.ts';
import { databases } from '../support/databases.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';
import { newTraceId, requestOf, spanId, START, type TestSpan } from './spans.ts';
import { runOfTrace } from './stored.ts';

const HOUR_MS = 3_600_000;
const at = (ms: number): string => new Date(START + ms).toISOString();

const chat = (span: Partial<TestSpan> & { id: string }): TestSpan => ({
  ...span,
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.usage.input_tokens': 1000,
    'gen_ai.usage.output_tokens': 500,
    ...span.attributes,
  },
});
const agent = (span: Partial<TestSpan> & { id: string }): TestSpan => ({
  ...span,
  attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'guide' },
});

describe.each(databases)('the tree of an OpenTelemetry trace on %s', (kind) => {
  let service: TwoTenants;
  beforeAll(async () => {
    service = await startTwoTenants(kind);
    service.setTime(START + 60_000);
  });
  afterAll(() => service.stop());

  async function exported(...spans: TestSpan[]) {
    const trace = newTraceId();
    await service.one.byKey.otel.exportTraces({ body: requestOf(spans, { trace }) });
    const run = await runOfTrace(service.one, trace, ['guide']);
    const params = { id: String(run?.id) };
    const items = async () =>
      (await service.one.byOwner.runs.getRunTrace({ params, query: {} })).items.slice(1);
    return { run, items };
  }

  test('calls, tools and other spans keep ids, parents, starts and response attributes', async () => {
    const { run, items } = await exported(
      agent({ id: 'agent', from: 0, to: 1000 }),
      chat({
        id: 'call',
        parent: 'agent',
        from: 100,
        to: 600,
        attributes: {
          'gen_ai.usage.reasoning.output_tokens': 300,
          'gen_ai.response.finish_reasons': ['tool_calls'],
          'gen_ai.response.time_to_first_chunk': 0.125,
          'gen_ai.output.messages': JSON.stringify([
            {
              role: 'assistant',
              parts: [{ type: 'tool_call', id: 'c1', name: 'find', arguments: { q: 'x' } }],
            },
          ]),
        },
      }),
      {
        id: 'tool',
        parent: 'agent',
        from: 650,
        to: 700,
        attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'find' },
      },
    );
    const [call] = run?.llm_calls ?? [];
    expect(call).toMatchObject({
      provider: 'openai',
      span_id: spanId('call'),
      parent_span_id: spanId('agent'),
      started_at: at(100),
      duration_ms: 500,
      reasoning_tokens: 300,
      time_to_first_token_ms: 125,
      finish_reason: 'tool_calls',
    });
    const params = { call_id: String(call?.id) };
    expect((await service.one.byOwner.llmCalls.getLlmCall({ params })).tool_calls).toEqual([
      { id: 'c1', name: 'find', arguments: { q: 'x' } },
    ]);
    expect(await items()).toMatchObject([
      { kind: 'llm_call', span_id: spanId('call'), parent_span_id: spanId('agent') },
      { kind: 'span', span_id: spanId('agent'), parent_span_id: null, started_at: at(0) },
      { kind: 'tool', name: 'find', parent_span_id: spanId('agent'), started_at: at(650) },
    ]);
  });

  test('a call that a nested call replaces keeps its place as a span', async () => {
    const { items } = await exported(
      agent({ id: 'agent', to: 1000 }),
      chat({ id: 'outer', parent: 'agent', from: 100, to: 900 }),
      chat({ id: 'inner', parent: 'outer', from: 200, to: 800 }),
    );
    expect(await items()).toMatchObject([
      { kind: 'llm_call', span_id: spanId('inner'), parent_span_id: spanId('outer') },
      { kind: 'span', span_id: spanId('agent') },
      { kind: 'span', span_id: spanId('outer'), parent_span_id: spanId('agent') },
    ]);
  });

  test('spans without AI work that have children are links, also if the children arrive much later', async () => {
    const { items } = await exported(
      agent({ id: 'agent', to: 1000 }),
      { id: 'http', parent: 'agent', from: 100, to: 900 },
      { id: 'retry', parent: 'http', from: 150, to: 850 },
      chat({ id: 'call', parent: 'retry', from: 200, to: 800 }),
      { id: 'leaf', parent: 'call', from: 300, to: 310 },
      { id: 'leaf of', parent: 'leaf', from: 301, to: 305 },
    );
    const linked = async () =>
      (await items())
        .filter((item) => item.kind === 'link')
        .map(({ span_id, parent_span_id }) => [span_id, parent_span_id]);
    const above = [
      [spanId('http'), spanId('agent')],
      [spanId('retry'), spanId('http')],
    ];
    const all = await linked();
    expect(all).toHaveLength(3);
    expect(all).toEqual(expect.arrayContaining([...above, [spanId('leaf'), spanId('call')]]));
    const context = { storage: service.storage, now: () => START + 10 * HOUR_MS };
    for (const step of maintenanceSteps)
      await maintainTraces(context as MaintenanceContext, step, new AbortController().signal);
    // Sorted by id.
    expect(await linked()).toEqual(above);
  });
});
