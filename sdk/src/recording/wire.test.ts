import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventRoutes } from '#contract/events.ts';
import { evaluationRoutes } from '#contract/evaluations.ts';
import { recordingRoutes } from '#contract/recording.ts';
import { findUnstorable } from '#control-plane/http/storable.ts';
import { policyRequest } from '../policy-request.ts';
import { decisionSpan, reasoningSpan, retrievalSpan, retrySpan, toolSpan } from './spans.ts';
import type { LlmCall, Span } from './types.ts';
import { wireCall, wireEnd, wireEvent, wireScore, wireSpan, wireStart, wireStep } from './wire.ts';

const now = Date.UTC(2026, 2, 1);
const AT = '2026-03-01T00:00:00.000Z';

/** The value after serialization to JSON, which omits undefined fields. */
const sent = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const call: LlmCall = {
  model: 'gpt-4o',
  tokensIn: 10,
  tokensOut: 5,
  cacheReadTokens: 4,
  cacheWriteTokens: 1,
  provider: 'openai',
  responseId: 'chatcmpl-CbQ6v1k2NfW',
  cost: 0.5,
  task: 'sort',
  durationMs: 12,
  promptPreview: 'Hi',
  responsePreview: 'Ho',
  prompt: { contentHash: 'a'.repeat(64) },
};
const wireOfCall = {
  model: 'gpt-4o',
  created_at: AT,
  tokens_in: 10,
  tokens_out: 5,
  cache_read_tokens: 4,
  cache_write_tokens: 1,
  provider: 'openai',
  response_id: 'chatcmpl-CbQ6v1k2NfW',
  cost: 0.5,
  task: 'sort',
  duration_ms: 12,
  prompt_hash: 'a'.repeat(64),
};

test.each<[string, unknown, unknown]>([
  ['a call, without its content', wireCall(call, now, false), wireOfCall],
  [
    'a call, with its content',
    wireCall(call, now, true),
    { ...wireOfCall, prompt_preview: 'Hi', response_preview: 'Ho' },
  ],
  [
    'a call of broken numbers',
    wireCall(
      { model: '', tokensIn: Number.NaN, tokensOut: -3.5, cost: -1, prompt: { contentHash: '' } },
      now,
      true,
    ),
    { model: 'unknown', created_at: AT, tokens_in: 0, tokens_out: 0 },
  ],
  [
    'a run',
    wireStart(
      { agentName: 'a', userId: 'u', tags: ['x'], metadata: { k: undefined, d: new Date(now) } },
      now,
    ),
    {
      agent_name: 'a',
      workflow_name: 'default',
      started_at: AT,
      user_id: 'u',
      tags: ['x'],
      metadata: { d: AT },
    },
  ],
  ['a step', wireStep('look', [1]), { step_name: 'look', output: { value: [1] } }],
  [
    'a number as score',
    wireScore({ name: 's', value: 0.5 }),
    { name: 's', data_type: 'numeric', numeric_value: 0.5 },
  ],
  [
    'a word as score',
    wireScore({ name: 's', value: 'good', comment: 'c' }),
    { name: 's', data_type: 'categorical', string_value: 'good', comment: 'c' },
  ],
  [
    'no as score',
    wireScore({ name: 's', value: false }),
    { name: 's', data_type: 'boolean', string_value: false },
  ],
  ['an event', wireEvent({ event: 'x' }, now), { event: 'x', timestamp: AT }],
  ['an event with a time', wireEvent({ timestamp: 'mine' }, now), { timestamp: 'mine' }],
  [
    'a result',
    wireEnd({ result: 7 }, now),
    { status: 'success', completed_at: AT, result: { value: 7 } },
  ],
  ['no result', wireEnd({ result: undefined }, now), { status: 'success', completed_at: AT }],
  [
    'an error',
    wireEnd({ error: new TypeError('no') }, now),
    { status: 'error', completed_at: AT, error: 'TypeError: no' },
  ],
  [
    'an error that is none',
    wireEnd({ error: 'gone' }, now),
    { status: 'error', completed_at: AT, error: 'gone' },
  ],
])('%s', (_name, wire, expected) => {
  expect(sent(wire)).toEqual(expected);
});

