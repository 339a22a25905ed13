import { z } from 'zod';
import { chatCompletions } from './chat-completions.ts';
import { idOf, piecesOf, RefusedRequest, type Reply, sse, textsOf, type Wire } from './wire.ts';

const item = z.looseObject({
  type: z.string().optional(),
  role: z.string().optional(),
  content: z.unknown().optional(),
  call_id: z.string().optional(),
});
const body = z.looseObject({
  model: z.string(),
  instructions: z.string().nullish(),
  input: z.union([z.string(), z.array(item).min(1)]),
  tools: z.array(z.looseObject({ type: z.string(), name: z.string().optional() })).optional(),
  stream: z.boolean().nullish(),
});

/** Like OpenAI, requires that each tool output belongs to a call of the input. */
function checkOutputs(items: readonly z.output<typeof item>[]): void {
  const calls = new Set<string | undefined>();
  for (const { type, call_id } of items) {
    if (type === 'function_call') calls.add(call_id);
    if (type === 'function_call_output' && !calls.has(call_id))
      throw new RefusedRequest(
        400,
        `No tool call found for function call output with call_id ${call_id}.`,
      );
  }
}

const itemsOf = (reply: Reply): object[] =>
  reply.tool
    ? [
        {
          type: 'function_call',
          id: idOf('fc_', reply),
          call_id: idOf('call_', reply),
          name: reply.tool.name,
          arguments: JSON.stringify(reply.tool.arguments),
          status: 'completed',
        },
      ]
    : [
        {
          type: 'message',
          id: idOf('msg_', reply),
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: reply.text, annotations: [], logprobs: [] }],
        },
      ];

const responseOf = (model: string, reply: Reply, status: string, output: object[]) => ({
  id: idOf('resp_', reply),
  object: 'response',
  created_at: 1_800_000_000,
  status,
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  model: chatCompletions.modelOf(model),
  output,
  parallel_tool_calls: true,
  temperature: 1,
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  ...(status === 'completed' && {
    usage: {
      input_tokens: reply.usage.input,
      input_tokens_details: {
        cached_tokens: reply.usage.cacheRead,
        cache_write_tokens: reply.usage.cacheWrite,
      },
      output_tokens: reply.usage.output,
      output_tokens_details: { reasoning_tokens: reply.usage.reasoning },
      total_tokens: reply.usage.input + reply.usage.output,
    },
  }),
});

/** OpenAI's responses API. */
export const responses: Wire = {
  ...chatCompletions,
  paths: /^(?:\/v1)?\/responses$/,
  read(_path, given) {
    const { data, error } = body.safeParse(given);
    if (!data) throw new RefusedRequest(400, `Invalid '${error.issues[0]?.path.join('.')}'.`);
    const items = typeof data.input === 'string' ? [{ content: data.input }] : data.input;
    checkOutputs(items);
    return {
      model: data.model,
      isStream: data.stream ?? false,
      texts: [data.instructions ?? '', ...items.flatMap(({ content }) => textsOf(content))],
      tools: (data.tools ?? []).flatMap(({ name }) => name ?? []),
      hasToolResult: items.some((one) => 'type' in one && one.type === 'function_call_output'),
    };
  },
  answer: ({ model }, reply) => responseOf(model, reply, 'completed', itemsOf(reply)),
  events({ model }, reply) {
    const [done] = itemsOf(reply);
    const item_id = (done as { id: string }).id;
    const at = { item_id, output_index: 0 };
    const part = { type: 'output_text', text: reply.text, annotations: [], logprobs: [] };
    const text = { ...at, content_index: 0, logprobs: [] };
    const middle = reply.tool
      ? [
          {
            type: 'response.function_call_arguments.delta',
            ...at,
            delta: JSON.stringify(reply.tool.arguments),
          },
          {
            type: 'response.function_call_arguments.done',
            ...at,
            name: reply.tool.name,
            arguments: JSON.stringify(reply.tool.arguments),
          },
        ]
      : [
          { type: 'response.content_part.added', ...text, part: { ...part, text: '' } },
          ...piecesOf(reply.text).map((delta) => ({
            type: 'response.output_text.delta',
            ...text,
            delta,
          })),
          { type: 'response.output_text.done', ...text, text: reply.text },
          { type: 'response.content_part.done', ...text, part },
        ];
    const begun = reply.tool ? { ...done, arguments: '' } : { ...done, content: [] };
    return [
      { type: 'response.created', response: responseOf(model, reply, 'in_progress', []) },
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { ...begun, status: 'in_progress' },
      },
      ...middle,
      { type: 'response.output_item.done', output_index: 0, item: done },
      {
        type: 'response.completed',
        response: responseOf(model, reply, 'completed', itemsOf(reply)),
      },
    ].map((event, sequence_number) => sse({ ...event, sequence_number }, event.type));
  },
};
