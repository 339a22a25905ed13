import { z } from 'zod';
import {
  type ModelRequest,
  FAULTY_MODELS,
  RejectedRequest,
  TOOL_ARGUMENTS,
  type Wire,
} from './model-wire.ts';

const block = z.union([
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({
    type: z.literal('image'),
    source: z.union([
      z.strictObject({ type: z.literal('url'), url: z.url() }),
      z.strictObject({ type: z.literal('base64'), media_type: z.string(), data: z.base64() }),
    ]),
  }),
]);
const body = z.strictObject({
  model: z.string(),
  max_tokens: z.int().min(1),
  system: z.string().optional(),
  messages: z
    .array(
      z.strictObject({
        role: z.enum(['user', 'assistant']),
        content: z.union([z.string().min(1), z.array(block).min(1)]),
      }),
    )
    .min(1),
  temperature: z.number().min(0).max(1).optional(),
  top_p: z.number().min(0).max(1).optional(),
  tools: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[\w-]{1,128}$/),
        description: z.string().optional(),
        input_schema: z.looseObject({ type: z.literal('object') }),
      }),
    )
    .min(1)
    .optional(),
  stop_sequences: z.array(z.string()).optional(),
  stream: z.boolean().optional(),
});

const models = new Set(['claude-sonnet-4-6', 'claude-opus-4-7', ...FAULTY_MODELS]);
const words = (text: string): number => text.split(/\s+/).length;

const event = (type: string, more: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;

const messageOf = ({ model }: ModelRequest, more: object) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model,
  stop_sequence: null,
  ...more,
});

function messageTextOf({ system, messages }: z.output<typeof body>): string[] {
  const texts = messages.flatMap(({ content }) =>
    typeof content === 'string'
      ? [content]
      : content.map((one) => (one.type === 'text' ? one.text : JSON.stringify(one.source))),
  );
  return system === undefined ? texts : [`(${system})`, ...texts];
}

/** Anthropic's messages API. */
export const anthropic: Wire = {
  path: '/v1/messages',
  models: () => ({
    data: [...models].map((id) => ({
      type: 'model',
      id,
      display_name: id,
      created_at: '2026-01-01T00:00:00Z',
    })),
    has_more: false,
    first_id: null,
    last_id: null,
  }),
  keyOf: (headers) =>
    headers['x-api-key']?.toString() ?? /^Bearer (.*)$/.exec(headers.authorization ?? '')?.[1],
  read(given, headers) {
    const version = String(headers['anthropic-version']);
    if (!['2023-06-01', '2026-10-21'].includes(version))
      throw new RejectedRequest(400, `anthropic-version: "${version}" is not a valid version`);
    const { data, error } = body.safeParse(given);
    const issue = error?.issues[0];
    if (!data) throw new RejectedRequest(400, `${issue?.path.join('.')}: ${issue?.message}`);
    if (!models.has(data.model)) throw new RejectedRequest(404, `model: ${data.model}`);
    for (const sampling of ['temperature', 'top_p'] as const)
      if (version === '2026-10-21' && data[sampling] !== undefined)
        throw new RejectedRequest(400, `${sampling}: Extra inputs are not permitted`);
    if (data.model === 'claude-opus-4-7' && data.temperature !== undefined)
      throw new RejectedRequest(400, '`temperature` is deprecated for this model.');
    const tool = data.tools?.[0]?.name;
    return {
      model: data.model,
      stream: data.stream ?? false,
      messageTexts: messageTextOf(data),
      tool,
    };
  },
  responseBody: (request, output) =>
    messageOf(request, {
      content: request.tool
        ? [
            {
              type: 'tool_use',
              id: 'call_1',
              name: request.tool,
              input: JSON.parse(TOOL_ARGUMENTS),
            },
          ]
        : [{ type: 'text', text: output, citations: null }],
      stop_reason: request.tool ? 'tool_use' : 'end_turn',
      usage: usageOf(request, output),
    }),
  events: (request, pieces) => ({
    start: [
      event('message_start', {
        message: messageOf(request, {
          content: [],
          stop_reason: null,
          usage: { ...usageOf(request, ''), output_tokens: 1 },
        }),
      }),
      event('content_block_start', {
        index: 0,
        content_block: request.tool
          ? { type: 'tool_use', id: 'call_1', name: request.tool, input: {} }
          : { type: 'text', text: '' },
      }),
      event('ping'),
    ],
    pieces: request.tool
      ? (TOOL_ARGUMENTS.match(/.{1,6}/g) ?? []).map((partial_json) =>
          event('content_block_delta', {
            index: 0,
            delta: { type: 'input_json_delta', partial_json },
          }),
        )
      : pieces.map((text) =>
          event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
        ),
    end: [
      event('content_block_stop', { index: 0 }),
      event('message_delta', {
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { input_tokens: null, output_tokens: words(pieces.join('')) },
      }),
      event('message_stop'),
    ],
  }),
  error: (_status, message) => ({
    type: 'error',
    error: { type: 'invalid_request_error', message },
    request_id: 'req_1',
  }),
  errorEvent: (message) => event('error', { error: { type: 'overloaded_error', message } }),
};

/** Reports two tokens of the input as read from the cache, in addition to the input tokens. */
const usageOf = ({ messageTexts }: ModelRequest, output: string) => ({
  input_tokens: words(messageTexts.join(' ')) - 2,
  cache_read_input_tokens: 2,
  cache_creation_input_tokens: 0,
  output_tokens: words(output),
});
