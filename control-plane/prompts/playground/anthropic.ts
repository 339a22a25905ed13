import Anthropic from '@anthropic-ai/sdk';
import { sendAdapting } from './adapting.ts';
import { anthropicMessages } from './anthropic-messages.ts';
import type { Access, ModelRequest, Provider, TokenUsage } from './provider.ts';

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
      const output = answer.content.map((block) => (block.type === 'text' ? block.text : ''));
      return { output: output.join(''), usage: countOf(answer.usage), ignored_settings };
    },

    async *stream(request, signal) {
      const { answer, ignored_settings } = await sendAdapting(
        { ...bodyOf(request), stream: true as const },
        (body) => client.messages.create(body, options(body, signal)),
      );
      let output = '';
      let usage: Partial<Anthropic.Usage> = {};
      let finished = false;
      for await (const event of answer) {
        if (event.type === 'message_start') usage = { ...event.message.usage };
        if (event.type === 'message_delta') usage = { ...usage, ...known(event.usage) };
        if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') {
          output += event.delta.text;
          yield event.delta.text;
        }
        finished ||= event.type === 'message_stop';
      }
      if (!finished) throw new Error('the stream ended before the answer was complete');
      return { output, usage: countOf(usage), ignored_settings };
    },
  };
}

type Body = Omit<Anthropic.MessageCreateParamsNonStreaming, 'stream'>;

/** Later counts of a stream replace the first ones, where they are there. */
const known = (usage: Anthropic.MessageDeltaUsage) =>
  Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null));

/** Anthropic counts what was read from and written to its cache apart from the rest. */
function countOf(usage: Partial<Anthropic.Usage>): TokenUsage {
  const cache_read_tokens = usage.cache_read_input_tokens ?? 0;
  const cache_write_tokens = usage.cache_creation_input_tokens ?? 0;
  return {
    tokens_in: (usage.input_tokens ?? 0) + cache_read_tokens + cache_write_tokens,
    tokens_out: usage.output_tokens ?? 0,
    cache_read_tokens,
    cache_write_tokens,
  };
}
