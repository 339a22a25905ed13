import { ApiError } from '#contract/errors.ts';
import type { ChatMessage } from '#contract/prompt-content.ts';
import type { Config } from '../../config.ts';
import type { Settings } from './settings.ts';

export interface ModelRequest {
  model: string;
  messages: ChatMessage[];
  temperature: number;
  max_tokens: number;
  /** In the provider's words. */
  settings: Settings;
}

export interface Completion {
  output: string;
  usage: TokenUsage;
  /** What the model refused to be told. */
  ignored_settings: string[];
}

/** Tokens as the provider counted them; those of a cache are part of `tokens_in`. */
export interface TokenUsage {
  tokens_in: number;
  tokens_out: number;
  cache_read_tokens: number;
  cache_write_tokens: number;
}

/** Whoever runs the models. Both throw whatever the library throws. */
export interface Provider {
  complete(request: ModelRequest, signal: AbortSignal): Promise<Completion>;
  /** Yields pieces of the output; returns the whole. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<string, Completion>;
}

/** How to reach a provider. Without a key none is sent. */
export interface Access {
  baseUrl: string | undefined;
  apiKey: string | undefined;
  timeoutMs: number;
}

/**
 * The configured provider. The libraries are loaded when they are first needed: they would cost
 * every start half a second and fifty megabytes.
 *
 * @throws ApiError `bad_request` naming the setting that is missing
 */
export async function openProvider({ llm }: Config): Promise<Provider> {
  // Later than the deadline of an attempt, which tells its own error.
  const access = { ...llm, timeoutMs: llm.timeoutSeconds * 2000 };
  if (llm.provider === 'anthropic') {
    if (!llm.apiKey) throw notConfigured('LLM_API_KEY is not set');
    return (await import('./anthropic.ts')).anthropicProvider(access);
  }
  // A model server on one's own machine often wants no key.
  if (!llm.apiKey && !llm.baseUrl)
    throw notConfigured('LLM_API_KEY is not set, nor LLM_BASE_URL for a server that needs no key');
  return (await import('./openai.ts')).openAiProvider(access);
}

const notConfigured = (what: string): ApiError =>
  new ApiError('bad_request', `the playground has no model provider: ${what}`);
