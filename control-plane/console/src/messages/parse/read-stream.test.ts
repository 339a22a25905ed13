import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { needsStreamReader } from '../use-stream.ts';
import { readConversation } from './read-conversation.ts';
import { readTruncatedJson, readStream } from './read-stream.ts';

const folder = new URL('../../../../../domain/providers/samples/', import.meta.url);
const sample = (name: string): string => readFileSync(new URL(`${name}.txt`, folder), 'utf8');

test.each([
  ['openai-chat'],
  ['openai-chat-tools'],
  ['openai-responses'],
  ['anthropic-messages'],
  ['gemini'],
  ['mistral-thinking'],
  ['openrouter-reasoning'],
  ['ollama-chat'],
  ['ollama-generate'],
  ['cohere-chat'],
  ['code-assist'],
])("the recorded stream %s becomes an assistant's answer", (name) => {
  const text = sample(name);
  expect(needsStreamReader(text, false)).toBe(true);
  const { messages } = readConversation(readStream(text)?.joined, 'assistant');
  expect(new Set(messages.map(({ role }) => role))).toEqual(new Set(['assistant']));
  expect(messages.flatMap(({ parts }) => parts).length).toBeGreaterThan(0);
});

test.each([['Hi there'], ['{"a": 1}'], ['[1, 2]'], ['{\n  "a": {\n  }\n}'], ['data is here']])(
  '%j is not a stream',
  (text) => {
    expect(needsStreamReader(text, false)).toBe(false);
    expect(readStream(text)).toBeUndefined();
  },
);

test('truncated JSON is read as far as possible', () => {
  const text = '{"messages":[{"role":"user","content":"Where is my or';
  expect(needsStreamReader(text, true)).toBe(true);
  expect(readConversation(readTruncatedJson(text), null).messages).toMatchObject([
    { role: 'user', parts: [{ kind: 'text', text: 'Where is my or' }] },
  ]);
});

test('no text causes the reader to throw', () => {
  const line = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.json().map((json) => `data: ${json}`),
    fc.constantFrom('data:', 'event: x', '', 'data: [DONE]', 'data: {"choices":[{"delta":7}]}'),
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const text = lines.join('\n');
      readConversation(readStream(text)?.joined ?? text, null);
      readTruncatedJson(text);
    }),
  );
});
