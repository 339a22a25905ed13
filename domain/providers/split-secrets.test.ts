import { describe, expect, test } from 'vitest';
import { builtinDetectors } from '../redaction/builtin.ts';
import { memberRules } from '../redaction/member-rules.ts';
import { createJsonRedactor } from '../redaction/redact-json.ts';
import { joinExchange } from './join-exchange.ts';
import { joinMessages, type SocketMessage } from './join-messages.ts';

// Concatenated, so that secret scanners do not report this file.
const halves = ['sk-proj-aB3dE5fG7hI9jK1lM2', 'nO4pQ6rS8tU0vWxY1zA2bC3dE4'] as const;
const [start, end] = halves;

const redactor = createJsonRedactor({ detectors: builtinDetectors(), keys: memberRules([]) });
const redacted = (body: string | null): string => redactor({ body }).value.body!;

const sse = (events: readonly unknown[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

interface Answer {
  host?: string;
  path?: string;
  type?: string;
}

/** The redacted response. It may be JSON only, and contains no half of the secret. */
function responseOf(body: string, { host = 'unknown.example', path = '/', type }: Answer): unknown {
  const { response } = joinExchange({
    host,
    path,
    requestType: 'application/json',
    responseType: type ?? 'text/event-stream',
    requestBody: null,
    responseBody: body,
  });
  const text = redacted(response);
  for (const half of halves) expect(text).not.toContain(half);
  return JSON.parse(text);
}

describe('reasoning details of OpenAI-compatible chats', () => {
  const chunk = (...details: object[]) => ({
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: { reasoning_details: details } }],
  });
  const detailsOf = (...chunks: object[]): unknown =>
    (
      responseOf(sse(chunks), { host: 'openrouter.ai', path: '/api/v1/chat/completions' }) as {
        choices: { message: { reasoning_details: unknown } }[];
      }
    ).choices[0]!.message.reasoning_details;
  const text = (piece: string, more: object = {}) => ({
    type: 'reasoning.text',
    text: piece,
    ...more,
  });

  test('pieces without an index are one text', () => {
    expect(detailsOf(chunk(text(`It is ${start}`)), chunk(text(`${end}, ok`)))).toEqual([
      text('It is ##API_KEY##, ok'),
    ]);
  });

  test('pieces of several kinds in each chunk, and the encrypted form at the end', () => {
    const summary = (piece: string) => ({ type: 'reasoning.summary', summary: piece });
    const encrypted = { type: 'reasoning.encrypted', data: 'AbC=' };
    expect(
      detailsOf(
        chunk(summary('A '), text(`It is ${start}`, { format: 'x', id: null })),
        chunk(summary('key.'), text(end, { format: 'x', id: null })),
        chunk(text('', { signature: 's' })),
        chunk(encrypted),
        chunk(encrypted),
      ),
    ).toEqual([
      summary('A key.'),
      text('It is ##API_KEY##', { format: 'x', id: null, signature: 's' }),
      encrypted,
      encrypted,
    ]);
  });

  test('pieces with different ids, formats or indexes stay apart', () => {
    const a = { id: 'a', format: 'x' };
    const b = { id: 'b', format: 'x' };
    const c = { id: 'a', format: 'y' };
    const d = { index: 1 };
    expect(
      detailsOf(
        chunk(text('one ', a)),
        chunk(text(`two ${start}`, b)),
        chunk(text('three ', c)),
        chunk(text('four ', d)),
        chunk(text(end, b)),
        chunk(text('more', a)),
        chunk(text('more', d)),
      ),
    ).toEqual([
      text('one more', a),
      text('two ##API_KEY##', b),
      text('three ', c),
      text('four more', d),
    ]);
  });

  test('the thinking blocks of LiteLLM are one too', () => {
    const thinking = (piece: string) => ({
      choices: [{ index: 0, delta: { thinking_blocks: [{ type: 'thinking', thinking: piece }] } }],
    });
    expect(
      responseOf(sse([thinking(start), thinking(end)]), { path: '/v1/chat/completions' }),
    ).toMatchObject({
      choices: [{ message: { thinking_blocks: [{ type: 'thinking', thinking: '##API_KEY##' }] } }],
    });
  });

  test('annotations are not pieces', () => {
    const annotation = (url: string) => ({ type: 'url_citation', url_citation: { url } });
    const cited = (url: string) => ({
      choices: [{ index: 0, delta: { annotations: [annotation(url)] } }],
    });
    expect(
      responseOf(sse([cited('https://a.example'), cited('https://b.example')]), {
        path: '/v1/chat/completions',
      }),
    ).toMatchObject({
      choices: [
        {
          message: {
            annotations: [annotation('https://a.example'), annotation('https://b.example')],
          },
        },
      ],
    });
  });
});

