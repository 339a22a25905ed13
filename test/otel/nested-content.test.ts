import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { splitWords } from '#control-plane/otel/attribute-aliases.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { newTraceId, requestOf, type TestSpan, type Value } from './spans.ts';

const call: TestSpan = {
  id: 'call',
  attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o' },
};
const nestedText = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** Spans with deeply nested values, at each place that is read. */
const deeplyNested: [string, Partial<TestSpan>][] = [
  ...splitWords(`
    gen_ai.input.messages gen_ai.output.messages gen_ai.system_instructions gen_ai.prompt
    gen_ai.completion input.value output.value ai.prompt ai.response.toolCalls
    llm.input_messages.0.message.content metadata tag.tags langfuse.observation.usage_details
    gen_ai.response.finish_reasons acme.state
  `).map((name): [string, Partial<TestSpan>] => [
    `nested JSON text in ${name}`,
    { attributes: { ...call.attributes, [name]: nestedText(20_000) } },
  ]),
  ...['gen_ai.tool.call.arguments', 'gen_ai.retrieval.documents', 'mlflow.spanInputs'].map(
    (name): [string, Partial<TestSpan>] => [
      `nested JSON text in ${name} of a tool`,
      { attributes: { 'gen_ai.operation.name': 'execute_tool', [name]: nestedText(20_000) } },
    ],
  ),
  [
    'nested JSON text in the content of a message',
    {
      attributes: {
        ...call.attributes,
        'gen_ai.input.messages': JSON.stringify([{ role: 'user', content: nestedText(20_000) }]),
        'gen_ai.output.messages': JSON.stringify([
          { tool_calls: [{ name: 'f', arguments: nestedText(20_000) }] },
        ]),
      },
    },
  ],
  [
    'nested JSON text in an event',
    {
      attributes: call.attributes,
      events: [{ name: 'gen_ai.choice', attributes: { event_body: nestedText(20_000) } }],
    },
  ],
  [
    'a flattened message with a name of many parts',
    { attributes: { ...call.attributes, [`gen_ai.prompt.0${'.a'.repeat(20_000)}`]: 'x' } },
  ],
  [
    'a nested attribute',
    {
      attributes: {
        ...call.attributes,
        'input.value': nestedValue(300),
        'acme.state': nestedValue(300),
      },
    },
  ],
];

function nestedValue(depth: number): Value {
  let value: Value = 'x';
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

describe.each(databases)('deeply nested content on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());

  /** Sends spans of one trace, and returns its run. */
  async function stored(spans: TestSpan[]) {
    const { byKey, byOwner } = service;
    const trace = newTraceId();
    expect(await byKey.otel.exportTraces({ body: requestOf(spans, { trace }) })).toEqual({});
    const { results } = await byOwner.runs.listRuns({ query: { limit: 100 } });
    const run = results.find(({ trace_id }) => trace_id === trace);
    return byOwner.runs.getRun({ params: { id: String(run?.id) } });
  }

  test.each(deeplyNested)('%s loses no span of its batch', async (_name, deep) => {
    const { llm_calls, spans } = await stored([{ ...call, id: 'deep', ...deep }, call]);
    expect(llm_calls.length + spans.length).toBe(2);
  });

  test.each([
    ['gen_ai.prompt', 'prompt_preview'],
    ['input.value', 'prompt_preview'],
    ['gen_ai.completion', 'response_preview'],
    ['output.value', 'response_preview'],
  ])('JSON text in %s that is nested too deeply stays text', async (attribute, field) => {
    const text = nestedText(5000);
    const { llm_calls } = await stored([
      { ...call, attributes: { ...call.attributes, [attribute]: text } },
    ]);
    const params = { call_id: String(llm_calls[0]?.id) };
    expect(await service.byOwner.llmCalls.getLlmCall({ params })).toMatchObject({ [field]: text });
  });
});
