import { z } from 'zod';
import { type Asked, MISBEHAVING, Refused, type Wire } from './model-wire.ts';

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
  stream: z.boolean().optional(),
  stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
});
type Body = z.output<typeof body>;

/** What each model will not be told, in the words of those that refuse it. */
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
for (const model of MISBEHAVING) refusals[model] = () => undefined;

const words = (text: string): number => text.split(/\s+/).length;

const usageOf = ({ said }: Asked, output: string) => ({
  prompt_tokens: words(said.join(' ')),
  completion_tokens: words(output),
  total_tokens: words(said.join(' ')) + words(output),
  // As OpenAI does, what came from the cache is part of the prompt's tokens.
  prompt_tokens_details: { cached_tokens: Math.min(2, words(said.join(' '))) },
});

const frame = (kind: string, { model }: Asked, more: object) => ({
  id: 'chatcmpl-1',
  object: kind,
  created: 1_800_000_000,
  model,
  ...more,
});

const sse = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;

const chunk = (asked: Asked, delta: object, finish_reason: string | null = null): string =>
  sse(frame('chat.completion.chunk', asked, { choices: [{ index: 0, delta, finish_reason }] }));

/** OpenAI's chat completions. */
export const openAi: Wire = {
  path: '/v1/chat/completions',
  keyOf: (headers) => /^Bearer (.*)$/.exec(headers.authorization ?? '')?.[1],
  read(given) {
    const { data, error } = body.safeParse(given);
    if (!data) throw new Refused(400, `Invalid '${error.issues[0]?.path.join('.')}'.`);
    const refusal = refusals[data.model];
    if (!refusal)
      throw new Refused(
        404,
        `The model \`${data.model}\` does not exist or you do not have access to it.`,
      );
    const [param, message] = refusal(data) ?? [];
    if (message) throw new Refused(400, message, { param: param || null });
    const said = data.messages.flatMap(({ content }) =>
      typeof content === 'string'
        ? [content]
        : content.map((one) => (one.type === 'text' ? one.text : one.image_url.url)),
    );
    return { model: data.model, stream: data.stream ?? false, said };
  },
  answer: (asked, output) =>
    frame('chat.completion', asked, {
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: output, refusal: null },
          finish_reason: 'stop',
        },
      ],
      usage: usageOf(asked, output),
    }),
  events: (asked, pieces) => ({
    start: [chunk(asked, { role: 'assistant', content: '' })],
    pieces: pieces.map((content) => chunk(asked, { content })),
    end: [
      chunk(asked, {}, 'stop'),
      // The last chunk has no choices, and the usage, when it was asked for.
      ...(asked.model === 'old-server-model'
        ? []
        : [
            sse(
              frame('chat.completion.chunk', asked, {
                choices: [],
                usage: usageOf(asked, pieces.join('')),
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
