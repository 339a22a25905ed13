import Anthropic from '@anthropic-ai/sdk';
import { z } from 'zod';
import { sendAdapting } from './adapting.ts';
import { anthropicMessages } from './anthropic-messages.ts';
import { isWhole, readAnswer, said, tokens } from './answers.ts';
import type { Access, Completion, ModelRequest, Provider, TokenUsage } from './provider.ts';

const OFFICIAL = 'https://api.anthropic.com';

// The version that the library speaks takes how to sample from no model. The one before takes it from
// the models that know it.
const WITH_SAMPLING = { 'anthropic-version': '2023-06-01' };

/** Anthropic's messages. */
export function anthropicProvider({ baseUrl, apiKey, timeoutMs }: Access): Provider {
  const client = new Anthropic({
    // Each is said, because the library would else look into the environment.
    baseURL: baseUrl ?? OFFICIAL,
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
      const { answer, ignored_settings } = await sendAdapting({ ...bodyOf(request) }, (body) =>
        client.messages.create(body, options(body, signal)),
      );
      return { ...readMessage(answer), ignored_settings };
    },

    async *stream(request, signal) {
      const { answer, ignored_settings } = await sendAdapting(
        { ...bodyOf(request), stream: true as const },
        (body) => client.messages.create(body, options(body, signal)).withResponse(),
      );
      if (isWhole(answer.response)) {
        const whole = readMessage(await answer.response.json());
        yield whole.output;
        return { ...whole, ignored_settings };
      }
      let output = '';
      let usage: Usage = {};
      let finished = false;
      for await (const piece of answer.data) {
        const { type, message, delta, usage: counted } = readAnswer(streamEvent, piece);
        usage = { ...usage, ...known(message?.usage), ...known(counted) };
        if (delta) yield delta;
        output += delta ?? '';
        finished ||= type === 'message_stop';
      }
      if (!finished) throw new Error('the stream ended before the answer was complete');
      return { output, usage: countOf(usage), ignored_settings };
    },
  };
}

type Body = Omit<Anthropic.MessageCreateParamsNonStreaming, 'stream'>;

const countedUsage = z
  .object({
    input_tokens: tokens,
    output_tokens: tokens,
    cache_read_input_tokens: tokens,
    cache_creation_input_tokens: tokens,
  })
  .nullish()
  .catch(null);
type Usage = NonNullable<z.output<typeof countedUsage>>;

const wholeMessage = z.object({ content: said, usage: countedUsage });

const textDelta = z
  .object({ type: z.literal('text_delta'), text: z.string() })
  .transform(({ text }) => text);

/** Thoughts, calls of tools, and what a message's own delta tells of its end. */
const otherDelta = z
  .object({
    type: z
      .string()
      .refine((type) => type !== 'text_delta')
      .optional(),
  })
  .transform(() => '');

/** Of each kind of event what counts here. */
const streamEvent = z.object({
  type: z.string(),
  message: z.object({ usage: countedUsage }).nullish(),
  delta: z.union([textDelta, otherDelta], { error: 'expected a text' }).nullish(),
  usage: countedUsage,
});

function readMessage(answer: unknown): Pick<Completion, 'output' | 'usage'> {
  const { content, usage } = readAnswer(wholeMessage, answer);
  return { output: content, usage: countOf(usage ?? {}) };
}

/** Later counts of a stream replace the first ones, where they are there. */
const known = (usage: Usage | null | undefined): Usage =>
  Object.fromEntries(Object.entries(usage ?? {}).filter(([, value]) => typeof value === 'number'));

/** Anthropic counts what was read from and written to its cache apart from the rest. */
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
