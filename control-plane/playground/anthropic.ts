import Anthropic from '@anthropic-ai/sdk';
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
import { anthropicMessages } from './anthropic-messages.ts';
import {
  isJsonResponse,
  readProviderResponse,
  outputText,
  tokenCount,
} from './provider-responses.ts';

const DEFAULT_BASE_URL = 'https://api.anthropic.com';

// The API version that the library uses by default accepts no sampling settings. The previous
// version accepts them for models that support them.
const WITH_SAMPLING = { 'anthropic-version': '2023-06-01' };

/** Anthropic's Messages API. */
export function anthropicProvider({ baseUrl, apiKey, timeoutMs }: Access): Provider {
  const client = new Anthropic({
    // All options are set explicitly, because the library would read missing ones from the
    // environment.
    baseURL: baseUrl ?? DEFAULT_BASE_URL,
    apiKey: apiKey ?? null,
    webhookKey: null,
    timeout: timeoutMs,
    maxRetries: 0,
    logLevel: 'off',
  });
  const options = (body: object, signal: AbortSignal) => ({
    signal,
    headers: 'temperature' in body || 'top_p' in body ? WITH_SAMPLING : {},
  });
  const bodyOf = ({ messages, settings, ...request }: ModelRequest) =>
    ({ ...request, ...settings, ...anthropicMessages(messages) }) as ModelRequest & Body;

  return {
    async complete(request, signal) {
      const { answer, ignored_settings } = await sendWithFallback({ ...bodyOf(request) }, (body) =>
        client.messages.create(body, options(body, signal)),
      );
      return { ...readMessage(answer), ignored_settings };
    },

    async *stream(request, signal) {
      const { answer, ignored_settings } = await sendWithFallback(
        { ...bodyOf(request), stream: true as const },
        (body) => client.messages.create(body, options(body, signal)).withResponse(),
      );
      if (isJsonResponse(answer.response)) {
        const whole = readMessage(await answer.response.json());
        yield whole.output;
        return { ...whole, ignored_settings };
      }
      let output = '';
      const toolCalls = new Map<number, PlaygroundToolCall>();
      let usage: Usage = {};
      let finished = false;
      for await (const piece of answer.data) {
        const { type, message, delta, usage: counted } = readProviderResponse(streamEvent, piece);
        addToolUse(toolCalls, piece);
        usage = { ...usage, ...definedCounts(message?.usage), ...definedCounts(counted) };
        if (delta) yield delta;
        output += delta ?? '';
        finished ||= type === 'message_stop';
      }
      if (!finished) throw new Error('the stream ended before the response was complete');
      const tool_calls = [...toolCalls.values()].map(withArguments);
      return { output, tool_calls, usage: countOf(usage), ignored_settings };
    },

    async listModels(signal) {
      const page = await client.models.list({ limit: 1000 }, { signal });
      return readProviderResponse(modelList, { data: page.data }).data.map(({ id }) => id);
    },
  };
}

type Body = Omit<Anthropic.MessageCreateParamsNonStreaming, 'stream'>;

const countedUsage = z
  .object({
    input_tokens: tokenCount,
    output_tokens: tokenCount,
    cache_read_input_tokens: tokenCount,
    cache_creation_input_tokens: tokenCount,
  })
  .nullish()
  .catch(null);
type Usage = NonNullable<z.output<typeof countedUsage>>;

const modelList = z.object({ data: z.array(z.object({ id: z.string() })) });

const wholeMessage = z.object({ content: outputText, usage: countedUsage });

const toolUse = z.object({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.unknown(),
});
const blocks = z.object({ content: z.array(z.unknown()) });

/** Returns the tool calls. Other blocks are read as text elsewhere. */
function toolCallsOf(answer: unknown): PlaygroundToolCall[] {
  return (blocks.safeParse(answer).data?.content ?? []).flatMap((block) => {
    const { data } = toolUse.safeParse(block);
    return data ? [{ id: data.id, name: data.name, arguments: JSON.stringify(data.input) }] : [];
  });
}

const toolStart = z.object({
  type: z.literal('content_block_start'),
  index: z.int(),
  content_block: toolUse,
});
const toolPiece = z.object({
  type: z.literal('content_block_delta'),
  index: z.int(),
  delta: z.object({ type: z.literal('input_json_delta'), partial_json: z.string() }),
});

/**
 * Reads a tool call from a stream, which first announces the tool and then sends its input in
 * pieces of JSON.
 */
function addToolUse(calls: Map<number, PlaygroundToolCall>, event: unknown): void {
  const start = toolStart.safeParse(event).data;
  if (start) {
    const { id, name } = start.content_block;
    calls.set(start.index, { id, name, arguments: '' });
  }
  const piece = toolPiece.safeParse(event).data;
  const call = piece && calls.get(piece.index);
  if (call) call.arguments += piece.delta.partial_json;
}

/** Completes a call. A tool without input has no pieces. */
const withArguments = (call: PlaygroundToolCall): PlaygroundToolCall => ({
  ...call,
  arguments: call.arguments || '{}',
});

const textDelta = z
  .object({ type: z.literal('text_delta'), text: z.string() })
  .transform(({ text }) => text);

/** Reasoning, tool calls, and the final delta of a message. */
const otherDelta = z
  .object({
    type: z
      .string()
      .refine((type) => type !== 'text_delta')
      .optional(),
  })
  .transform(() => '');

/** The fields that are used, of all kinds of events. */
const streamEvent = z.object({
  type: z.string(),
  message: z.object({ usage: countedUsage }).nullish(),
  delta: z.union([textDelta, otherDelta], { error: 'expected a text' }).nullish(),
  usage: countedUsage,
});

function readMessage(answer: unknown): Omit<Completion, 'ignored_settings'> {
  const { content, usage } = readProviderResponse(wholeMessage, answer);
  return { output: content, tool_calls: toolCallsOf(answer), usage: countOf(usage ?? {}) };
}

/**
 * Returns the counts that are present. Later counts of a stream replace earlier ones, but missing
 * ones do not.
 */
const definedCounts = (usage: Usage | null | undefined): Usage =>
  Object.fromEntries(Object.entries(usage ?? {}).filter(([, value]) => typeof value === 'number'));

/** Returns the usage. Anthropic does not include cached tokens in `input_tokens`. */
function countOf(usage: Usage): TokenUsage {
  const cache_read_tokens = usage.cache_read_input_tokens ?? 0;
  const cache_write_tokens = usage.cache_creation_input_tokens ?? 0;
  return {
    tokens_in: (usage.input_tokens ?? 0) + cache_read_tokens + cache_write_tokens,
    tokens_out: usage.output_tokens ?? 0,
    cache_read_tokens,
    cache_write_tokens,
  };
}
