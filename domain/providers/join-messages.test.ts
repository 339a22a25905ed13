import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { describeExchange, describeResponses } from './describe-exchange.ts';
import { joinMessages, type SocketMessage } from './join-messages.ts';

const sample = (name: string) => readFileSync(new URL(`samples/${name}`, import.meta.url), 'utf8');
const message = (from: SocketMessage['from'], event: unknown): SocketMessage => ({
  from,
  text: typeof event === 'string' ? event : JSON.stringify(event),
});

describe('OpenAI’s realtime API', () => {
  const messages = (
    JSON.parse(sample('openai-realtime.json')) as { from: 'client' | 'server'; event: object }[]
  ).map(({ from, event }) => message(from, event));

  const exchangeOf = (given: SocketMessage[]) => {
    const { request, response } = joinMessages(given);
    return { host: 'api.openai.com', path: '/v1/realtime', status: 101, request, response };
  };
  const describedOf = (given: SocketMessage[]) => describeExchange(exchangeOf(given));

  test('a whole conversation', () => {
    const { request, response, api } = joinMessages(messages);
    expect(api).toBe('openai-realtime');
    expect(JSON.parse(request!)).toEqual({
      session: expect.objectContaining({ instructions: 'Be brief.' }),
      items: [expect.objectContaining({ role: 'user' })],
      responses: [{ output_modalities: ['text'] }, {}],
    });
    expect(JSON.parse(response!)).toMatchObject({
      session: { id: 'sess_1', model: 'gpt-realtime' },
      responses: [
        { id: 'resp_1', status: 'completed', output: [{ content: [{ text: 'It is 4711.' }] }] },
        { id: 'resp_2', output: [{ arguments: '{"zone":"UTC"}' }] },
      ],
    });
    expect(describedOf(messages)).toMatchObject({
      provider: 'OpenAI',
      operation: 'chat',
      model: 'gpt-realtime',
      tokens_in: 320,
      tokens_out: 50,
      tokens_cached: 192,
      prompt: 'What is my PIN?',
      completion: 'It is 4711.',
      tools_offered: ['get_time'],
      tools_called: [{ name: 'get_time', arguments: '{"zone":"UTC"}', id: 'call_7' }],
      finish_reason: 'completed',
      conversation_id: 'conv_1',
    });
  });

  test('each response, with its own id and tokens', () => {
    expect(describeResponses(exchangeOf(messages))).toMatchObject([
      {
        response_id: 'resp_1',
        model: 'gpt-realtime',
        tokens_in: 120,
        tokens_out: 40,
        completion: 'It is 4711.',
        tools_called: [],
        conversation_id: 'conv_1',
      },
      {
        response_id: 'resp_2',
        model: 'gpt-realtime',
        tokens_in: 200,
        tokens_out: 10,
        completion: null,
        tools_offered: ['get_time'],
        tools_called: [{ name: 'get_time' }],
        conversation_id: 'conv_1',
      },
    ]);
  });

  test('each response has the message that it answers', () => {
    const item = (id: string, role: string, text: string) =>
      message('server', {
        type: 'conversation.item.added',
        item: { id, type: 'message', role, content: [{ type: 'text', text }] },
      });
    const answer = (id: string, itemId: string) =>
      message('server', {
        type: 'response.done',
        response: { object: 'realtime.response', id, output: [{ id: itemId, type: 'message' }] },
      });
    const answered = ['1', '2', '3'].flatMap((turn) => [
      ...(turn === '2' ? [] : [item(`u${turn}`, 'user', `Question ${turn}`)]),
      item(`a${turn}`, 'assistant', ''),
      answer(`resp_${turn}`, `a${turn}`),
    ]);
    const prompts = describeResponses(exchangeOf(answered)).map(({ prompt }) => prompt);
    expect(prompts).toEqual(['Question 1', null, 'Question 3']);
  });

  test('an error of the conversation belongs to its last response', () => {
    const failed = [...messages, message('server', { type: 'error', error: { message: 'Over' } })];
    const errors = describeResponses(exchangeOf(failed)).map(({ error }) => error);
    expect(errors).toEqual([null, 'Over']);
  });

  test('a conversation without a response is one call', () => {
    const session = { id: 'sess_1', model: 'gpt-realtime' };
    const opened = [message('server', { type: 'session.created', session })];
    expect(describeResponses(exchangeOf(opened))).toEqual([describedOf(opened)]);
  });

  test('a response that is truncated is kept up to the cut', () => {
    const cut = messages.filter(({ text }) => !text.includes('.done"'));
    expect(describedOf(cut)).toMatchObject({
      completion: 'It is 4711.',
      tools_called: [{ arguments: '{"zone":"UTC"}' }],
      finish_reason: 'in_progress',
      tokens_in: null,
    });
  });

  test.each([
    [
      'realtime',
      { status_details: { type: 'failed', error: { message: 'The quota is used up' } } },
    ],
    ['responses', { error: { code: 'server_error', message: 'The quota is used up' } }],
  ])('a failed response of the %s API', (_, failure) => {
    const response = { object: 'realtime.response', id: 'resp_9', status: 'failed', ...failure };
    const failed = [...messages, message('server', { type: 'response.done', response })];
    expect(describedOf(failed)!.error).toBe('The quota is used up');
    expect(describedOf(messages)!.error).toBe(null);
  });

  test('the transcript of the user’s audio', () => {
    const heard = (more: object) =>
      message('server', {
        type: 'conversation.item.input_audio_transcription.delta',
        item_id: 'item_s',
        ...more,
      });
    const spoken = [...messages, heard({ delta: 'Call ' }), heard({ delta: 'me.' })];
    const item = { id: 'item_s', type: 'message', role: 'user', content: [] };
    const added = message('server', { type: 'conversation.item.added', item });
    expect(describedOf([added, ...spoken])!.prompt).toBe('What is my PIN?');
    const onlyHeard = spoken.filter(({ text }) => !text.includes('item.create'));
    const withoutText = onlyHeard.filter(({ text }) => !text.includes('item_u'));
    expect(describedOf([added, ...withoutText])!.prompt).toBe('Call me.');
  });

  test('translations', () => {
    const piece = (side: string, delta: string) =>
      message('server', { type: `session.${side}_transcript.delta`, delta });
    const session = { id: 's', model: 'gpt-realtime-translate' };
    const translated = describedOf([
      message('client', { type: 'session.update', session: {} }),
      message('server', { type: 'session.created', session }),
      ...['Gu', 'ten Tag'].map((delta) => piece('input', delta)),
      ...['Hel', 'lo'].map((delta) => piece('output', delta)),
    ]);
    expect(translated).toMatchObject({
      model: 'gpt-realtime-translate',
      prompt: 'Guten Tag',
      completion: 'Hello',
    });
  });

  test('the Responses API over a WebSocket, as used by Codex', () => {
    const turns = [1, 2].flatMap((turn) => [
      message('client', {
        type: 'response.create',
        model: 'gpt-5-codex',
        input: [{ role: 'user', content: [{ type: 'input_text', text: `Turn ${turn}` }] }],
      }),
      ...sample('openai-responses.txt')
        .replaceAll('resp_68a', `resp_${turn}`)
        .split('\n\n')
        .filter((event) => event !== '')
        .map((event) => message('server', event.split('data: ')[1]!)),
    ]);
    const { request, response } = joinMessages(turns);
    const exchange = {
      host: 'chatgpt.com',
      path: '/backend-api/codex/responses',
      request,
      response,
      status: 101,
    };
    const each = { tokens_in: 2050, completion: 'I will look up order 4711.' };
    expect(describeResponses(exchange)).toMatchObject([
      { ...each, prompt: 'Turn 1', response_id: 'resp_1' },
      { ...each, prompt: 'Turn 2', response_id: 'resp_2' },
    ]);
    expect(describeExchange(exchange)).toMatchObject({
      model: 'gpt-5-2025-08-07',
      prompt: 'Turn 2',
      tokens_in: 4100,
      completion: 'I will look up order 4711.\n\nI will look up order 4711.',
      tools_offered: ['find_order'],
      response_id: 'resp_2',
    });
  });
});