describe('chunks of Gemini with several parts', () => {
  const partsOf = (...chunks: object[][]): unknown =>
    (
      responseOf(sse(chunks.map((parts) => ({ candidates: [{ content: { parts } }] }))), {
        host: 'generativelanguage.googleapis.com',
        path: '/v1beta/models/gemini:streamGenerateContent',
      }) as { candidates: { content: { parts: unknown } }[] }
    ).candidates[0]!.content.parts;
  const text = (piece: string) => ({ text: piece });
  const thought = (piece: string) => ({ text: piece, thought: true });
  const code = { executableCode: { language: 'PYTHON', code: 'print(1)' } };
  const result = { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } };

  test('thoughts and text in each', () => {
    expect(
      partsOf(
        [thought(`a key ${start}`), text('The ')],
        [thought(end), text(`key ${start}`)],
        [text(end), thought(' it is')],
        [text('.')],
      ),
    ).toEqual([thought('a key ##API_KEY## it is'), text('The key ##API_KEY##.')]);
  });

  test('texts around another part of one chunk are two', () => {
    expect(
      partsOf([text('one '), code, text('two ')], [text('more'), result, text('three')]),
    ).toEqual([text('one '), code, text('two more'), result, text('three')]);
  });

  test('a text ends with a chunk that has none of it', () => {
    expect(partsOf([text('one')], [code], [text('two')])).toEqual([text('one'), code, text('two')]);
  });
});

