import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { processExchange, exchangeWith } from './testing/streamed-exchange.ts';

const sampleText = (name: string) =>
  readFileSync(new URL(`samples/${name}`, import.meta.url), 'utf8');

const SSE = 'text/event-stream';

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
  const described = exchangeWith({
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
    const { responseJson, ...rest } = processExchange(google);
    expect(rest).toEqual({ api: 'gemini', described });
    expect(responseJson).toMatchObject({
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

  test('a list of chunks gives the same response', () => {
    const list = sampleText('gemini-list.txt');
    const { responseJson } = processExchange(google);
    expect(
      processExchange({ ...google, type: 'application/json', response: list }).responseJson,
    ).toEqual(responseJson);
    const cut = processExchange({
      ...google,
      type: 'application/json',
      response: list.slice(0, -60),
    });
    expect(cut.described).toMatchObject({ completion: described.completion, finish_reason: null });
  });

  test('chunks that contain pieces of a thought and of a text', () => {
    const thought = (text: string) => ({ text, thought: true });
    const code = { executableCode: { language: 'PYTHON', code: 'print(1)' } };
    const chunks = [
      [thought('The pass')],
      [{ text: 'Use hun' }, thought('word is')],
      [{ text: 'ter2' }, thought(' known.')],
      [code, { text: 'Do' }],
      [{ text: 'ne.' }],
    ];
    const response = chunks
      .map((parts) => `data: ${JSON.stringify({ candidates: [{ content: { parts } }] })}\n\n`)
      .join('');
    expect(processExchange({ ...google, response }).responseJson).toMatchObject({
      candidates: [
        {
          content: {
            parts: [
              thought('The password is known.'),
              { text: 'Use hunter2' },
              code,
              { text: 'Done.' },
            ],
          },
        },
      ],
    });
  });

  test('Code Assist wraps the request and the response', () => {
    const request = { model: 'gemini-2.5-pro', request: { ...google.request, session_id: 's1' } };
    const wrapped = processExchange({
      host: 'cloudcode-pa.googleapis.com',
      path: '/v1internal:streamGenerateContent',
      request,
      type: SSE,
      response: sampleText('code-assist.txt'),
    });
    expect(wrapped.described).toEqual({ ...described, conversation_id: 's1' });
    expect(wrapped.responseJson).toMatchObject({ traceId: '7f01', response: { candidates: [{}] } });
  });

  test('Vertex AI, not streamed', () => {
    const { responseJson } = processExchange(google);
    const path =
      '/v1/projects/p/locations/us/publishers/google/models/gemini-2.5-pro:generateContent';
    const response = JSON.stringify({ ...(responseJson as object), modelVersion: undefined });
    const vertex = { ...google, host: 'aiplatform.googleapis.com', path, response };
    expect(processExchange({ ...vertex, type: 'application/json' }).described).toEqual(described);
  });

  test('streamed arguments are joined', () => {
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
    expect(processExchange({ ...google, response }).responseJson).toMatchObject({
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
