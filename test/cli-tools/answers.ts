/** A response: JSON, or the events of a stream. */
export type Answer = { json: object } | { events: string[]; mark: string; isHeld: boolean };

const MARK = /mark-[a-z0-9-]+/;
export const TOKENS = { in: 21, out: 7 };

/** The text of every response, which contains the mark, in parts. */
export const answerText = (mark: string): string => `answered:${mark}`;

/** Returns undefined for a path that the provider does not have. */
export function answerOf(method: string, path: string, body: string): Answer | undefined {
  if (method === 'GET') return path === '/v1/models' ? { json: models } : undefined;
  const mark = MARK.exec(body)?.[0] ?? 'mark-none';
  const api = apis.find(({ paths }) => paths.test(path));
  if (!api) return undefined;
  const isStream = api.isStream(path, body);
  const pieces = answerText(mark).match(/.{1,5}/g) ?? [];
  return isStream && api.events
    ? { events: api.events(pieces), mark, isHeld: body.includes('please hold') }
    : { json: api.answer(answerText(mark)) };
}

interface Api {
  paths: RegExp;
  isStream: (path: string, body: string) => boolean;
  answer: (text: string) => object;
  events?: (pieces: readonly string[]) => string[];
}

const models = {
  object: 'list',
  data: ['gpt-4o', 'gpt-5'].map((id) => ({ id, object: 'model', created: 1, owned_by: 'openai' })),
};
const requestsStream = (_path: string, body: string): boolean => /"stream":\s*true/.test(body);
const never = (): boolean => false;
export const sse = (data: object, event?: string): string =>
  `${event ? `event: ${event}\n` : ''}data: ${JSON.stringify(data)}\n\n`;

let number = 0;
/** An id of the same length as those of the providers; it identifies the response. */
export const newId = (prefix: string): string => {
  number += 1;
  return `${prefix}${String(number).padStart(24, '0')}`;
};

const anthropicMessage = (content: object[], stop_reason: string | null) => ({
  id: newId('msg_'),
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-6',
  content,
  stop_reason,
  stop_sequence: null,
  usage: { input_tokens: TOKENS.in, output_tokens: TOKENS.out },
});

const anthropic: Api = {
  paths: /^\/v1\/messages$/,
  isStream: requestsStream,
  answer: (text) => anthropicMessage([{ type: 'text', text }], 'end_turn'),
  events: (pieces) => {
    const event = (type: string, more: object): string => sse({ type, ...more }, type);
    return [
      event('message_start', { message: anthropicMessage([], null) }),
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      ...pieces.map((text) =>
        event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
      ),
      event('content_block_stop', { index: 0 }),
      event('message_delta', {
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: TOKENS.out },
      }),
      event('message_stop', {}),
    ];
  },
};

const chatUsage = {
  prompt_tokens: TOKENS.in,
  completion_tokens: TOKENS.out,
  total_tokens: TOKENS.in + TOKENS.out,
};
const chatFrame = (id: string, kind: string, more: object) => ({
  id,
  object: kind,
  created: 1_800_000_000,
  model: 'gpt-4o',
  ...more,
});

const chat: Api = {
  paths: /^\/v1\/chat\/completions$/,
  isStream: requestsStream,
  answer: (content) =>
    chatFrame(newId('chatcmpl-'), 'chat.completion', {
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: chatUsage,
    }),
  events: (pieces) => {
    const id = newId('chatcmpl-');
    const chunk = (choices: object[], more: object = {}): string =>
      sse(chatFrame(id, 'chat.completion.chunk', { choices, ...more }));
    const delta = (content: object, finish_reason: string | null = null): string =>
      chunk([{ index: 0, delta: content, finish_reason }]);
    return [
      delta({ role: 'assistant', content: '' }),
      ...pieces.map((content) => delta({ content })),
      delta({}, 'stop'),
      chunk([], { usage: chatUsage }),
      'data: [DONE]\n\n',
    ];
  },
};

const responseFrame = (id: string, status: string, output: object[], more: object = {}) => ({
  id,
  object: 'response',
  created_at: 1_800_000_000,
  status,
  model: 'gpt-5',
  output,
  ...more,
});
const responseUsage = {
  input_tokens: TOKENS.in,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: TOKENS.out,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: TOKENS.in + TOKENS.out,
};

const responses: Api = {
  paths: /^\/v1\/responses$/,
  isStream: requestsStream,
  answer: (text) =>
    responseFrame(newId('resp_'), 'completed', [itemOf(newId('item_'), 'completed', text)], {
      usage: responseUsage,
    }),
  events: (pieces) => {
    const id = newId('resp_');
    const item_id = newId('item_');
    const text = pieces.join('');
    const at = { item_id, output_index: 0, content_index: 0 };
    const done = itemOf(item_id, 'completed', text);
    const part = (content: string) => ({ type: 'output_text', text: content, annotations: [] });
    return [
      { type: 'response.created', response: responseFrame(id, 'in_progress', []) },
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { ...done, status: 'in_progress', content: [] },
      },
      { type: 'response.content_part.added', ...at, part: part('') },
      ...pieces.map((delta) => ({ type: 'response.output_text.delta', ...at, delta })),
      { type: 'response.output_text.done', ...at, text },
      { type: 'response.content_part.done', ...at, part: part(text) },
      { type: 'response.output_item.done', output_index: 0, item: done },
      {
        type: 'response.completed',
        response: responseFrame(id, 'completed', [done], { usage: responseUsage }),
      },
    ].map((event, sequence_number) => sse({ ...event, sequence_number }, event.type));
  },
};

function itemOf(id: string, status: string, text: string) {
  const content = [{ type: 'output_text', text, annotations: [] }];
  return { id, type: 'message', role: 'assistant', status, content };
}

const geminiAnswer = (text: string, finishReason?: string) => ({
  candidates: [
    {
      content: { parts: [{ text }], role: 'model' },
      index: 0,
      ...(finishReason && { finishReason }),
    },
  ],
  usageMetadata: {
    promptTokenCount: TOKENS.in,
    candidatesTokenCount: TOKENS.out,
    totalTokenCount: TOKENS.in + TOKENS.out,
  },
  modelVersion: 'gemini-2.5-flash',
  responseId: newId('response-'),
});

const gemini: Api = {
  paths: /^\/v1(beta)?\/models\/[^/]+:(stream)?[gG]enerateContent$/,
  isStream: (path) => path.endsWith(':streamGenerateContent'),
  answer: (text) => geminiAnswer(text, 'STOP'),
  events: (pieces) =>
    pieces.map((text, i) => sse(geminiAnswer(text, i === pieces.length - 1 ? 'STOP' : undefined))),
};

/** Requests outside the conversation with which tools count tokens. */
const counts: readonly Api[] = [
  {
    paths: /^\/v1\/messages\/count_tokens$/,
    isStream: never,
    answer: () => ({ input_tokens: TOKENS.in }),
  },
  { paths: /:countTokens$/, isStream: never, answer: () => ({ totalTokens: TOKENS.in }) },
];

const apis: readonly Api[] = [anthropic, chat, responses, gemini, ...counts];
