import { z } from 'zod';
import { idOf, piecesOf, RefusedRequest, type Reply, sse, textsOf, type Wire } from './wire.ts';

const toolCall = z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string() }) });
const body = z.looseObject({
  model: z.string(),
  messages: z
    .array(
      z.looseObject({
        role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
        content: z.union([z.string(), z.array(z.looseObject({})), z.null()]).optional(),
        tool_calls: z.array(toolCall).nullish(),
        tool_call_id: z.string().optional(),
      }),
    )
    .min(1),
  tools: z
    .array(
      z.looseObject({
        type: z.literal('function'),
        function: z.looseObject({ name: z.string().regex(/^[\w-]{1,64}$/) }),
      }),
    )
    .optional(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
});

type Message = z.output<typeof body>['messages'][number];

/** Like OpenAI, requires that each tool result belongs to a call of the previous message. */
function checkResults(messages: readonly Message[]): void {
  const calls = new Set<string>();
  for (const { role, tool_calls, tool_call_id } of messages) {
    for (const { id } of tool_calls ?? []) calls.add(id);
    if (role === 'tool' && !calls.has(tool_call_id ?? ''))
      throw new RefusedRequest(
        400,
        "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
      );
  }
}

const usageOf = ({ usage }: Reply) => ({
  prompt_tokens: usage.input,
  completion_tokens: usage.output,
  total_tokens: usage.input + usage.output,
  prompt_tokens_details: { cached_tokens: usage.cacheRead, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: usage.reasoning,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
});

const modelOf = (model: string): string => (model === 'gpt-4o' ? 'gpt-4o-2024-11-20' : model);

const frame = (model: string, object: string, reply: Reply, more: object) => ({
  id: idOf('chatcmpl-', reply),
  object,
  created: 1_800_000_000,
  model: modelOf(model),
  service_tier: 'default',
  system_fingerprint: 'fp_1',
  ...more,
});

const callOf = (reply: Reply) =>
  reply.tool && {
    id: idOf('call_', reply),
    type: 'function',
    function: { name: reply.tool.name, arguments: JSON.stringify(reply.tool.arguments) },
  };

/** OpenAI's chat completions. */
export const chatCompletions: Wire = {
  paths: /^(?:\/v1)?\/chat\/completions$/,
  keyOf: ({ authorization }) => /^Bearer (.*)$/.exec(String(authorization))?.[1],
  modelOf,
  read(_path, given) {
    const { data, error } = body.safeParse(given);
    if (!data) throw new RefusedRequest(400, `Invalid '${error.issues[0]?.path.join('.')}'.`);
    checkResults(data.messages);
    return {
      model: data.model,
      isStream: data.stream ?? false,
      wantsUsage: data.stream_options?.include_usage ?? false,
      texts: data.messages.flatMap(({ content }) => textsOf(content)),
      tools: (data.tools ?? []).map((tool) => tool.function.name),
      hasToolResult: data.messages.some(({ role }) => role === 'tool'),
    };
  },
  answer({ model }, reply) {
    const call = callOf(reply);
    const message = call
      ? { role: 'assistant', content: null, refusal: null, tool_calls: [call] }
      : { role: 'assistant', content: reply.text, refusal: null, annotations: [] };
    return frame(model, 'chat.completion', reply, {
      choices: [{ index: 0, message, logprobs: null, finish_reason: call ? 'tool_calls' : 'stop' }],
      usage: usageOf(reply),
    });
  },
  events({ model, wantsUsage }, reply) {
    const chunk = (choices: object[], more: object = {}): string =>
      sse(frame(model, 'chat.completion.chunk', reply, { choices, ...more }));
    const delta = (content: object, finish_reason: string | null = null): string =>
      chunk([{ index: 0, delta: content, logprobs: null, finish_reason }]);
    const call = callOf(reply);
    return [
      delta({ role: 'assistant', content: call ? null : '' }),
      ...(call
        ? [delta({ tool_calls: [{ index: 0, ...call }] })]
        : piecesOf(reply.text).map((content) => delta({ content }))),
      delta({}, call ? 'tool_calls' : 'stop'),
      ...(wantsUsage ? [chunk([], { usage: usageOf(reply) })] : []),
      'data: [DONE]\n\n',
    ];
  },
  error: (status, message) => ({
    error: {
      message,
      type: status === 401 ? 'authentication_error' : 'invalid_request_error',
      param: null,
      code: null,
    },
  }),
};
