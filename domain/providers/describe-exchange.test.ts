import { describe, expect, test } from 'vitest';
import { describeExchange, type ReportedExchange } from './describe-exchange.ts';

const reported = (more: Partial<ReportedExchange>): ReportedExchange => ({
  host: 'api.openai.com',
  path: '/v1/chat/completions',
  request: JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'Hi' }] }),
  response: null,
  status: 200,
  ...more,
});

describe('exchanges that are not LLM calls', () => {
  test.each([
    ['a list of models', { path: '/v1/models', request: null, response: '{"object":"list"}' }],
    ['a file of the app', { host: 'chatgpt.com', path: '/assets/a.js', request: null }],
    [
      'telemetry',
      { host: 'chatgpt.com', path: '/ces/v1/t', request: '{"event":"x","messages":[]}' },
    ],
    ['the list of conversations', { host: 'chatgpt.com', path: '/backend-api/conversations' }],
    ['to count tokens', { host: 'api.anthropic.com', path: '/v1/messages/count_tokens' }],
    [
      'to read a response again',
      {
        path: '/v1/responses/resp_1',
        request: null,
        response: '{"object":"response","output":[]}',
      },
    ],
    ['to list what is stored', { request: null, response: '{"object":"list","data":[]}' }],
    ['text', { request: 'hello', response: 'hello' }],
    ['nothing', { request: null, response: null }],
  ])('%s', (_name, more) => {
    expect(describeExchange(reported(more))).toBeNull();
  });
});

describe('error messages of providers', () => {
  test.each([
    ['OpenAI', { error: { message: 'No quota', type: 'insufficient_quota' } }, 429],
    ['Anthropic', { type: 'error', error: { type: 'x', message: 'No quota' } }, 429],
    ['Google, in a list', [{ error: { code: 429, message: 'No quota' } }], 429],
    ['Ollama', { error: 'No quota' }, 429],
    ['Bedrock and Cohere', { message: 'No quota' }, 429],
    ['FastAPI', { detail: 'No quota' }, 422],
    ['FastAPI’s validation', { detail: [{ msg: 'No quota' }] }, 422],
    ['Mistral’s validation', { message: { detail: [{ msg: 'No quota' }] } }, 422],
    ['Mistral’s validation as texts', { message: { detail: ['No quota'] } }, 422],
    ['JSON:API', { errors: [{ message: 'No quota' }] }, 400],
    ['with status 200', { error: { message: 'No quota' } }, 200],
  ])('%s', (_name, response, status) => {
    const exchange = reported({ response: JSON.stringify(response), status });
    expect(describeExchange(exchange)).toMatchObject({
      error: 'No quota',
      model: 'gpt-5',
      prompt: 'Hi',
      completion: null,
    });
  });

  test('responses without an error message', () => {
    const response = JSON.stringify({ message: 'fine', error: null });
    expect(describeExchange(reported({ response }))!.error).toBeNull();
    const page = reported({ response: '<h1>502</h1>', status: 502 });
    expect(describeExchange(page)!.error).toBeNull();
  });
});

test('a truncated request still has its prompt', () => {
  const request = JSON.stringify({
    model: 'claude-sonnet-4-5',
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Read it' }] },
      { role: 'assistant', content: 'ok' },
      { role: 'user', content: 'And then explain all of it' },
    ],
    tools: [{ name: 'late' }],
  });
  const cut = { host: 'api.anthropic.com', path: '/v1/messages' };
  const at = (text: string) =>
    describeExchange(reported({ ...cut, request: request.slice(0, request.indexOf(text)) }));
  expect(at('"tools"')).toMatchObject({ prompt: 'And then explain all of it', tools_offered: [] });
  expect(at(' all of')).toMatchObject({ model: 'claude-sonnet-4-5', prompt: 'And then explain' });
  expect(at('And then')).toMatchObject({ prompt: 'Read it' });
  expect(at('"messages"')).toMatchObject({ model: 'claude-sonnet-4-5', prompt: null });
});

test('redacted values are described like any others', () => {
  const exchange = reported({
    request: JSON.stringify({
      model: '##MODEL##',
      messages: '##MESSAGES##',
      user: '##EMAIL##',
      tools: '##TOOLS##',
    }),
    response: JSON.stringify({
      object: 'chat.completion',
      choices: [{ message: '##X##', finish_reason: 7 }],
      usage: { prompt_tokens: '##N##', completion_tokens: -1 },
    }),
  });
  expect(describeExchange(exchange)).toMatchObject({
    model: '##MODEL##',
    user: '##EMAIL##',
    prompt: '##MESSAGES##',
    completion: null,
    tokens_in: null,
    tokens_out: null,
    tools_offered: [],
  });
});

test.each([
  ['conversation_id', { conversation_id: 'c' }],
  ['session_id in the metadata', { metadata: { session_id: 'c' } }],
  ['threadId', { threadId: 'c' }],
])('a conversation is identified by %s', (_name, more) => {
  const request = JSON.stringify({ model: 'm', messages: [], ...more });
  expect(describeExchange(reported({ request }))!.conversation_id).toBe('c');
});