describe('Anthropic’s citations', () => {
  const event = (delta: object) => ({ type: 'content_block_delta', index: 0, delta });
  const cited = (cited_text: string) =>
    event({ type: 'citations_delta', citation: { type: 'char_location', cited_text } });
  const text = (piece: string) => event({ type: 'text_delta', text: piece });

  test('do not interrupt the text, and do not show what is redacted in it', () => {
    const events = [
      { type: 'message_start', message: { content: [] } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      text(`The key is ${start}`),
      cited(`OPENAI_API_KEY=${start}${end}`),
      text(`${end}, and password=hun`),
      cited('password=hunter2x9'),
      text('ter2x9'),
    ];
    expect(
      responseOf(sse(events), { host: 'api.anthropic.com', path: '/v1/messages' }),
    ).toMatchObject({
      content: [
        {
          text: 'The key is ##API_KEY##, and password=##PASSWORD##',
          citations: [
            { cited_text: expect.stringMatching(/^OPENAI_API_KEY=##\w+##$/) },
            { cited_text: 'password=##PASSWORD##' },
          ],
        },
      ],
    });
  });
});

describe('requests of one JSON object a line', () => {
  const secret = 'hunter2x9';
  const requestOf = (body: string, type = 'application/x-ndjson'): string =>
    redacted(
      joinExchange({
        host: 'unknown.example',
        path: '/v1/batches',
        requestType: type,
        responseType: null,
        requestBody: body,
        responseBody: null,
      }).request,
    );
  const line = JSON.stringify({ user: { password: secret, note: `a "quote" and ${start}${end}` } });
  const clean = String.raw`{"user":{"password":"##PASSWORD##","note":"a \"quote\" and ##API_KEY##"}}`;

  test.each([
    ['a whole line', '{"a":1}'],
    ['a line that is cut in a string', '{"a":"b'],
    ['a line that is cut in a list', '{"a":[{"b":1},'],
    ['a line that is cut after a name', '{"a"'],
    ['a line that is closed twice', '{"a":1}}'],
    ['words', 'not JSON'],
    ['a bad escape', String.raw`{"a":"\x"}`],
    ['a lone quote', '"'],
    ['a lone brace', '{'],
    ['nothing', ''],
  ])('after %s, each line is redacted as JSON', (_name, before) => {
    for (const type of ['application/x-ndjson', 'application/jsonl', 'application/json'])
      for (const newline of ['\n', '\r\n'])
        expect(requestOf([before, line, line].join(newline), type)).toBe(
          [before, clean, clean].join(newline),
        );
  });
});

describe('strings as the data of events', () => {
  test.each<[string, string]>([
    ['one an event', `data:${JSON.stringify(start)}\n\ndata: ${JSON.stringify(end)}\n\n`],
    ['without blank lines', `data:${JSON.stringify(start)}\ndata:${JSON.stringify(end)}\n`],
    [
      'without a blank line at the end',
      `data:${JSON.stringify(start)}\n\ndata:${JSON.stringify(end)}`,
    ],
    ['after a bar', `data|${JSON.stringify(start)}\ndata|${JSON.stringify(end)}\n`],
    [
      'after a bar, with blank lines',
      `data|${JSON.stringify(start)}\n\ndata|${JSON.stringify(end)}`,
    ],
  ])('%s', (_name, body) => {
    expect(responseOf(body, {})).toEqual({ events: '##API_KEY##' });
  });

  test('between objects', () => {
    const events = [{ id: 'm1' }, 'The ', `key ${start}`, { usage: { n: 1 } }, `${end}!`];
    expect(responseOf(sse(events), {})).toEqual({
      events: { id: 'm1', usage: { n: 1 } },
      text: 'The key ##API_KEY##!',
    });
  });

  test('named events', () => {
    const body = halves.map((half) => `event: token\ndata: "${half}"\n\nevent: ping\ndata: 1\n\n`);
    expect(responseOf(body.join(''), {})).toEqual({ token: '##SECRET##', ping: 1 });
  });
});

describe('OpenAI’s realtime API', () => {
  const server = (event: object): SocketMessage => ({
    from: 'server',
    text: JSON.stringify(event),
  });
  const client = (event: object): SocketMessage => ({
    from: 'client',
    text: JSON.stringify(event),
  });
  const created = server({ type: 'session.created', session: { id: 's' } });
  const conversation = (...messages: SocketMessage[]) => {
    const joined = joinMessages(messages);
    const [request, response] = [
      redacted(joined.request ?? '{}'),
      redacted(joined.response ?? '{}'),
    ];
    for (const half of halves) expect(request + response).not.toContain(half);
    return { request: JSON.parse(request) as unknown, response: JSON.parse(response) as unknown };
  };

  test('the client creates one item in several events', () => {
    const create = (id: string, text: string) =>
      client({
        type: 'conversation.item.create',
        item: { id, type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
      });
    expect(
      conversation(
        created,
        create('a', `My key ${start}`),
        create('b', 'Hello, '),
        create('a', `${end}.`),
        create('b', 'you.'),
      ).request,
    ).toMatchObject({
      items: [
        { id: 'a', role: 'user', content: [{ type: 'input_text', text: 'My key ##API_KEY##.' }] },
        { id: 'b', content: [{ text: 'Hello, you.' }] },
      ],
    });
  });

  test('transcripts of several items and parts alternate', () => {
    const heard = (item_id: string, content_index: number, delta: string) =>
      server({
        type: 'conversation.item.input_audio_transcription.delta',
        item_id,
        content_index,
        delta,
      });
    const pieces = [
      heard('a', 0, `key ${start}`),
      heard('b', 0, 'Hel'),
      heard('a', 1, 'and '),
      heard('a', 0, end),
      heard('b', 0, 'lo'),
      heard('a', 1, 'more'),
    ];
    const items = { items: [{ transcript: 'key ##API_KEY##\nand more' }, { transcript: 'Hello' }] };
    expect(conversation(created, ...pieces).response).toMatchObject(items);
    // A later part of the report of a long conversation has no session.
    expect(conversation(...pieces).response).toMatchObject(items);
    const session = { type: 'transcription_session.created', session: { id: 't' } };
    expect(conversation(server(session), ...pieces).response).toMatchObject({
      session: { id: 't' },
      ...items,
    });
    const completed = {
      type: 'conversation.item.input_audio_transcription.completed',
      item_id: 'a',
      content_index: 0,
      transcript: 'The whole.',
    };
    expect(conversation(created, ...pieces, server(completed)).response).toMatchObject({
      items: [{ transcript: 'The whole.\nand more' }, { transcript: 'Hello' }],
    });
  });

  test('deltas of several items and parts of a response alternate, with or without their positions', () => {
    const said = (item: string, part: number, delta: string, more: object) =>
      server({
        type: 'response.output_text.delta',
        response_id: 'r',
        item_id: item,
        content_index: part,
        delta,
        ...more,
      });
    for (const positions of [
      [{ output_index: 0 }, { output_index: 1 }],
      [{}, {}],
    ] as const) {
      const pieces = [
        said('a', 0, `key ${start}`, positions[0]),
        said('b', 0, 'Hel', positions[1]),
        said('a', 1, 'an', positions[0]),
        said('a', 0, end, positions[0]),
        said('b', 0, 'lo', positions[1]),
        said('a', 1, 'd', positions[0]),
      ];
      const responses = [
        {
          output: [
            { content: [{ text: 'key ##API_KEY##' }, { text: 'and' }] },
            { content: [{ text: 'Hello' }] },
          ],
        },
      ];
      expect(conversation(created, ...pieces).response).toMatchObject({ responses });
      expect(conversation(...pieces).response).toMatchObject({ responses });
    }
  });
});
