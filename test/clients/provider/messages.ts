import { z } from 'zod';
import { idOf, piecesOf, RefusedRequest, type Reply, sse, textsOf, type Wire } from './wire.ts';

const block = z.looseObject({
  type: z.string(),
  id: z.string().optional(),
  tool_use_id: z.string().optional(),
});
const body = z.looseObject({
  model: z.string(),
  max_tokens: z.int().min(1),
  system: z.union([z.string(), z.array(z.looseObject({}))]).optional(),
  messages: z
    .array(
      z.looseObject({
        role: z.enum(['user', 'assistant']),
        content: z.union([z.string().min(1), z.array(block).min(1)]),
      }),
    )
    .min(1),
  tools: z.array(z.looseObject({ name: z.string().regex(/^[\w-]{1,128}$/) })).optional(),
  stream: z.boolean().nullish(),
});

const contentOf = (reply: Reply): object[] =>
  reply.tool
    ? [
        {
          type: 'tool_use',
          id: idOf('toolu_', reply),
          name: reply.tool.name,
          input: reply.tool.arguments,
        },
      ]
    : [{ type: 'text', text: reply.text, citations: null }];

/** Cache reads and writes are counted beside the input tokens. */
const usageOf = ({ usage }: Reply, output: number) => ({
  input_tokens: usage.input - usage.cacheRead - usage.cacheWrite,
  cache_creation_input_tokens: usage.cacheWrite,
  cache_read_input_tokens: usage.cacheRead,
  output_tokens: output,
  service_tier: 'standard',
});

const messageOf = (
  model: string,
  reply: Reply,
  content: object[],
  end: string | null,
  out: number,
) => ({
  id: idOf('msg_', reply),
  type: 'message',
  role: 'assistant',
  model,
  content,
  stop_reason: end,
  stop_sequence: null,
  usage: usageOf(reply, out),
});

const endOf = ({ tool }: Reply): string => (tool ? 'tool_use' : 'end_turn');

/** Anthropic's messages API. */
export const messages: Wire = {
  paths: /^(?:\/v1)?\/messages$/,
  keyOf: ({ 'x-api-key': key, authorization }) =>
    (key as string | undefined) ?? /^Bearer (.*)$/.exec(String(authorization))?.[1],
  modelOf: (model) => model,
  read(_path, given) {
    const { data, error } = body.safeParse(given);
    if (!data) throw new RefusedRequest(400, `${error.issues[0]?.path.join('.')}: invalid`);
    const blocks = data.messages.flatMap(({ content }) =>
      typeof content === 'string' ? [] : content,
    );
    const results = blocks.filter(({ type }) => type === 'tool_result');
    for (const { tool_use_id } of results)
      if (!blocks.some(({ id }) => id === tool_use_id))
        throw new RefusedRequest(
          400,
          `messages: unexpected tool_use_id found in tool_result blocks: ${tool_use_id}`,
        );
    return {
      model: data.model,
      isStream: data.stream ?? false,
      texts: [...textsOf(data.system), ...data.messages.flatMap(({ content }) => textsOf(content))],
      tools: (data.tools ?? []).map(({ name }) => name),
      hasToolResult: results.length > 0,
    };
  },
  answer: ({ model }, reply) =>
    messageOf(model, reply, contentOf(reply), endOf(reply), reply.usage.output),
  events({ model }, reply) {
    const event = (type: string, more: object): string => sse({ type, ...more }, type);
    const [whole] = contentOf(reply);
    const deltas = reply.tool
      ? [{ type: 'input_json_delta', partial_json: JSON.stringify(reply.tool.arguments) }]
      : piecesOf(reply.text).map((text) => ({ type: 'text_delta', text }));
    const empty = reply.tool ? { ...whole, input: {} } : { ...whole, text: '' };
    return [
      event('message_start', { message: messageOf(model, reply, [], null, 1) }),
      event('content_block_start', { index: 0, content_block: empty }),
      ...deltas.map((delta) => event('content_block_delta', { index: 0, delta })),
      event('content_block_stop', { index: 0 }),
      event('message_delta', {
        delta: { stop_reason: endOf(reply), stop_sequence: null },
        usage: { output_tokens: reply.usage.output },
      }),
      event('message_stop', {}),
    ];
  },
  error: (status, message) => ({
    type: 'error',
    error: {
      type: status === 401 ? 'authentication_error' : 'invalid_request_error',
      message,
    },
    request_id: 'req_000000000000000000000001',
  }),
};
