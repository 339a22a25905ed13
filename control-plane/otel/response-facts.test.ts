import { expect, test } from 'vitest';
import type { Attributes } from './attributes.ts';
import type { OtelSpan } from './span.ts';
import { finishReasonOf, timeToFirstTokenOf } from './response-facts.ts';

test.each<[Attributes, string | null]>([
  [{}, null],
  [{ 'gen_ai.response.finish_reasons': ['stop'] }, 'stop'],
  [{ 'gen_ai.response.finish_reasons': '["length", "length", "stop"]' }, 'length, stop'],
  [{ 'gen_ai.response.finish_reasons': [] }, null],
  [{ 'gen_ai.response.finish_reason': 'FinishReason.TOOL_CALLS' }, 'tool_calls'],
  [{ 'llm.finish_reason': 'end_turn' }, 'end_turn'],
  [{ 'anthropic.message.stop_reason': 'tool_use' }, 'tool_use'],
  [{ 'ai.response.finishReason': 'tool-calls' }, 'tool-calls'],
  [{ 'llm.finish_reason': 'x'.repeat(300) }, 'x'.repeat(200)],
])('the finish reason of %j', (attributes, reason) => {
  expect(finishReasonOf({ attributes, events: [] })).toBe(reason);
});

const choice = (attributes: Attributes) => ({ name: 'gen_ai.choice', at: 0, attributes });
test.each<[string, Pick<OtelSpan, 'attributes' | 'events'>, string | null]>([
  [
    'an event',
    { attributes: {}, events: [choice({ finish_reason: 'tool_use', message: '[]' })] },
    'tool_use',
  ],
  [
    'the body of an event',
    { attributes: {}, events: [choice({ 'gen_ai.event.content': '{"finish_reason":"stop"}' })] },
    'stop',
  ],
  [
    'several events',
    { attributes: {}, events: ['stop', 'length'].map((r) => choice({ finish_reason: r })) },
    'stop, length',
  ],
  [
    'the output messages',
    {
      attributes: { 'gen_ai.output.messages': '[{"role":"assistant","finish_reason":"end_turn"}]' },
      events: [],
    },
    'end_turn',
  ],
  [
    'an attribute, before an event',
    {
      attributes: { 'gen_ai.response.finish_reasons': ['stop'] },
      events: [choice({ finish_reason: 'other' })],
    },
    'stop',
  ],
  ['none', { attributes: {}, events: [choice({ message: 'Hi' })] }, null],
])('the finish reason in %s', (_place, span, reason) => {
  expect(finishReasonOf(span)).toBe(reason);
});

const started_at = Date.parse('2026-03-01T10:00:00.000Z');

test.each<[Attributes, number | null]>([
  [{}, null],
  [{ 'gen_ai.response.time_to_first_chunk': 0.25 }, 250],
  [{ 'lk.response.ttft': 1.5 }, 1500],
  [{ 'ai.response.msToFirstChunk': 12.4 }, 12],
  [{ 'langfuse.observation.completion_start_time': '2026-03-01T10:00:00.300Z' }, 300],
  [{ 'langfuse.observation.completion_start_time': '"2026-03-01T10:00:00.300Z"' }, 300],
  [{ 'langfuse.observation.completion_start_time': '2026-03-01T09:00:00.000Z' }, null],
  [{ 'langfuse.observation.completion_start_time': 'soon' }, null],
  [{ 'gen_ai.response.time_to_first_chunk': -1 }, null],
  [{ 'ai.response.msToFirstChunk': 90_000_000 }, null],
])('the time to the first token of %j', (attributes, ms) => {
  expect(timeToFirstTokenOf({ attributes, started_at })).toBe(ms);
});