test.each<[Span, object]>([
  [
    toolSpan({
      name: 'search',
      input: { q: 1 },
      output: 'found',
      toolType: 'api',
      durationMs: 3.7,
      status: 'error',
    }),
    {
      name: 'search',
      kind: 'tool',
      status: 'error',
      duration_ms: 3,
      attributes: { tool_type: 'api' },
      input_data: { q: 1 },
      output_data: { value: 'found' },
    },
  ],
  [
    retrievalSpan({ query: 'q', documents: ['d'], source: 'docs', topK: 3, position: 9 }),
    {
      name: 'retrieval',
      kind: 'retriever',
      status: 'ok',
      position: 9,
      attributes: { query: 'q', documents: ['d'], source: 'docs', top_k: 3 },
    },
  ],
  [
    decisionSpan({
      options: ['a', 'b'],
      chosen: 'a',
      reasoning: 'r',
      confidence: 0.9,
      attributes: { more: 1 },
    }),
    {
      name: 'decision',
      kind: 'decision',
      status: 'ok',
      attributes: { options: ['a', 'b'], chosen: 'a', reasoning: 'r', confidence: 0.9, more: 1 },
    },
  ],
  [
    reasoningSpan({ name: 'think', step: 1, thought: 't', evidence: ['e'], conclusion: 'c' }),
    {
      name: 'think',
      kind: 'reasoning',
      status: 'ok',
      attributes: { step: 1, thought: 't', evidence: ['e'], conclusion: 'c' },
    },
  ],
  [
    retrySpan({
      attempt: 2,
      reason: 'timeout',
      originalError: new Error('slow'),
      fallbackTo: 'mini',
      maxAttempts: 3,
      strategy: 'fallback',
    }),
    {
      name: 'retry',
      kind: 'retry',
      status: 'ok',
      attributes: {
        attempt: 2,
        reason: 'timeout',
        original_error: { name: 'Error', message: 'slow' },
        fallback_to: 'mini',
        max_attempts: 3,
        strategy: 'fallback',
      },
    },
  ],
])('converts the span %j', (span, expected) => {
  expect(sent(wireSpan(span))).toEqual(expected);
});

test('any value of an agent is converted to a request that the contract accepts', () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
    withNullPrototype: true,
    withSparseArray: true,
    stringUnit: 'binary',
  });
  const records = fc.dictionary(fc.string(), anything) as fc.Arbitrary<never>;
  const fields = (...names: string[]) =>
    fc.record(Object.fromEntries(names.map((name) => [name, anything])), {
      requiredKeys: [],
    }) as fc.Arbitrary<never>;
  const { startRun, completeRun, recordLlmCalls, recordSteps, recordSpans, recordScores } =
    recordingRoutes;
  const kind = fc.oneof(fc.constantFrom('tool', 'retriever', 'decision', 'reasoning'), anything);
  const accepted = (schema: { parse(value: unknown): unknown }, body: unknown): void => {
    const wire = sent(body);
    schema.parse(wire);
    expect(findUnstorable(wire, 'body')).toBeUndefined();
  };
  fc.assert(
    fc.property(
      fields(
        'agentName',
        'workflowName',
        'sessionId',
        'userId',
        'userGroup',
        'endUserId',
        'traceId',
        'tags',
        'metadata',
        'inputs',
      ),
      fields(
        'model',
        'tokensIn',
        'tokensOut',
        'cacheReadTokens',
        'provider',
        'cost',
        'task',
        'durationMs',
        'promptPreview',
        'prompt',
      ),
      fields('name', 'status', 'durationMs', 'position', 'attributes', 'input', 'output'),
      fields('name', 'value', 'comment'),
      kind,
      anything,
      records,
      fields(
        'agentName',
        'workflowName',
        'agentId',
        'userId',
        'inputs',
        'models',
        'tools',
        'mcpServers',
        'toolCalls',
        'actionType',
        'riskLevel',
        'estimatedCost',
      ),
      (run, one, span, score, spanKind, value, event, subject) => {
        accepted(startRun.body, wireStart(run, now));
        accepted(recordLlmCalls.body, { calls: [wireCall(one, now, true)] });
        accepted(recordSteps.body, { steps: [wireStep(value as never, value)] });
        accepted(recordSpans.body, {
          spans: [wireSpan({ ...(span as object), kind: spanKind } as never)],
        });
        accepted(recordScores.body, { scores: [wireScore(score)] });
        accepted(completeRun.body, wireEnd({ result: value }, now));
        accepted(completeRun.body, wireEnd({ error: value }, now));
        accepted(eventRoutes.recordEvents.body, { events: [wireEvent(event, now)] });
        accepted(evaluationRoutes.checkPolicy.body, policyRequest(subject));
      },
    ),
    { numRuns: 300 },
  );
});
