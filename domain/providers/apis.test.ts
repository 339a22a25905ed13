import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { encodeAwsEventStream } from './testing/aws-event-stream.ts';
import { processExchange, exchangeWith } from './testing/streamed-exchange.ts';

const sampleText = (name: string) =>
  readFileSync(new URL(`samples/${name}`, import.meta.url), 'utf8');

const SSE = 'text/event-stream';

const question = { role: 'user', content: 'Where is my order?' };
const tool = { type: 'function', function: { name: 'lookup', parameters: {} } };

test('OpenAI responses', () => {
  const { api, described } = processExchange({
    host: 'chatgpt.com',
    path: '/backend-api/codex/responses',
    request: {
      model: 'gpt-5',
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Order 4711?' }] },
        { type: 'function_call_output', call_id: 'c', output: 'x' },
      ],
      tools: [{ type: 'function', name: 'find_order' }, { type: 'web_search' }],
      prompt_cache_key: 'ses-77',
      safety_identifier: 'u9',
    },
    type: SSE,
    response: sampleText('openai-responses.txt'),
  });
  expect(api).toBe('openai-responses');
  expect(described).toEqual(
    exchangeWith({
      provider: 'OpenAI',
      operation: 'chat',
      model: 'gpt-5-2025-08-07',
      tokens_in: 2050,
      tokens_out: 91,
      tokens_cached: 1920,
      tokens_reasoning: 45,
      prompt: 'Order 4711?',
      completion: 'I will look up order 4711.',
      tools_offered: ['find_order', 'web_search'],
      tools_called: [{ name: 'find_order', arguments: '{"order":4711}', id: 'call_9' }],
      finish_reason: 'completed',
      response_id: 'resp_68a',
      conversation_id: 'ses-77',
      user: 'u9',
    }),
  );
});

test('Cohere', () => {
  const { responseJson, described } = processExchange({
    host: 'api.cohere.com',
    path: '/v2/chat',
    request: { model: 'command-a-03-2025', messages: [question], tools: [tool] },
    type: SSE,
    response: sampleText('cohere-chat.txt'),
  });
  expect(responseJson).toEqual({
    id: 'c0-1',
    finish_reason: 'COMPLETE',
    usage: expect.any(Object),
    message: {
      role: 'assistant',
      tool_plan: 'I will search.',
      content: [
        { type: 'thinking', thinking: 'So.' },
        { type: 'text', text: 'Call +49 30 901820' },
      ],
      tool_calls: [
        {
          id: 'search0',
          type: 'function',
          function: { name: 'search', arguments: '{"q":"orders"}' },
        },
      ],
      citations: [
        { start: 5, end: 18, text: '+49 30 901820', sources: [{ type: 'document', id: 'd1' }] },
      ],
    },
  });
  expect(described).toEqual(
    exchangeWith({
      provider: 'Cohere',
      operation: 'chat',
      model: 'command-a-03-2025',
      tokens_in: 215,
      tokens_out: 60,
      tokens_cached: 128,
      prompt: 'Where is my order?',
      completion: 'Call +49 30 901820',
      tools_offered: ['lookup'],
      tools_called: [{ name: 'search', arguments: '{"q":"orders"}', id: 'search0' }],
      finish_reason: 'COMPLETE',
      response_id: 'c0-1',
    }),
  );
});

test('the ChatGPT app', () => {
  const { responseJson, described } = processExchange({
    host: 'chatgpt.com',
    path: '/backend-api/f/conversation',
    request: {
      action: 'next',
      model: 'auto',
      messages: [
        {
          id: 'u1',
          author: { role: 'user' },
          content: { content_type: 'text', parts: ['Where is my order?'] },
        },
      ],
    },
    type: SSE,
    response: sampleText('chatgpt.txt'),
  });
  expect(described).toEqual(
    exchangeWith({
      provider: 'OpenAI',
      operation: 'chat',
      model: 'gpt-5',
      prompt: 'Where is my order?',
      completion: 'It is with Ada (ada@example.com), and arrives Monday.',
      finish_reason: 'stop',
      response_id: 'a1',
      conversation_id: 'conv-1',
    }),
  );
  expect(JSON.stringify(responseJson)).not.toContain('eyJhbGciOiJIUzI1NiJ9');
  expect(responseJson).toMatchObject({ title: 'Order status', messages: [{}, {}, {}, {}] });
});

test('the Claude app', () => {
  const { described } = processExchange({
    host: 'claude.ai',
    path: '/api/organizations/o1/chat_conversations/c7/completion',
    request: { prompt: 'Do it', model: 'claude-opus-4-1', tools: [{ name: 'artifacts' }] },
    type: SSE,
    response: sampleText('claude-ai.txt'),
  });
  expect(described).toEqual(
    exchangeWith({
      provider: 'Anthropic',
      operation: 'chat',
      model: 'claude-opus-4-1',
      prompt: 'Do it',
      completion: 'Sure, done.',
      tools_offered: ['artifacts'],
      finish_reason: 'end_turn',
      response_id: 'chatcompl_01',
      conversation_id: 'c7',
    }),
  );
});

