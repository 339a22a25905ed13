import OpenAI from 'openai';
import type { Chat } from 'openai/resources';
import { z } from 'zod';
import { sendWithFallback } from './adapting.ts';
import { isWhole, readAnswer, outputText, tokens } from './answers.ts';
import type { Access, Completion, ModelRequest, Provider, TokenUsage } from './provider.ts';

const DEFAULT_BASE_URL = 'https://api.openai.com/v1';

/** OpenAI, and all servers compatible with its Chat Completions API. */
export function openAiProvider({ baseUrl, apiKey, timeoutMs }: Access): Provider {
  const client = new OpenAI({
    // All are set explicitly, because the library would read missing ones from the environment.
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
  // OpenAI's newest models reject the old name; older servers ignore the new one.
  const limit = baseUrl ? 'max_tokens' : 'max_completion_tokens';
  const bodyOf = ({ max_tokens, settings, ...request }: ModelRequest) => ({
    ...request,
    ...settings,
    // Parts other than text are provider-specific and passed through.
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
      if (isWhole(answer.response)) {
        const whole = readCompletion(await answer.response.json());
        yield whole.output;
        return { ...whole, ignored_settings };
      }
      let output = '';
      let usage: z.output<typeof countedUsage>;
      let finished = false;
      for await (const piece of answer.data) {
        const { choices, usage: counted } = readAnswer(chunk, piece);
        const choice = choices?.[0];
        const delta = textOf(choice?.delta);
        if (delta) yield delta;
        output += delta;
        usage = counted ?? usage;
        finished ||= Boolean(choice?.finish_reason);
      }
      if (!finished) throw new Error('the stream ended before the response was complete');
      return { output, usage: countOf(usage), ignored_settings };
    },
  };
}

const message = z.object({ content: outputText.nullish(), refusal: z.string().nullish() });
const countedUsage = z
  .object({
    prompt_tokens: tokens,
    completion_tokens: tokens,
    prompt_tokens_details: z.object({ cached_tokens: tokens }).nullish().catch(null),
  })
  .nullish()
  .catch(null);

const completion = z.object({
  choices: z.tuple([z.object({ message })], z.unknown()),
  usage: countedUsage,
});

/** The last chunk has no choices; some servers omit the list altogether. */
const chunk = z.object({
  choices: z
    .array(z.object({ delta: message.nullish(), finish_reason: z.unknown().optional() }))
    .nullish(),
  usage: countedUsage,
});

function readCompletion(answer: unknown): Pick<Completion, 'output' | 'usage'> {
  const { choices, usage } = readAnswer(completion, answer);
  return { output: textOf(choices[0].message), usage: countOf(usage) };
}

const textOf = (output: z.output<typeof message> | null | undefined): string =>
  output?.content ?? output?.refusal ?? '';

/** Servers that do not count report no usage. */
const countOf = (usage: z.output<typeof countedUsage>): TokenUsage => ({
  tokens_in: usage?.prompt_tokens ?? 0,
  tokens_out: usage?.completion_tokens ?? 0,
  cache_read_tokens: usage?.prompt_tokens_details?.cached_tokens ?? 0,
  cache_write_tokens: 0,
});