describe('Google’s Live API', () => {
  const path = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent';
  const describedOf = (given: SocketMessage[]) => {
    const { request, response, api } = joinMessages(given);
    const host = 'generativelanguage.googleapis.com';
    return { api, ...describeExchange({ host, path, status: 101, request, response }) };
  };
  const said = (text: string, turnComplete = true) =>
    message('client', {
      clientContent: { turns: [{ role: 'user', parts: [{ text }] }], turnComplete },
    });
  const answer = (serverContent: object, more: object = {}) =>
    message('server', { serverContent, ...more });
  const text = (piece: string) => answer({ modelTurn: { parts: [{ text: piece }] } });
  const usage = (prompt: number) => ({
    usageMetadata: {
      promptTokenCount: prompt,
      cachedContentTokenCount: 8,
      responseTokenCount: 20,
      thoughtsTokenCount: 5,
      totalTokenCount: prompt + 20,
    },
  });
  const setup = message('client', {
    setup: {
      model: 'models/gemini-3-live',
      tools: [{ functionDeclarations: [{ name: 'get_time' }] }, { googleSearch: {} }],
    },
  });
  const opened = [setup, message('server', { setupComplete: {} })];

  test('texts, tools and the usage of all turns', () => {
    const functionCalls = [{ id: 'f1', name: 'get_time', args: { zone: 'UTC' } }];
    const conversation = [
      ...opened,
      said('Hello'),
      text('Hi, A'),
      text('da.'),
      answer({ turnComplete: true }, usage(100)),
      said('What is ', false),
      said('the time?'),
      message('server', { toolCall: { functionCalls } }),
      message('client', { toolResponse: { functionResponses: [{ id: 'f1', response: {} }] } }),
      text('Noon.'),
      answer({ generationComplete: true }),
      answer({ turnComplete: true }, usage(150)),
    ];
    expect(describedOf(conversation)).toMatchObject({
      api: 'gemini',
      provider: 'Google',
      operation: 'chat',
      model: 'gemini-3-live',
      prompt: 'What is the time?',
      completion: 'Hi, Ada.\n\nNoon.',
      tokens_in: 250,
      tokens_out: 50,
      tokens_cached: 16,
      tokens_reasoning: 10,
      tools_offered: ['get_time', 'googleSearch'],
      tools_called: [{ name: 'get_time', arguments: '{"zone":"UTC"}', id: 'f1' }],
      error: null,
    });
  });

  test('speech: the transcripts', () => {
    const audio = { inlineData: { mimeType: 'audio/pcm', data: 'AAAA' } };
    const spoken = [
      ...opened,
      message('client', { realtimeInput: { audio: { data: 'AAAA' } } }),
      ...['Call ', 'me.'].map((piece) => answer({ inputTranscription: { text: piece } })),
      answer({ modelTurn: { parts: [audio] } }),
      ...['Of ', 'course.'].map((piece) => answer({ outputTranscription: { text: piece } })),
      answer({ turnComplete: true }),
    ];
    expect(describedOf(spoken)).toMatchObject({ prompt: 'Call me.', completion: 'Of course.' });
    expect(joinMessages(spoken).response).not.toContain('AAAA');
  });

  test('text in real time is joined within a turn', () => {
    const piece = (part: string) => message('client', { realtimeInput: { text: part } });
    const conversation = [
      ...opened,
      piece('My PIN is 47'),
      piece('11.'),
      text('No.'),
      answer({ turnComplete: true }),
      piece('Why?'),
    ];
    const { request } = joinMessages(conversation);
    expect(request).toContain('My PIN is 4711.');
    expect(describedOf(conversation)).toMatchObject({ prompt: 'Why?', completion: 'No.' });
  });

  test('the prompt and the model are known without a readable answer', () => {
    const asked = [setup, said('Hello')];
    expect(describedOf(asked)).toMatchObject({ model: 'gemini-3-live', prompt: 'Hello' });
  });
});

