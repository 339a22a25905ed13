import { z } from 'zod';
import {
  type ModelRequest,
  FAULTY_MODELS,
  RejectedRequest,
  TOOL_ARGUMENTS,
  type Wire,
} from './model-wire.ts';

const part = z.union([
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('image_url'), image_url: z.looseObject({ url: z.string() }) }),
]);
const body = z.strictObject({
  model: z.string(),
  messages: z
    .array(
      z.strictObject({
        role: z.enum(['system', 'developer', 'user', 'assistant']),
        content: z.union([z.string(), z.array(part).min(1)]),
        name: z.string().optional(),
      }),
    )
    .min(1),
  temperature: z.number().min(0).max(2).optional(),
  max_tokens: z.int().min(1).optional(),
  max_completion_tokens: z.int().min(1).optional(),
  top_p: z.number().min(0).max(1).optional(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).optional(),
  seed: z.int().optional(),
  frequency_penalty: z.number().min(-2).max(2).optional(),
  presence_penalty: z.number().min(-2).max(2).optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({
          name: z.string().regex(/^[\w-]{1,64}$/),
          description: z.string().optional(),
          parameters: z.record(z.string(), z.unknown()).optional(),
          strict: z.boolean().optional(),
        }),
      }),
    )
    .min(1)
    .optional(),
  response_format: z
    .union([
      z.strictObject({ type: z.enum(['text', 'json_object']) }),
      z.strictObject({
        type: z.literal('json_schema'),
        json_schema: z.looseObject({ name: z.string(), schema: z.looseObject({}) }),
      }),
    ])
    .optional(),
  stream: z.boolean().optional(),
  stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
});
type Body = z.output<typeof body>;

/** Parameters that a model rejects, with the error message of the real provider. */
const refusals: Record<string, (body: Body) => [param: string, message: string] | undefined> = {
  'gpt-4o-mini': () => undefined,
  'gpt-4o': () => undefined,
  'gpt-5': ({ max_tokens, temperature }) => {
    if (max_tokens !== undefined)
      return [
        'max_tokens',
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      ];
    if (temperature !== undefined && temperature !== 1)
      return [
        'temperature',
        `Unsupported value: 'temperature' does not support ${temperature} with this model. Only the default (1) value is supported.`,
      ];
    return undefined;
  },
  'old-server-model': ({ max_completion_tokens, stream_options }) => {
    if (max_completion_tokens !== undefined)
      return ['', 'Unrecognized request argument supplied: max_completion_tokens'];
    if (stream_options) return ['', 'Unrecognized request argument supplied: stream_options'];
    return undefined;
  },
  picky: ({ max_tokens, max_completion_tokens }) =>
    (max_tokens ?? max_completion_tokens)
      ? ['', 'Unknown parameters: max_tokens, max_completion_tokens']
      : undefined,
};
for (const model of FAULTY_MODELS) refusals[model] = () => undefined;

const words = (text: string): number => text.split(/\s+/).length;

const usageOf = ({ messageTexts }: ModelRequest, output: string) => ({
  prompt_tokens: words(messageTexts.join(' ')),
  completion_tokens: words(output),
  total_tokens: words(messageTexts.join(' ')) + words(output),
  // Like OpenAI, counts tokens from the cache as part of the prompt tokens.
  prompt_tokens_details: { cached_tokens: Math.min(2, words(messageTexts.join(' '))) },
});

const frame = (kind: string, { model }: ModelRequest, more: object) => ({
  id: 'chatcmpl-1',
  object: kind,
  created: 1_800_000_000,
  model,
  ...more,
});

const sse = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;

const chunk = (request: ModelRequest, delta: object, finish_reason: string | null = null): string =>
  sse(frame('chat.completion.chunk', request, { choices: [{ index: 0, delta, finish_reason }] }));

const callOf = (name: string) => ({
  id: 'call_1',
  type: 'function',
  function: { name, arguments: TOOL_ARGUMENTS },
});

/** Like OpenAI, streams the name of a tool call first, and then its arguments in parts. */
const toolPieces = (name: string) => [
  [{ index: 0, id: 'call_1', type: 'function', function: { name, arguments: '' } }],
  ...(TOOL_ARGUMENTS.match(/.{1,6}/g) ?? []).map((piece) => [
    { index: 0, function: { arguments: piece } },
  ]),
];

/** OpenAI's chat completions. */
export const openAi: Wire = {
  path: '/v1/chat/completions',
  models: () => ({
    object: 'list',
    data: Object.keys(refusals).map((id) => ({
      id,
      object: 'model',
      created: 1_800_000_000,
      owned_by: 'openai',
    })),
  }),
  keyOf: (headers) => /^Bearer (.*)$/.exec(headers.authorization ?? '')?.[1],
  read(given) {
    const { data, error } = body.safeParse(given);
    if (!data) throw new RejectedRequest(400, `Invalid '${error.issues[0]?.path.join('.')}'.`);
    const refusal = refusals[data.model];
    if (!refusal)
      throw new RejectedRequest(
        404,
        `The model \`${data.model}\` does not exist or you do not have access to it.`,
      );
    const [param, message] = refusal(data) ?? [];
    if (message) throw new RejectedRequest(400, message, { param: param || null });
    const messageTexts = data.messages.flatMap(({ content }) =>
      typeof content === 'string'
        ? [content]
        : content.map((one) => (one.type === 'text' ? one.text : one.image_url.url)),
    );
    if (data.response_format?.type === 'json_object' && !/json/i.test(messageTexts.join(' ')))
      throw new RejectedRequest(
        400,
        "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
      );
    const tool = data.tools?.[0]?.function.name;
    return { model: data.model, stream: data.stream ?? false, messageTexts, tool };
  },
  responseBody: (request, output) =>
    frame('chat.completion', request, {
      choices: [
        {
          index: 0,
          message: request.tool
            ? {
                role: 'assistant',
                content: null,
                refusal: null,
                tool_calls: [callOf(request.tool)],
              }
            : { role: 'assistant', content: output, refusal: null },
          finish_reason: request.tool ? 'tool_calls' : 'stop',
        },
      ],
      usage: usageOf(request, output),
    }),
  events: (request, pieces) => ({
    start: [chunk(request, { role: 'assistant', content: '' })],
    pieces: request.tool
      ? toolPieces(request.tool).map((tool_calls) => chunk(request, { tool_calls }))
      : pieces.map((content) => chunk(request, { content })),
    end: [
      chunk(request, {}, 'stop'),
      // The last chunk has no choices; it has the usage if that was requested.
      ...(request.model === 'old-server-model'
        ? []
        : [
            sse(
              frame('chat.completion.chunk', request, {
                choices: [],
                usage: usageOf(request, pieces.join('')),
              }),
            ),
          ]),
      'data: [DONE]\n\n',
    ],
  }),
  error: (_status, message, more) => ({
    error: { message, type: 'invalid_request_error', param: null, code: null, ...more },
  }),
  errorEvent: (message) => sse({ error: { message, type: 'server_error', code: null } }),
};
