import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bedrockChunk, encodeAwsEventStream } from './testing/aws-event-stream.ts';
import { processExchange, exchangeWith } from './testing/streamed-exchange.ts';

const sampleText = (name: string) =>
  readFileSync(new URL(`samples/${name}`, import.meta.url), 'utf8');

const question = { role: 'user', content: 'Where is my order?' };

describe('Bedrock', () => {
  const host = 'bedrock-runtime.eu-central-1.amazonaws.com';
  const type = 'application/vnd.amazon.eventstream';
  const model = 'anthropic.claude-sonnet-4-5-20250929-v1:0';
  const messages = [{ role: 'user', content: [{ text: 'Rotate it' }] }];
  const converse = encodeAwsEventStream(
    (JSON.parse(sampleText('bedrock-converse.json')) as [string, object][]).map(
      ([name, payload]) => ({
        headers: { ':event-type': name, ':message-type': 'event' },
        payload,
      }),
    ),
  );
  const toolConfig = { tools: [{ toolSpec: { name: 'rotate' } }] };
  const described = exchangeWith({
    provider: 'Amazon',
    operation: 'chat',
    model,
    tokens_in: 2220,
    tokens_out: 51,
    tokens_cached: 2000,
    tokens_cache_written: 200,
    prompt: 'Rotate it',
    completion: 'The token is AKIAIOSFODNN7EXAMPLE.',
    tools_offered: ['rotate'],
    tools_called: [{ name: 'rotate', arguments: '{"key":"old"}', id: 'tooluse_1' }],
    finish_reason: 'tool_use',
  });

  test('ConverseStream', () => {
    const path = `/model/${encodeURIComponent(model)}/converse-stream`;
    const { responseJson, ...rest } = processExchange({
      host,
      path,
      request: { messages, toolConfig },
      type,
      response: converse,
    });
    expect(rest).toEqual({ api: 'bedrock-converse', described });
    expect(responseJson).toMatchObject({
      output: {
        message: {
          role: 'assistant',
          content: [
            { reasoningContent: { reasoningText: { text: 'Let me see.', signature: 'c2ln' } } },
            { text: 'The token is AKIAIOSFODNN7EXAMPLE.' },
            { toolUse: { input: { key: 'old' } } },
          ],
        },
      },
      stopReason: 'tool_use',
      metrics: { latencyMs: 812 },
    });
  });

  const invoked = (events: readonly object[], request: object) =>
    processExchange({
      host,
      path: `/model/${encodeURIComponent(model)}/invoke-with-response-stream`,
      request,
      type,
      response: encodeAwsEventStream(
        events.map((event) => ({
          headers: { ':event-type': 'chunk', ':message-type': 'event' },
          payload: bedrockChunk(event),
        })),
      ),
    });

  test('InvokeModelWithResponseStream with Claude', () => {
    const events = sampleText('anthropic-messages.txt')
      .split('\n\n')
      .filter((event) => event !== '')
      .map((event) => JSON.parse(event.split('data: ')[1]!) as object);
    const request = { anthropic_version: 'bedrock-2023-05-31', messages: [question] };
    expect(invoked(events, request).described).toMatchObject({
      provider: 'Amazon',
      model,
      tokens_in: 4312,
      prompt: 'Where is my order?',
      completion: 'Per the docs, card 4111 1111 1111 1111 is a test.',
    });
  });

  test('InvokeModelWithResponseStream with Nova, which has the events of Converse', () => {
    const events = (JSON.parse(sampleText('bedrock-converse.json')) as [string, object][]).map(
      ([name, payload]) => ({ [name]: payload }),
    );
    expect(invoked(events, { messages }).described).toEqual({ ...described, tools_offered: [] });
  });

  test('InvokeModelWithResponseStream with Llama', () => {
    const events = [
      { generation: 'My PIN', prompt_token_count: 9, generation_token_count: 1, stop_reason: null },
      {
        generation: ' is 93',
        prompt_token_count: null,
        generation_token_count: 2,
        stop_reason: null,
      },
      {
        generation: '11',
        prompt_token_count: null,
        generation_token_count: 3,
        stop_reason: 'stop',
      },
    ];
    expect(invoked(events, { prompt: 'PIN?' }).described).toMatchObject({
      operation: 'completion',
      model,
      prompt: 'PIN?',
      completion: 'My PIN is 9311',
      tokens_in: 9,
      tokens_out: 3,
      finish_reason: 'stop',
    });
  });

  test.each([
    [
      'Claude',
      {
        type: 'message_start',
        message: { type: 'message', content: [{ type: 'text', text: 'H' }] },
      },
    ],
    ['Llama', { generation: 'H' }],
    ['Nova', { contentBlockDelta: { contentBlockIndex: 0, delta: { text: 'H' } } }],
    ['any model before its first event', null],
  ])('an exception in InvokeModelWithResponseStream with %s', (_, event) => {
    const exception = {
      headers: { ':exception-type': 'modelStreamErrorException', ':message-type': 'exception' },
      payload: { message: 'The model failed', originalStatusCode: 500 },
    };
    const chunk = { headers: { ':event-type': 'chunk' }, payload: bedrockChunk(event ?? {}) };
    const { described: failed } = processExchange({
      host,
      path: '/model/x/invoke-with-response-stream',
      request: { prompt: 'PIN?' },
      type,
      response: encodeAwsEventStream([...(event ? [chunk] : []), exception]),
    });
    expect(failed).toMatchObject({
      error: 'The model failed',
      completion: event ? 'H' : null,
    });
  });

  test('an exception', () => {
    const response = encodeAwsEventStream([
      {
        headers: { ':exception-type': 'throttlingException', ':message-type': 'exception' },
        payload: { message: 'Too many requests' },
      },
    ]);
    const path = '/model/x/converse-stream';
    expect(
      processExchange({ host, path, request: { messages }, type, response }).described,
    ).toMatchObject({
      error: 'Too many requests',
    });
  });
});
