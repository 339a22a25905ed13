import { ApiError } from '#contract/errors.ts';
import type { ChatMessage } from '#contract/prompt-content.ts';
import type { Config } from '../../config.ts';
import type { Settings } from './settings.ts';

export interface ModelRequest {
  model: string;
  messages: ChatMessage[];
  temperature: number;
  max_tokens: number;
  /** Under the provider's own names. */
  settings: Settings;
}

export interface Completion {
  output: string;
  usage: TokenUsage;
  /** Settings that the model rejected. */
  ignored_settings: string[];
}

/** Token counts from the provider; cached tokens are part of `tokens_in`. */
export interface TokenUsage {
  tokens_in: number;
  tokens_out: number;
  cache_read_tokens: number;
  cache_write_tokens: number;
}

/** A model provider. Both methods throw the library's errors unchanged. */
export interface Provider {
  complete(request: ModelRequest, signal: AbortSignal): Promise<Completion>;
  /** Yields chunks of the output; returns the whole completion. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<string, Completion>;
}

/** The connection to a provider. The key is optional. */
export interface Access {
  baseUrl: string | undefined;
  apiKey: string | undefined;
  timeoutMs: number;
}

/**
 * The configured provider. The libraries are loaded on first use: at startup they would cost half a
 * second and fifty megabytes.
 *
 * @throws ApiError `bad_request` naming the missing setting
 */
export async function openProvider({ llm }: Config): Promise<Provider> {
  // Longer than the deadline of a request, which has its own error.
  const access = { ...llm, timeoutMs: llm.timeoutSeconds * 2000 };
  if (llm.provider === 'anthropic') {
    if (!llm.apiKey) throw notConfigured('LLM_API_KEY is not set');
    return (await import('./anthropic.ts')).anthropicProvider(access);
  }
  // A local model server often needs no key.
  if (!llm.apiKey && !llm.baseUrl)
    throw notConfigured('neither LLM_API_KEY nor, for a server without a key, LLM_BASE_URL is set');
  return (await import('./openai.ts')).openAiProvider(access);
}

const notConfigured = (reason: string): ApiError =>
  new ApiError('bad_request', `no model provider is configured: ${reason}`);
