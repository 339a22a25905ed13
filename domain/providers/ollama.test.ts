import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { processExchange, exchangeWith } from './testing/streamed-exchange.ts';

const sampleText = (name: string) =>
  readFileSync(new URL(`samples/${name}`, import.meta.url), 'utf8');

const question = { role: 'user', content: 'Where is my order?' };
const tool = { type: 'function', function: { name: 'lookup', parameters: {} } };

describe('Ollama', () => {
  const local = { host: 'localhost', type: 'application/x-ndjson' };

  test('chat', () => {
    const { responseJson, described } = processExchange({
      ...local,
      path: '/api/chat',
      request: { model: 'llama3.2', messages: [question], tools: [tool] },
      response: sampleText('ollama-chat.txt'),
    });
    expect(responseJson).toMatchObject({
      done: true,
      message: { role: 'assistant', content: 'Write to bob@example.org', thinking: 'Hmm.' },
    });
    expect(described).toEqual(
      exchangeWith({
        provider: 'Ollama',
        operation: 'chat',
        model: 'llama3.2:3b',
        tokens_in: 26,
        tokens_out: 17,
        prompt: 'Where is my order?',
        completion: 'Write to bob@example.org',
        tools_offered: ['lookup'],
        tools_called: [{ name: 'mail', arguments: '{"to":"bob"}', id: 'call_1' }],
        finish_reason: 'stop',
      }),
    );
  });

  test('generate', () => {
    const { described } = processExchange({
      ...local,
      path: '/api/generate',
      request: { model: 'llama3.2', prompt: 'Tell' },
      response: sampleText('ollama-generate.txt'),
    });
    expect(described).toMatchObject({
      operation: 'completion',
      prompt: 'Tell',
      completion: 'Once upon a time',
      tokens_in: 5,
      tokens_out: 3,
    });
  });
});
