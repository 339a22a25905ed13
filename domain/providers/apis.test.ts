import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { describeExchange } from './describe-exchange.ts';
import { type LlmExchange, nothingKnown } from './exchange.ts';
import { joinExchange } from './join-exchange.ts';
import { bedrockChunk, encodeAwsEventStream } from './testing/aws-event-stream.ts';

const sampleText = (name: string) =>
  readFileSync(new URL(`samples/${name}`, import.meta.url), 'utf8');

const SSE = 'text/event-stream';

interface Streamed {
  host: string;
  path: string;
  request: object;
  type: string;
  response: string | Uint8Array;
}

function exchanged({ host, path, request, type, response }: Streamed) {
  const joined = joinExchange({
    host,
    path,
    requestType: 'application/json',
    responseType: type,
    requestBody: new TextEncoder().encode(JSON.stringify(request)),
    responseBody: typeof response === 'string' ? new TextEncoder().encode(response) : response,
  });
  return {
    api: joined.api,
    answer: JSON.parse(joined.response!) as unknown,
    described: describeExchange({ host, path, status: 200, ...joined }),
  };
}

const known = (facts: Partial<LlmExchange>) => ({ ...nothingKnown, ...facts });

const asked = { role: 'user', content: 'Where is my order?' };
const tool = { type: 'function', function: { name: 'lookup', parameters: {} } };

