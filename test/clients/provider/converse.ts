import { z } from 'zod';
import { AWS_KEY_ID, MODEL_KEY } from '../scenario.ts';
import { signerOf } from './bedrock-signature.ts';
import { idOf, RefusedRequest, type Reply, textsOf, type Wire } from './wire.ts';

const part = z.looseObject({
  text: z.string().optional(),
  toolUse: z.looseObject({ toolUseId: z.string(), name: z.string() }).optional(),
  toolResult: z
    .looseObject({ toolUseId: z.string(), content: z.array(z.looseObject({})) })
    .optional(),
});
const body = z.looseObject({
  messages: z
    .array(z.looseObject({ role: z.enum(['user', 'assistant']), content: z.array(part).min(1) }))
    .min(1),
  system: z.array(z.looseObject({ text: z.string().min(1) })).optional(),
  toolConfig: z
    .looseObject({
      tools: z
        .array(
          z.looseObject({
            toolSpec: z.looseObject({
              name: z.string().regex(/^[\w-]{1,64}$/),
              inputSchema: z.looseObject({ json: z.looseObject({}) }),
            }),
          }),
        )
        .min(1),
    })
    .optional(),
});
type Body = z.output<typeof body>;

const PATH = /^\/model\/([^/]+)\/converse$/;
/** The id of an inference profile of a region, or of a model. */
const MODEL = /^(?:(?:us|eu|apac|global)\.)?[a-z\d-]+\.[\w.-]+(?::\d+)?$/;

const invalid = (message: string): RefusedRequest => new RefusedRequest(400, message);

/**
 * Like Bedrock, requires that turns alternate, texts are not blank, and each result belongs to a
 * tool call of the previous turn.
 */
function checkConversation({ messages, toolConfig }: Body): void {
  for (const [index, { role, content }] of messages.entries()) {
    if (role !== (index % 2 === 0 ? 'user' : 'assistant'))
      throw invalid(
        index === 0
          ? 'A conversation must start with a user message. Try again with a conversation that starts with a user message.'
          : 'A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.',
      );
    for (const [at, { text, toolUse, toolResult }] of content.entries()) {
      if (text?.trim() === '')
        throw invalid(
          `The text field in the ContentBlock object at messages.${index}.content.${at} is blank. Add text to the text field, and try again.`,
        );
      if ((toolUse ?? toolResult) && !toolConfig)
        throw invalid(
          'The toolConfig field must be defined when using toolUse and toolResult content blocks.',
        );
    }
    checkResults(messages[index - 1]?.content ?? [], content, index);
  }
}

type Parts = Body['messages'][number]['content'];

function checkResults(before: Parts, content: Parts, index: number): void {
  const requestedTools = new Set(before.flatMap(({ toolUse }) => toolUse?.toolUseId ?? []));
  const given = content.flatMap(({ toolResult }) => toolResult?.toolUseId ?? []);
  if (given.some((id) => !requestedTools.has(id)))
    throw invalid(
      `The number of toolResult blocks at messages.${index}.content exceeds the number of toolUse blocks of previous turn.`,
    );
  if (requestedTools.size > given.length)
    throw invalid(
      `Expected toolResult blocks at messages.${index}.content for the following Ids: ${[...requestedTools].join(', ')}`,
    );
}

const contentOf = (reply: Reply): object[] =>
  reply.tool
    ? [
        {
          toolUse: {
            toolUseId: idOf('tooluse_', reply),
            name: reply.tool.name,
            input: reply.tool.arguments,
          },
        },
      ]
    : [{ text: reply.text }];

/** Amazon Bedrock's Converse, without streaming. */
export const converse: Wire = {
  paths: PATH,
  keyOf: (headers, url, text) =>
    signerOf(headers, url, text, MODEL_KEY) === AWS_KEY_ID ? MODEL_KEY : undefined,
  unauthorized: 403,
  modelOf: (model) => model,
  read(path, given) {
    const model = decodeURIComponent(PATH.exec(path)?.[1] ?? '');
    if (!MODEL.test(model)) throw invalid('The provided model identifier is invalid.');
    const { data, error } = body.safeParse(given);
    if (!data) throw invalid(`1 validation error detected at '${error.issues[0]?.path.join('.')}'`);
    checkConversation(data);
    const parts = data.messages.flatMap(({ content }) => content);
    const results = parts.flatMap(({ toolResult }) => toolResult ?? []);
    return {
      model,
      isStream: false,
      texts: [data.system, parts, ...results.map(({ content }) => content)].flatMap(textsOf),
      tools: (data.toolConfig?.tools ?? []).map(({ toolSpec }) => toolSpec.name),
      hasToolResult: results.length > 0,
    };
  },
  /** Cache reads and writes are counted beside the input tokens, and are part of the total. */
  answer: (_question, reply) => ({
    metrics: { latencyMs: 12 },
    output: { message: { role: 'assistant', content: contentOf(reply) } },
    stopReason: reply.tool ? 'tool_use' : 'end_turn',
    usage: {
      inputTokens: reply.usage.input - reply.usage.cacheRead - reply.usage.cacheWrite,
      cacheReadInputTokens: reply.usage.cacheRead,
      cacheWriteInputTokens: reply.usage.cacheWrite,
      outputTokens: reply.usage.output,
      totalTokens: reply.usage.input + reply.usage.output,
    },
  }),
  events: () => [],
  error: (_status, message) => ({ message }),
  errorHeaders: (status) => ({
    'x-amzn-errortype': status === 403 ? 'AccessDeniedException' : 'ValidationException',
  }),
};
