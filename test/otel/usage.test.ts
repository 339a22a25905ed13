import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { newTraceId, requestOf } from './spans.ts';
import { runOfTrace } from './stored.ts';

const claude = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.system': 'anthropic',
  'gen_ai.request.model': 'claude-haiku-4-5',
};
const generation = {
  'langfuse.observation.type': 'generation',
  'langfuse.observation.model.name': 'gpt-4o-mini',
};
const usage = JSON.stringify({
  input: 60,
  output: 12,
  total: 120,
  input_cached_tokens: 40,
  output_reasoning_tokens: 8,
});

describe.each(databases)('usage reported by real clients, on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());

  test.each([
    [
      'OpenLLMetry of Anthropic: the cached tokens stand beside the input',
      '@traceloop/instrumentation-anthropic',
      {
        ...claude,
        'gen_ai.usage.input_tokens': 60,
        'gen_ai.usage.output_tokens': 20,
        'gen_ai.usage.cache_read_input_tokens': 40,
        'gen_ai.usage.cache_creation_input_tokens': 5,
      },
      // In millionths: 60 × 1 + 40 × 0.1 + 5 × 1.25 + 20 × 5.
      { tokens_in: 105, tokens_out: 20, cache_read_tokens: 40, cost: 0.00017025 },
    ],
    [
      'OpenLLMetry of Claude Sonnet: what Claude Code says it cost',
      '@traceloop/instrumentation-anthropic',
      {
        ...claude,
        'gen_ai.request.model': 'claude-sonnet-4-5',
        'gen_ai.usage.input_tokens': 60,
        'gen_ai.usage.output_tokens': 20,
        'gen_ai.usage.cache_read_input_tokens': 40,
        'gen_ai.usage.cache_creation_input_tokens': 5,
      },
      { tokens_in: 105, tokens_out: 20, cost: 0.00051075, cost_source: 'table' },
    ],
    [
      'Claude Code: names of its own',
      'com.anthropic.claude_code.tracing',
      {
        'gen_ai.system': 'anthropic',
        'gen_ai.request.model': 'claude-sonnet-4-5',
        input_tokens: 60,
        output_tokens: 20,
        cache_read_tokens: 40,
        cache_creation_tokens: 5,
      },
      { tokens_in: 105, tokens_out: 20, cost: 0.00051075, cache_write_tokens: 5 },
    ],
    [
      'Langfuse: one object whose values are disjoint',
      'langfuse-sdk',
      { ...generation, 'langfuse.observation.usage_details': usage },
      // In millionths: 60 × 0.15 + 40 × 0.075 + 20 × 0.6.
      { tokens_in: 100, tokens_out: 20, cache_read_tokens: 40, cost: 0.000024 },
    ],
    [
      'Langfuse: a cost that is all zero is none',
      'langfuse-sdk',
      {
        ...generation,
        'langfuse.observation.usage_details': usage,
        'langfuse.observation.cost_details': '{"input":0,"output":0,"total":0}',
      },
      { cost: 0.000024, cost_source: 'table' },
    ],
    [
      'Langfuse: a cost',
      'langfuse-sdk',
      {
        ...generation,
        'langfuse.observation.usage_details': usage,
        'langfuse.observation.cost_details': '{"input":0.001,"output":0.002,"total":0.003}',
      },
      { cost: 0.003, cost_source: 'given' },
    ],
    [
      'OpenLIT: a cost of 0 where its price list was not to be had',
      'openlit',
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.system': 'openai',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.usage.input_tokens': 1000,
        'gen_ai.usage.output_tokens': 500,
        'gen_ai.usage.cost': 0,
      },
      { cost: 0.0075, cost_source: 'table' },
    ],
    [
      'a cost of 0 of an unknown model',
      'openlit',
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'our-own',
        'gen_ai.usage.input_tokens': 10,
        'gen_ai.usage.cost': 0,
      },
      { cost: 0, cost_source: 'unpriced' },
    ],
  ])('%s', async (_name, scope, attributes, expected) => {
    const trace = newTraceId();
    const named = { trace, scope: { name: scope, version: '1' } };
    const call = { id: 'call', name: 'claude_code.llm_request', attributes };
    await service.byKey.otel.exportTraces({ body: requestOf([call], named) });
    const run = await runOfTrace(service, trace, ['unknown', 'claude-code']);
    expect(run?.llm_calls).toMatchObject([expected]);
  });
});
