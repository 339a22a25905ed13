import { observeCreate, type Watch } from './observe-create.ts';
import type { WrapOptions } from './options.ts';
import { chatCompletionReader, embeddingReader, field, responseReader } from './readers.ts';
import { watcherOf } from './watcher.ts';

export interface WrapOpenAIOptions extends WrapOptions {
  /**
   * Requests token counts of streamed responses, which otherwise have none. Default: true for
   * api.openai.com; other endpoints may reject the option.
   */
  streamUsage?: boolean;
}

/**
 * Records the chat completions, responses and embeddings of an OpenAI client as LLM calls. Modifies
 * the client in place and returns it.
 */
export function wrapOpenAI<T extends object>(client: T, options: WrapOpenAIOptions = {}): T {
  const provider = options.provider ?? providerAt(field(client, 'baseURL'));
  const { streamUsage = provider === 'openai' } = options;
  const watching = watcherOf({ ...options, ...(provider && { provider }) });
  observeCreate(field(client, 'chat', 'completions'), (body) => {
    const watch = watching(body, chatCompletionReader(body));
    return streamUsage ? withStreamUsage(watch) : watch;
  });
  observeCreate(field(client, 'responses'), (body) => watching(body, responseReader(body)));
  observeCreate(field(client, 'embeddings'), (body) => watching(body, embeddingReader(body)));
  return client;
}

function withStreamUsage(watch: Watch): Watch {
  if (field(watch.body, 'stream') !== true || field(watch.body, 'stream_options')) return watch;
  return {
    ...watch,
    body: { ...watch.body, stream_options: { include_usage: true } },
    // Usage is sent in a chunk without choices, which programs that did not request it may not expect.
    hides: (event) => {
      const choices = field(event, 'choices');
      return Array.isArray(choices) && choices.length === 0 && Boolean(field(event, 'usage'));
    },
  };
}

function providerAt(baseUrl: unknown): string | undefined {
  if (typeof baseUrl !== 'string' || !URL.canParse(baseUrl)) return undefined;
  const { hostname } = new URL(baseUrl);
  if (hostname === 'api.openai.com') return 'openai';
  return hostname.endsWith('.openai.azure.com') ? 'azure' : undefined;
}