test('ChatGPT events within messages are joined into one response', () => {
  const messages = sample('chatgpt.txt')
    .split(/(?<=\n\n)/)
    .map((item) =>
      message('server', {
        type: 'message',
        payload: { type: 'conversation-turn-stream', payload: { encoded_item: item } },
      }),
    );
  const { response, api } = joinMessages(messages);
  expect(api).toBe('chatgpt');
  expect(response).toContain('ada@example.com), and arrives Monday.');
});

describe('other conversations', () => {
  test('the messages of each side are joined', () => {
    const { request, response, api } = joinMessages([
      message('server', { event: 'connected', requestId: 'r' }),
      message('client', { event: 'send', content: [{ type: 'text', text: 'My card 4111 ' }] }),
      message('client', { event: 'ping' }),
      message('client', { event: 'send', content: [{ type: 'text', text: '1111 ' }] }),
      message('client', { event: 'send', content: [{ type: 'text', text: '1111 ' }] }),
      message('client', { event: 'send', content: [{ type: 'text', text: '1111?' }] }),
      message('client', { event: 'ping' }),
      message('server', { event: 'appendText', messageId: 'm', text: '4111 1111 ' }),
      message('server', { event: 'pong' }),
      message('server', { event: 'appendText', messageId: 'm', text: '1111 1111' }),
    ]);
    expect(api).toBeNull();
    expect(JSON.parse(request!)).toEqual({
      send: { event: 'send', content: [{ type: 'text', text: 'My card 4111 1111 1111 1111?' }] },
      ping: { event: 'ping' },
    });
    expect(JSON.parse(response!)).toEqual({
      connected: { event: 'connected', requestId: 'r' },
      appendText: { event: 'appendText', messageId: 'm', text: '4111 1111 1111 1111' },
      pong: { event: 'pong' },
    });
  });

  test('a text of the client is joined regardless of how it is divided', () => {
    const text = 'It is 4711-aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vWxY1z, you see.';
    for (let length = 1; length < text.length; length += 1) {
      const pieces = text.match(new RegExp(`.{1,${length}}`, 'g'))!;
      const deltas = pieces.map((delta) => message('client', { type: 'text.delta', delta }));
      expect(joinMessages(deltas).request).toContain(`"delta":"${text}"`);
      expect(joinMessages(pieces.map((piece) => message('client', piece))).request).toContain(text);
    }
  });

  test.each([
    ['no messages', [], { request: null, response: null, api: null }],
    [
      'text',
      [message('client', 'hello'), message('server', 'he'), message('server', 'llo')],
      { request: '"hello"', response: '{"events":"hello"}', api: null },
    ],
  ])('%s', (_name, messages, joined) => {
    expect(joinMessages(messages)).toEqual(joined);
  });
});
