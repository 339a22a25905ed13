import type { PlaygroundToolCall } from '#contract/playground.ts';
import type { ChatMessage } from '#contract/prompt-content.ts';
import type { Settings } from './settings.ts';

export interface ModelRequest {
  model: string;
  messages: ChatMessage[];
  temperature: number;
  max_tokens: number;
  /** The settings under the provider's own names. */
  settings: Settings;
}

export interface Completion {
  output: string;
  tool_calls: PlaygroundToolCall[];
  usage: TokenUsage;
  /** Settings that the model rejected. */
  ignored_settings: string[];
}

/** Token counts from the provider. Cached tokens are part of `tokens_in`. */
export interface TokenUsage {
  tokens_in: number;
  tokens_out: number;
  cache_read_tokens: number;
  cache_write_tokens: number;
}

/** A model provider. The methods throw the library's errors unchanged. */
export interface Provider {
  complete(request: ModelRequest, signal: AbortSignal): Promise<Completion>;
  /** Yields chunks of the output, and returns the whole completion. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<string, Completion>;
  /** Returns the ids of the models that the provider lists. */
  listModels(signal: AbortSignal): Promise<string[]>;
}

/** The connection to a provider. The key is optional. */
export interface Access {
  baseUrl: string | undefined;
  apiKey: string | undefined;
  timeoutMs: number;
}
