import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { describeExchange } from './describe-exchange.ts';
import { joinExchange } from './join-exchange.ts';
import { processExchange, exchangeWith } from './testing/streamed-exchange.ts';

const sampleText = (name: string) =>
  readFileSync(new URL(`samples/${name}`, import.meta.url), 'utf8');

const SSE = 'text/event-stream';

const question = { role: 'user', content: 'Where is my order?' };
const tool = { type: 'function', function: { name: 'lookup', parameters: {} } };

describe('OpenAI chat completions', () => {
  const openAi = {
    host: 'api.openai.com',
    path: '/v1/chat/completions',
    request: {
      model: 'gpt-5-mini',
      messages: [{ role: 'system', content: 'Be kind.' }, question],
      user: 'ada',
      metadata: { session_id: 'ses_1' },
    },
    type: SSE,
    response: sampleText('openai-chat.txt'),
  };

  test('several answers, with usage', () => {
    expect(processExchange(openAi)).toMatchObject({
      api: 'openai-chat',
      described: exchangeWith({
        provider: 'OpenAI',
        operation: 'chat',
        model: 'gpt-5-mini-2025-08-07',
        tokens_in: 1210,
        tokens_out: 75,
        tokens_cached: 1024,
        tokens_reasoning: 64,
        prompt: 'Where is my order?',
        completion: 'The key is sk-test-4f9a 🗝️.\n\nAsk Ada — she knows.',
        finish_reason: 'stop',
        response_id: 'chatcmpl-CxA1',
        conversation_id: 'ses_1',
        user: 'ada',
      }),
    });
  });

  test('tool calls', () => {
    const { described } = processExchange({
      ...openAi,
      request: { ...openAi.request, tools: [tool], functions: [{ name: 'old' }] },
      response: sampleText('openai-chat-tools.txt'),
    });
    expect(described).toMatchObject({
      completion: null,
      finish_reason: 'tool_calls',
      tools_offered: ['lookup', 'old'],
      tools_called: [
        { name: 'get_weather', arguments: '{"city":"Zürich"}', id: 'call_A' },
        { name: 'send_mail', arguments: '{"to":"ada@example.com"}', id: 'call_B' },
      ],
    });
  });

  test('the usage precedes the answer, so that a truncated text still has it', () => {
    const { response } = joinExchange({
      ...openAi,
      requestType: null,
      responseType: SSE,
      requestBody: null,
      responseBody: openAi.response,
    });
    const cut = response!.slice(0, response!.indexOf('sk-test') + 7);
    const described = describeExchange({ ...openAi, request: null, response: cut, status: 200 });
    expect(described).toMatchObject({ tokens_out: 75, completion: 'The key is sk-test' });
  });

  test('log probabilities, which repeat the answer, are removed', () => {
    const whole = JSON.stringify({
      object: 'chat.completion',
      choices: [{ message: { content: 'ab' }, logprobs: { content: [{ token: 'a' }] } }],
    });
    for (const response of [openAi.response, whole]) {
      const { responseJson } = processExchange({ ...openAi, response });
      expect(JSON.stringify(responseJson)).not.toContain('"token"');
    }
  });

  test('Mistral: thinking and text become one chunk each', () => {
    const { responseJson, described } = processExchange({
      ...openAi,
      host: 'api.mistral.ai',
      response: sampleText('mistral-thinking.txt'),
    });
    expect(responseJson).toMatchObject({
      choices: [
        {
          message: {
            content: [
              { type: 'thinking', thinking: [{ type: 'text', text: 'Secret: hunter2' }] },
              { type: 'text', text: 'The answer.' },
            ],
          },
        },
      ],
    });
    expect(described).toMatchObject({ provider: 'Mistral', completion: 'The answer.' });
  });

  test('OpenRouter: reasoning becomes one text, and xAI’s is counted in addition to the completion', () => {
    const { responseJson, described } = processExchange({
      ...openAi,
      host: 'openrouter.ai',
      path: '/api/v1/chat/completions',
      response: sampleText('openrouter-reasoning.txt'),
    });
    expect(responseJson).toMatchObject({
      choices: [
        {
          message: {
            content: 'Fine.',
            reasoning: 'The password',
            reasoning_details: [{ type: 'reasoning.text', text: 'The password' }],
          },
        },
      ],
    });
    expect(described).toMatchObject({ provider: 'OpenRouter', tokens_in: 32, tokens_out: 103 });
  });

  test.each([
    ['text', 'reasoning.text', {}],
    ['summary', 'reasoning.summary', { id: 'rs_1', format: 'openai-responses-v1' }],
  ])('reasoning details without an index become one %s', (member, type, more) => {
    const details = (...pieces: object[]) => ({
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { reasoning_details: pieces } }],
    });
    const encrypted = { type: 'reasoning.encrypted', data: 'gAAA' };
    const chunks = [
      details({ type, [member]: 'The pass', ...more }),
      details({ type, [member]: 'word is hun', ...more }),
      details({ type, [member]: 'ter2' }, encrypted),
      details(encrypted),
    ];
    const response = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
    expect(processExchange({ ...openAi, response }).responseJson).toMatchObject({
      choices: [
        {
          message: {
            reasoning_details: [
              { type, [member]: 'The password is hunter2', ...more },
              encrypted,
              encrypted,
            ],
          },
        },
      ],
    });
  });

  test('calls to which Google gives the same index are distinguished by their ids', () => {
    const piece = (id: string, name: string) => ({
      object: 'chat.completion.chunk',
      choices: [
        {
          index: 0,
          delta: { tool_calls: [{ index: 0, id, function: { name, arguments: '{}' } }] },
        },
      ],
    });
    const response = [piece('1', 'a'), piece('2', 'b')].map(
      (p) => `data: ${JSON.stringify(p)}\n\n`,
    );
    expect(
      processExchange({ ...openAi, response: response.join('') }).described!.tools_called,
    ).toEqual([
      { name: 'a', arguments: '{}', id: '1' },
      { name: 'b', arguments: '{}', id: '2' },
    ]);
  });

  test('calls that repeat id and name in each piece, and answers out of order', () => {
    const piece = (index: number, text: string) => {
      const call = {
        index: 0,
        id: 'c1',
        type: 'function',
        function: { name: 'f', arguments: text },
      };
      return {
        object: 'chat.completion.chunk',
        choices: [{ index, delta: { tool_calls: [call] } }],
      };
    };
    const pieces = [piece(1, '{"b'), piece(0, '{"a'), piece(1, '":1}'), piece(0, '":1}')];
    const response = pieces.map((data) => `data: ${JSON.stringify(data)}\n\n`).join('');
    expect(processExchange({ ...openAi, response }).described!.tools_called).toEqual([
      { name: 'f', arguments: '{"a":1}', id: 'c1' },
      { name: 'f', arguments: '{"b":1}', id: 'c1' },
    ]);
  });

  test('an error in the middle of a stream', () => {
    const events = openAi.response.split('\n\n').slice(0, 5);
    const response = [...events, 'data: {"error":{"message":"Overloaded","code":502}}', ''];
    expect(processExchange({ ...openAi, response: response.join('\n\n') }).described).toMatchObject(
      {
        completion: 'The key is sk-\n\nAsk',
        error: 'Overloaded',
      },
    );
  });

  test.each([
    ['acme.openai.azure.com', '/openai/deployments/prod-gpt/chat/completions', 'Microsoft'],
    ['api.githubcopilot.com', '/chat/completions', 'GitHub'],
    ['llm.corp.example', '/v1/chat/completions', 'OpenAI-compatible'],
    ['llm.corp.example', '/team-a/ask', 'OpenAI-compatible'],
    ['generativelanguage.googleapis.com', '/v1beta/openai/chat/completions', 'Google'],
  ])('at %s%s', (host, path, provider) => {
    expect(processExchange({ ...openAi, host, path }).described).toMatchObject({
      provider,
      model: 'gpt-5-mini-2025-08-07',
    });
  });

  test('without a response, the model at Azure is the deployment', () => {
    const path = '/openai/deployments/prod-gpt/chat/completions';
    const request = JSON.stringify({ messages: [question] });
    const exchange = { host: 'acme.openai.azure.com', path, request, response: null, status: null };
    expect(describeExchange(exchange)).toMatchObject({ model: 'prod-gpt', completion: null });
  });
});
