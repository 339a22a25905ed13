import { expect, test } from 'vitest';
import type { LlmCallDetail } from '../data/llm-call-sources.ts';
import { openedCall } from './recorded-prompt.ts';

const callOf = (prompt: unknown, response: unknown = 'Hi') => ({
  id: 7,
  model: 'gpt-4o',
  tokens_in: 3,
  tokens_out: 2,
  cost: 0.5,
  duration_ms: 40,
  prompt_preview: typeof prompt === 'string' ? prompt : JSON.stringify(prompt),
  response_preview: typeof response === 'string' ? response : JSON.stringify(response),
});

const open = (prompt: unknown, response?: unknown) =>
  openedCall(callOf(prompt, response) as LlmCallDetail);

test('messages keep their roles and texts, and the response becomes the outcome', () => {
  const messages = [
    { role: 'system', content: 'Be {{mood}}.' },
    { role: 'user', content: 'Hello' },
  ];
  const { content, config, outcome } = open(messages, [{ role: 'assistant', content: 'Ho' }]);
  expect([content, config]).toEqual([messages, { model: 'gpt-4o' }]);
  expect(outcome).toMatchObject({
    status: 'recorded',
    output: 'Ho',
    result: { tokens_in: 3, tokens_out: 2, cost: 0.5, latency_ms: 40 },
  });
});

test('plain text, and JSON without messages, becomes one user message', () => {
  expect(open('Hello').content).toEqual([{ role: 'user', content: 'Hello' }]);
  expect(open({ city: 'Paris', days: 3 }).content).toEqual([
    { role: 'user', content: '{\n  "city": "Paris",\n  "days": 3\n}' },
  ]);
});

test('tool calls become text, with a note', () => {
  const call = { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"a":1}' } };
  const { content, origin } = open([
    { role: 'user', content: 'Warm?' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: '24' },
  ]);
  expect(JSON.stringify(content)).toContain('[Tool call weather(');
  expect(JSON.stringify(content)).toContain('[Tool result] 24');
  expect(origin).toMatchObject({
    id: 7,
    notes: ['Tool calls and their results were converted to text.'],
  });
});

test('fields beside the messages are omitted, with a note', () => {
  const { content, origin } = open({ top_k: 3, messages: [{ role: 'user', content: 'Hi' }] });
  expect(content).toEqual([{ role: 'user', content: 'Hi' }]);
  expect(origin).toMatchObject({ notes: ['Fields other than the messages were omitted.'] });
});

test('an image stays part of its message', () => {
  const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };
  const content = [{ type: 'text', text: 'What is it?' }, image];
  expect(open([{ role: 'user', content }]).content).toEqual([{ role: 'user', content }]);
});
