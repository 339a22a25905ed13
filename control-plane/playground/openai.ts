import OpenAI from 'openai';
import type { Chat } from 'openai/resources';
import { z } from 'zod';
import type { PlaygroundToolCall } from '#contract/playground.ts';
import {
  type Access,
  type Completion,
  type ModelRequest,
  type Provider,
  type TokenUsage,
} from './model-provider.ts';
import { sendWithFallback } from './send-with-fallback.ts';
import {
  isJsonResponse,
  readProviderResponse,
  outputText,
  tokenCount,
} from './provider-responses.ts';

const DEFAULT_BASE_URL = 'https://api.openai.com/v1';

/** Creates a provider for OpenAI and all servers compatible with its Chat Completions API. */
export function openAiProvider({ baseUrl, apiKey, timeoutMs }: Access): Provider {
  const client = new OpenAI({
    // All options are set explicitly, because the library would read missing ones from the
    // environment.
    baseURL: baseUrl ?? DEFAULT_BASE_URL,
    apiKey: apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    defaultHeaders: apiKey ? {} : { Authorization: null },
    timeout: timeoutMs,
    maxRetries: 0,
    logLevel: 'off',
  });
  // OpenAI's newest models reject the old name, and older servers ignore the new one.
  const limit = baseUrl ? 'max_tokens' : 'max_completion_tokens';
  const bodyOf = ({ max_tokens, settings, ...request }: ModelRequest) => ({
    ...request,
    // Tools and the response format are checked by the provider.
    ...(settings as SentSettings),
    // Parts other than text are specific to the provider and are passed through.
    messages: request.messages as Chat.ChatCompletionMessageParam[],
    [limit]: max_tokens,
  });

  return {
    async complete(request, signal) {
      const { answer, ignored_settings } = await sendWithFallback(bodyOf(request), (body) =>
        client.chat.completions.create(body, { signal }),
      );
      return { ...readCompletion(answer), ignored_settings };
    },

    async *stream(request, signal) {
      const { answer, ignored_settings } = await sendWithFallback(
        { ...bodyOf(request), stream: true as const, stream_options: { include_usage: true } },
        (body) => client.chat.completions.create(body, { signal }).withResponse(),
      );
      if (isJsonResponse(answer.response)) {
        const whole = readCompletion(await answer.response.json());
        yield whole.output;
        return { ...whole, ignored_settings };
      }
      let output = '';
      const toolCalls = new Map<number, PlaygroundToolCall>();
      let usage: z.output<typeof countedUsage>;
      let finished = false;
      for await (const piece of answer.data) {
        const { choices, usage: counted } = readProviderResponse(chunk, piece);
        const choice = choices?.[0];
        const delta = textOf(choice?.delta);
        if (delta) yield delta;
        output += delta;
        addToolCalls(toolCalls, choice?.delta);
        usage = counted ?? usage;
        finished ||= Boolean(choice?.finish_reason);
      }
      if (!finished) throw new Error('the stream ended before the response was complete');
      const tool_calls = [...toolCalls.values()];
      return { output, tool_calls, usage: countOf(usage), ignored_settings };
    },

    async listModels(signal) {
      const page = await client.models.list({ signal });
      return readProviderResponse(modelList, { data: page.data }).data.map(({ id }) => id);
    },
  };
}

type SentSettings = Pick<
  Chat.ChatCompletionCreateParamsNonStreaming,
  'top_p' | 'stop' | 'seed' | 'frequency_penalty' | 'presence_penalty' | 'tools' | 'response_format'
>;

const modelList = z.object({ data: z.array(z.object({ id: z.string() })) });

/**
 * A part of a tool call. In streams, a call comes in parts with the same index, and only the first
 * one has id and name.
 */
const toolCall = z.object({
  index: z.int().nullish(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
});
const message = z.object({
  content: outputText.nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(toolCall).nullish(),
});
type OutputMessage = z.output<typeof message>;

function addToolCalls(
  calls: Map<number, PlaygroundToolCall>,
  output: OutputMessage | null | undefined,
): void {
  for (const [at, piece] of (output?.tool_calls ?? []).entries()) {
    const index = piece.index ?? at;
    const call = calls.get(index) ?? { id: '', name: '', arguments: '' };
    calls.set(index, {
      id: call.id || (piece.id ?? ''),
      name: call.name || (piece.function?.name ?? ''),
      arguments: call.arguments + (piece.function?.arguments ?? ''),
    });
  }
}
const countedUsage = z
  .object({
    prompt_tokens: tokenCount,
    completion_tokens: tokenCount,
    prompt_tokens_details: z.object({ cached_tokens: tokenCount }).nullish().catch(null),
  })
  .nullish()
  .catch(null);

const completion = z.object({
  choices: z.tuple([z.object({ message })], z.unknown()),
  usage: countedUsage,
});

/** A chunk of a stream. The last one has no choices, and some servers omit the list altogether. */
const chunk = z.object({
  choices: z
    .array(z.object({ delta: message.nullish(), finish_reason: z.unknown().optional() }))
    .nullish(),
  usage: countedUsage,
});

function readCompletion(answer: unknown): Omit<Completion, 'ignored_settings'> {
  const { choices, usage } = readProviderResponse(completion, answer);
  const calls = new Map<number, PlaygroundToolCall>();
  addToolCalls(calls, choices[0].message);
  return {
    output: textOf(choices[0].message),
    tool_calls: [...calls.values()],
    usage: countOf(usage),
  };
}

const textOf = (output: OutputMessage | null | undefined): string =>
  output?.content ?? output?.refusal ?? '';

/** Returns the usage. Servers that do not count tokens report none. */
const countOf = (usage: z.output<typeof countedUsage>): TokenUsage => ({
  tokens_in: usage?.prompt_tokens ?? 0,
  tokens_out: usage?.completion_tokens ?? 0,
  cache_read_tokens: usage?.prompt_tokens_details?.cached_tokens ?? 0,
  cache_write_tokens: 0,
});