describe('OpenAI chat completions', () => {
  const openAi = {
    host: 'api.openai.com',
    path: '/v1/chat/completions',
    request: {
      model: 'gpt-5-mini',
      messages: [{ role: 'system', content: 'Be kind.' }, asked],
      user: 'ada',
      metadata: { session_id: 'ses_1' },
    },
    type: SSE,
    response: sampleText('openai-chat.txt'),
  };

  test('several answers, with usage', () => {
    expect(exchanged(openAi)).toMatchObject({
      api: 'openai-chat',
      described: known({
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
    const { described } = exchanged({
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

  test('the usage comes before the answer, so that a cut leaves it', () => {
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

  test('no pieces of the answer are left in log probabilities', () => {
    const whole = JSON.stringify({
      object: 'chat.completion',
      choices: [{ message: { content: 'ab' }, logprobs: { content: [{ token: 'a' }] } }],
    });
    for (const response of [openAi.response, whole]) {
      const { answer } = exchanged({ ...openAi, response });
      expect(JSON.stringify(answer)).not.toContain('"token"');
    }
  });

  test('Mistral: thinking and text become one chunk each', () => {
    const { answer, described } = exchanged({
      ...openAi,
      host: 'api.mistral.ai',
      response: sampleText('mistral-thinking.txt'),
    });
    expect(answer).toMatchObject({
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

  test('OpenRouter: reasoning becomes one text, and xAI’s is counted beside the completion', () => {
    const { answer, described } = exchanged({
      ...openAi,
      host: 'openrouter.ai',
      path: '/api/v1/chat/completions',
      response: sampleText('openrouter-reasoning.txt'),
    });
    expect(answer).toMatchObject({
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

  test('calls that Google gives one index are distinguished by their ids', () => {
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
    expect(exchanged({ ...openAi, response: response.join('') }).described!.tools_called).toEqual([
      { name: 'a', arguments: '{}', id: '1' },
      { name: 'b', arguments: '{}', id: '2' },
    ]);
  });

  test('calls whose id and name are said with each piece, and answers out of order', () => {
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
    expect(exchanged({ ...openAi, response }).described!.tools_called).toEqual([
      { name: 'f', arguments: '{"a":1}', id: 'c1' },
      { name: 'f', arguments: '{"b":1}', id: 'c1' },
    ]);
  });

  test('an error in the midst of a stream', () => {
    const events = openAi.response.split('\n\n').slice(0, 5);
    const response = [...events, 'data: {"error":{"message":"Overloaded","code":502}}', ''];
    expect(exchanged({ ...openAi, response: response.join('\n\n') }).described).toMatchObject({
      completion: 'The key is sk-\n\nAsk',
      error: 'Overloaded',
    });
  });

  test.each([
    ['acme.openai.azure.com', '/openai/deployments/prod-gpt/chat/completions', 'Microsoft'],
    ['api.githubcopilot.com', '/chat/completions', 'GitHub'],
    ['llm.corp.example', '/v1/chat/completions', 'OpenAI-compatible'],
    ['llm.corp.example', '/team-a/ask', 'OpenAI-compatible'],
    ['generativelanguage.googleapis.com', '/v1beta/openai/chat/completions', 'Google'],
  ])('at %s%s', (host, path, provider) => {
    expect(exchanged({ ...openAi, host, path }).described).toMatchObject({
      provider,
      model: 'gpt-5-mini-2025-08-07',
    });
  });

  test('Azure names the model by its deployment when there was no answer', () => {
    const path = '/openai/deployments/prod-gpt/chat/completions';
    const request = JSON.stringify({ messages: [asked] });
    const exchange = { host: 'acme.openai.azure.com', path, request, response: null, status: null };
    expect(describeExchange(exchange)).toMatchObject({ model: 'prod-gpt', completion: null });
  });
});

test('OpenAI responses', () => {
  const { api, described } = exchanged({
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
    known({
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

describe('Anthropic messages', () => {
  const anthropic = {
    host: 'api.anthropic.com',
    path: '/v1/messages',
    request: {
      model: 'claude-sonnet-4-5',
      system: 'Be kind.',
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Weather?' }] },
        { role: 'assistant', content: 'One moment.' },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'Rain' }] },
      ],
      tools: [{ name: 'get_weather' }, { type: 'web_search_20250305', name: 'web_search' }],
      metadata: { user_id: 'user_4f_account_a1_session_51c0-7' },
    },
    type: SSE,
    response: sampleText('anthropic-messages.txt'),
  };

  test('a stream', () => {
    expect(exchanged(anthropic).described).toEqual(
      known({
        provider: 'Anthropic',
        operation: 'chat',
        model: 'claude-sonnet-4-5-20250929',
        tokens_in: 4312,
        tokens_out: 89,
        tokens_cached: 4000,
        tokens_cache_written: 300,
        tokens_reasoning: 21,
        prompt: 'Weather?',
        completion: 'Per the docs, card 4111 1111 1111 1111 is a test.',
        tools_offered: ['get_weather', 'web_search'],
        tools_called: [
          {
            name: 'get_weather',
            arguments: '{"location":"San Francisco","days":[1,2]}',
            id: 'toolu_01',
          },
          { name: 'now', arguments: '{}', id: 'toolu_02' },
        ],
        finish_reason: 'tool_use',
        response_id: 'msg_01',
        conversation_id: '51c0-7',
        user: 'user_4f_account_a1',
      }),
    );
  });

  test('an error ends a stream', () => {
    const { described } = exchanged({ ...anthropic, response: sampleText('anthropic-error.txt') });
    expect(described).toMatchObject({
      error: 'Overloaded',
      completion: 'Per the docs, card 4111 1111 1111 ',
      tokens_in: 4312,
    });
  });

  test('a tool’s input that is cut off is there as far as it came', () => {
    const response = anthropic.response.split('\n\n').slice(0, 16).join('\n\n');
    expect(exchanged({ ...anthropic, response }).described!.tools_called).toEqual([
      { name: 'get_weather', arguments: '{"location":"San"}', id: 'toolu_01' },
    ]);
  });

  test('Claude Code’s newer ids', () => {
    const userId = JSON.stringify({ device_id: 'd', account_uuid: 'a', session_id: 's' });
    const request = { ...anthropic.request, metadata: { user_id: userId } };
    expect(exchanged({ ...anthropic, request }).described).toMatchObject({
      user: 'a',
      conversation_id: 's',
    });
  });

  test.each([
    ['api.githubcopilot.com', '/v1/messages', 'GitHub'],
    ['acme.services.ai.azure.com', '/anthropic/v1/messages', 'Microsoft'],
    [
      'us-east5-aiplatform.googleapis.com',
      '/v1/projects/p/locations/us-east5/publishers/anthropic/models/claude-sonnet-4-5@20250929:streamRawPredict',
      'Google',
    ],
    ['llm.corp.example', '/claude', 'Anthropic'],
  ])('at %s%s', (host, path, provider) => {
    expect(exchanged({ ...anthropic, host, path }).described).toMatchObject({
      provider,
      tokens_out: 89,
    });
  });
});

describe('Gemini', () => {
  const google = {
    host: 'generativelanguage.googleapis.com',
    path: '/v1beta/models/gemini-2.5-pro:streamGenerateContent',
    request: {
      contents: [
        { role: 'user', parts: [{ text: 'My IBAN?' }] },
        { role: 'model', parts: [{ functionCall: { name: 'lookup' } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'lookup', response: {} } }] },
      ],
      tools: [{ functionDeclarations: [{ name: 'lookup' }] }, { googleSearch: {} }],
    },
    type: SSE,
    response: sampleText('gemini.txt'),
  };
  const described = known({
    provider: 'Google',
    operation: 'chat',
    model: 'gemini-2.5-pro',
    tokens_in: 850,
    tokens_out: 150,
    tokens_cached: 512,
    tokens_reasoning: 110,
    prompt: 'My IBAN?',
    completion: 'Your IBAN is DE89 3704 0044 0532 0130 00.',
    tools_offered: ['lookup', 'googleSearch'],
    tools_called: [{ name: 'lookup', arguments: '{"iban":"DE89"}', id: null }],
    finish_reason: 'STOP',
    response_id: 'rsp-g1',
  });

  test('events', () => {
    const { answer, ...rest } = exchanged(google);
    expect(rest).toEqual({ api: 'gemini', described });
    expect(answer).toMatchObject({
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              { text: '**Considering** the IBAN', thought: true },
              { text: 'Your IBAN is DE89 3704 0044 0532 0130 00.' },
              { functionCall: { name: 'lookup' } },
              { text: '' },
            ],
          },
        },
      ],
    });
  });

  test('a list of chunks is the same answer', () => {
    const list = sampleText('gemini-list.txt');
    const { answer } = exchanged(google);
    expect(exchanged({ ...google, type: 'application/json', response: list }).answer).toEqual(
      answer,
    );
    const cut = exchanged({ ...google, type: 'application/json', response: list.slice(0, -60) });
    expect(cut.described).toMatchObject({ completion: described.completion, finish_reason: null });
  });

  test('Code Assist wraps both', () => {
    const request = { model: 'gemini-2.5-pro', request: { ...google.request, session_id: 's1' } };
    const wrapped = exchanged({
      host: 'cloudcode-pa.googleapis.com',
      path: '/v1internal:streamGenerateContent',
      request,
      type: SSE,
      response: sampleText('code-assist.txt'),
    });
    expect(wrapped.described).toEqual({ ...described, conversation_id: 's1' });
    expect(wrapped.answer).toMatchObject({ traceId: '7f01', response: { candidates: [{}] } });
  });

  test('Vertex AI, not streamed', () => {
    const { answer } = exchanged(google);
    const path =
      '/v1/projects/p/locations/us/publishers/google/models/gemini-2.5-pro:generateContent';
    const response = JSON.stringify({ ...(answer as object), modelVersion: undefined });
    const vertex = { ...google, host: 'aiplatform.googleapis.com', path, response };
    expect(exchanged({ ...vertex, type: 'application/json' }).described).toEqual(described);
  });

  test('arguments that are streamed become whole', () => {
    const chunk = (functionCall: object) => ({
      candidates: [{ content: { parts: [{ functionCall }] } }],
    });
    const chunks = [
      chunk({ name: 'mail', willContinue: true }),
      chunk({
        partialArgs: [{ jsonPath: '$.to', stringValue: 'ada@', willContinue: true }],
        willContinue: true,
      }),
      chunk({ partialArgs: [{ jsonPath: '$.to', stringValue: 'example.com' }] }),
    ];
    const response = chunks.map((data) => `data: ${JSON.stringify(data)}\n\n`).join('');
    expect(exchanged({ ...google, response }).answer).toMatchObject({
      candidates: [
        {
          content: {
            parts: [
              {
                functionCall: {
                  name: 'mail',
                  willContinue: false,
                  partialArgs: [{ jsonPath: '$.to', stringValue: 'ada@example.com' }],
                },
              },
            ],
          },
        },
      ],
    });
  });
});

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
  const described = known({
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
    const { answer, ...rest } = exchanged({
      host,
      path,
      request: { messages, toolConfig },
      type,
      response: converse,
    });
    expect(rest).toEqual({ api: 'bedrock-converse', described });
    expect(answer).toMatchObject({
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
    exchanged({
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

  test('InvokeModelWithResponseStream of Claude', () => {
    const events = sampleText('anthropic-messages.txt')
      .split('\n\n')
      .filter((event) => event !== '')
      .map((event) => JSON.parse(event.split('data: ')[1]!) as object);
    const request = { anthropic_version: 'bedrock-2023-05-31', messages: [asked] };
    expect(invoked(events, request).described).toMatchObject({
      provider: 'Amazon',
      model,
      tokens_in: 4312,
      prompt: 'Where is my order?',
      completion: 'Per the docs, card 4111 1111 1111 1111 is a test.',
    });
  });

  test('InvokeModelWithResponseStream of Nova, whose events are those of Converse', () => {
    const events = (JSON.parse(sampleText('bedrock-converse.json')) as [string, object][]).map(
      ([name, payload]) => ({ [name]: payload }),
    );
    expect(invoked(events, { messages }).described).toEqual({ ...described, tools_offered: [] });
  });

  test('InvokeModelWithResponseStream of Llama', () => {
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

  test('an exception', () => {
    const response = encodeAwsEventStream([
      {
        headers: { ':exception-type': 'throttlingException', ':message-type': 'exception' },
        payload: { message: 'Too many requests' },
      },
    ]);
    const path = '/model/x/converse-stream';
    expect(
      exchanged({ host, path, request: { messages }, type, response }).described,
    ).toMatchObject({
      error: 'Too many requests',
    });
  });
});

describe('Ollama', () => {
  const local = { host: 'localhost', type: 'application/x-ndjson' };

  test('chat', () => {
    const { answer, described } = exchanged({
      ...local,
      path: '/api/chat',
      request: { model: 'llama3.2', messages: [asked], tools: [tool] },
      response: sampleText('ollama-chat.txt'),
    });
    expect(answer).toMatchObject({
      done: true,
      message: { role: 'assistant', content: 'Write to bob@example.org', thinking: 'Hmm.' },
    });
    expect(described).toEqual(
      known({
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
    const { described } = exchanged({
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

test('Cohere', () => {
  const { answer, described } = exchanged({
    host: 'api.cohere.com',
    path: '/v2/chat',
    request: { model: 'command-a-03-2025', messages: [asked], tools: [tool] },
    type: SSE,
    response: sampleText('cohere-chat.txt'),
  });
  expect(answer).toEqual({
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
    known({
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

test('the app of ChatGPT', () => {
  const { answer, described } = exchanged({
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
    known({
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
  expect(JSON.stringify(answer)).not.toContain('eyJhbGciOiJIUzI1NiJ9');
  expect(answer).toMatchObject({ title: 'Order status', messages: [{}, {}, {}, {}] });
});

test('the app of Claude', () => {
  const { described } = exchanged({
    host: 'claude.ai',
    path: '/api/organizations/o1/chat_conversations/c7/completion',
    request: { prompt: 'Do it', model: 'claude-opus-4-1', tools: [{ name: 'artifacts' }] },
    type: SSE,
    response: sampleText('claude-ai.txt'),
  });
  expect(described).toEqual(
    known({
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

test('the app of Claude, as it streamed before', () => {
  const event = (completion: string) =>
    `event: completion\ndata: ${JSON.stringify({ type: 'completion', completion, stop_reason: null, model: 'claude-2.1' })}\n\n`;
  const { described } = exchanged({
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
  const { described } = exchanged({
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
    known({
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
  test('pieces of a completion', () => {
    const piece = (text: string, finish: string | null) =>
      `data: ${JSON.stringify({ id: 'c1', object: 'text_completion', model: 'm', choices: [{ index: 0, text, finish_reason: finish, logprobs: { tokens: [text] } }] })}\n\n`;
    const { answer, described } = exchanged({
      host: 'api.deepseek.com',
      path: '/beta/completions',
      request: { model: 'm', prompt: 'def f' },
      type: SSE,
      response: piece('(a', null) + piece('):', 'stop'),
    });
    expect(JSON.stringify(answer)).not.toContain('tokens');
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
    const { described } = exchanged({
      host: 'gateway.example',
      path,
      request,
      type: 'application/json',
      response: JSON.stringify(response),
    });
    expect(described).toMatchObject({ operation: 'embeddings', completion: null, ...facts });
  });
});