test('the Claude app, older stream format', () => {
  const event = (completion: string) =>
    `event: completion\ndata: ${JSON.stringify({ type: 'completion', completion, stop_reason: null, model: 'claude-2.1' })}\n\n`;
  const { described } = processExchange({
    host: 'claude.ai',
    path: '/api/organizations/o1/chat_conversations/c7/completion',
    request: { prompt: 'Do it' },
    type: SSE,
    response: event(' Su') + event('re'),
  });
  expect(described).toMatchObject({ completion: ' Sure', model: 'claude-2.1' });
});

test('Amazon Q', () => {
  const events: [string, object][] = [
    ['messageMetadataEvent', { conversationId: 'c1' }],
    ['assistantResponseEvent', { content: 'Mail ada@', modelId: 'claude-sonnet-4.5' }],
    ['toolUseEvent', { toolUseId: 't1', name: 'read', input: '{"pa' }],
    ['toolUseEvent', { toolUseId: 't2', name: 'list', input: '{}' }],
    ['toolUseEvent', { toolUseId: 't1', name: 'read', input: 'th":"a"}' }],
    ['toolUseEvent', { toolUseId: 't1', name: 'read', stop: true }],
    ['assistantResponseEvent', { content: 'example.com', modelId: 'claude-sonnet-4.5' }],
  ];
  const { described } = processExchange({
    host: 'q.us-east-1.amazonaws.com',
    path: '/generateAssistantResponse',
    request: {
      conversationState: {
        conversationId: 'c1',
        currentMessage: {
          userInputMessage: {
            content: 'Who?',
            modelId: 'auto',
            userInputMessageContext: { tools: [{ toolSpecification: { name: 'read' } }] },
          },
        },
      },
    },
    type: 'application/vnd.amazon.eventstream',
    response: encodeAwsEventStream(
      events.map(([name, payload]) => ({ headers: { ':event-type': name }, payload })),
    ),
  });
  expect(described).toEqual(
    exchangeWith({
      provider: 'Amazon',
      operation: 'chat',
      model: 'claude-sonnet-4.5',
      prompt: 'Who?',
      completion: 'Mail ada@example.com',
      tools_offered: ['read'],
      tools_called: [
        { name: 'read', arguments: '{"path":"a"}', id: 't1' },
        { name: 'list', arguments: '{}', id: 't2' },
      ],
      conversation_id: 'c1',
    }),
  );
});

describe('completions and embeddings', () => {
  test('a streamed completion', () => {
    const piece = (text: string, finish: string | null) =>
      `data: ${JSON.stringify({ id: 'c1', object: 'text_completion', model: 'm', choices: [{ index: 0, text, finish_reason: finish, logprobs: { tokens: [text] } }] })}\n\n`;
    const { responseJson, described } = processExchange({
      host: 'api.deepseek.com',
      path: '/beta/completions',
      request: { model: 'm', prompt: 'def f' },
      type: SSE,
      response: piece('(a', null) + piece('):', 'stop'),
    });
    expect(JSON.stringify(responseJson)).not.toContain('tokens');
    expect(described).toMatchObject({
      provider: 'DeepSeek',
      operation: 'completion',
      prompt: 'def f',
      completion: '(a):',
      finish_reason: 'stop',
    });
  });

  test.each([
    [
      '/v1/embeddings',
      { model: 'text-embedding-3-small', input: ['one', 'two'] },
      {
        object: 'list',
        data: [{ object: 'embedding', embedding: [0.1] }],
        model: 'text-embedding-3-small',
        usage: { prompt_tokens: 8, total_tokens: 8 },
      },
      { model: 'text-embedding-3-small', tokens_in: 8, prompt: 'one\ntwo' },
    ],
    [
      '/api/embed',
      { model: 'nomic', input: 'one' },
      { model: 'nomic', embeddings: [[0.1]], prompt_eval_count: 3 },
      { model: 'nomic', tokens_in: 3, prompt: 'one' },
    ],
    [
      '/v2/embed',
      { model: 'embed-v4.0', texts: ['one'] },
      { id: 'e', embeddings: {}, meta: { billed_units: { input_tokens: 2 } } },
      { model: 'embed-v4.0', tokens_in: 2, response_id: 'e' },
    ],
    [
      '/v1beta/models/gemini-embedding-001:embedContent',
      { content: { parts: [{ text: 'one' }] } },
      { embedding: { values: [0.1] } },
      { model: 'gemini-embedding-001', prompt: 'one' },
    ],
  ])('embeddings at %s', (path, request, response, facts) => {
    const { described } = processExchange({
      host: 'gateway.example',
      path,
      request,
      type: 'application/json',
      response: JSON.stringify(response),
    });
    expect(described).toMatchObject({ operation: 'embeddings', completion: null, ...facts });
  });
});
