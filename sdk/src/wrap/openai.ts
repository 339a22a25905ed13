import type { CallObservation } from './call-observation.ts';
import { field } from './call-reader.ts';
import { observeCopies, observeMethod, type WrapOptions, callObserver } from './observe-method.ts';
import { chatCompletionReader, embeddingReader, responseReader } from './openai-readers.ts';
import { providerAt } from './provider-at.ts';

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
  const watching = callObserver({ ...options, ...(provider && { provider }) });
  observeMethod(field(client, 'chat', 'completions'), 'create', (body) => {
    const watch = watching(body, chatCompletionReader(body));
    return streamUsage ? withStreamUsage(watch) : watch;
  });
  observeMethod(field(client, 'responses'), 'create', (body) =>
    watching(body, responseReader(body)),
  );
  observeMethod(field(client, 'embeddings'), 'create', (body) =>
    watching(body, embeddingReader(body)),
  );
  observeCopies(client, (copy) => wrapOpenAI(copy, options));
  return client;
}

function withStreamUsage(watch: CallObservation): CallObservation {
  if (field(watch.body, 'stream') !== true || field(watch.body, 'stream_options')) return watch;
  return {
    ...watch,
    body: { ...watch.body, stream_options: { include_usage: true } },
    // Usage is sent in a chunk without choices, which programs that did not request it may not
    // expect.
    isHidden: (event) => {
      const choices = field(event, 'choices');
      return Array.isArray(choices) && choices.length === 0 && Boolean(field(event, 'usage'));
    },
  };
}
