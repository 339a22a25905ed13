import OpenAI from 'openai';
import type { Chat } from 'openai/resources';
import { sendAdapting } from './adapting.ts';
import type { Access, ModelRequest, Provider, TokenUsage } from './provider.ts';

const OFFICIAL = 'https://api.openai.com/v1';

/** OpenAI, and all servers that speak its chat completions. */
export function openAiProvider({ baseUrl, apiKey, timeoutMs }: Access): Provider {
  const client = new OpenAI({
    // Each is said, because the library would else look into the environment.
    baseURL: baseUrl ?? OFFICIAL,
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
  // OpenAI's newest models refuse the old name, older servers ignore the new one.
  const limit = baseUrl ? 'max_tokens' : 'max_completion_tokens';
  const bodyOf = ({ max_tokens, settings, ...request }: ModelRequest) => ({
    ...request,
    ...settings,
    // Parts that are no text have the provider's own shapes: what it makes of them is its to say.
    messages: request.messages as Chat.ChatCompletionMessageParam[],
    [limit]: max_tokens,
  });

  return {
    async complete(request, signal) {
      const { answer, ignored_settings } = await sendAdapting(bodyOf(request), (body) =>
        client.chat.completions.create(body, { signal }),
      );
      const message = answer.choices[0]?.message;
      const output = message?.content ?? message?.refusal ?? '';
      return { output, usage: countOf(answer.usage), ignored_settings };
    },

    async *stream(request, signal) {
      const { answer, ignored_settings } = await sendAdapting(
        { ...bodyOf(request), stream: true as const, stream_options: { include_usage: true } },
        (body) => client.chat.completions.create(body, { signal }),
      );
      let output = '';
      let usage: OpenAI.CompletionUsage | null | undefined;
      let finished = false;
      for await (const chunk of answer) {
        const choice = chunk.choices[0];
        const delta = choice?.delta?.content ?? choice?.delta?.refusal;
        if (delta) yield delta;
        output += delta ?? '';
        usage = chunk.usage ?? usage;
        finished ||= Boolean(choice?.finish_reason);
      }
      if (!finished) throw new Error('the stream ended before the answer was complete');
      return { output, usage: countOf(usage), ignored_settings };
    },
  };
}

/** Servers that do not count tell nothing. */
const countOf = (usage: OpenAI.CompletionUsage | null | undefined): TokenUsage => ({
  tokens_in: usage?.prompt_tokens ?? 0,
  tokens_out: usage?.completion_tokens ?? 0,
  cache_read_tokens: usage?.prompt_tokens_details?.cached_tokens ?? 0,
  cache_write_tokens: 0,
});
