export interface ToolCall {
  name: string;
  /** JSON, or free text for tools that take text. */
  arguments: string | null;
  id: string | null;
}

export interface LlmExchange {
  /** The provider's name in the host catalog. */
  provider: string;
  operation: 'chat' | 'embeddings' | 'completion' | 'other';
  /** The model that answered, or the requested model if the response does not name one. */
  model: string | null;
  /** All input tokens, including those read from or written to a cache. */
  tokens_in: number | null;
  /** All output tokens, including reasoning. */
  tokens_out: number | null;
  /** The part of `tokens_in` that was read from a cache. */
  tokens_cached: number | null;
  /** The part of `tokens_out` that is reasoning. */
  tokens_reasoning: number | null;
  /** The part of `tokens_in` that was written to a cache. */
  tokens_cache_written: number | null;
  /** The last user message, not truncated: the caller limits it. */
  prompt: string | null;
  /** The text of the response. */
  completion: string | null;
  tools_offered: string[];
  tools_called: ToolCall[];
  finish_reason: string | null;
  /** The provider's error message. */
  error: string | null;
  response_id: string | null;
  /** The id of the conversation, session or thread, if the request or response has one. */
  conversation_id: string | null;
  /** The end user, if the request names one. */
  user: string | null;
}

export const emptyExchange: Omit<LlmExchange, 'provider' | 'operation'> = Object.freeze({
  model: null,
  tokens_in: null,
  tokens_out: null,
  tokens_cached: null,
  tokens_reasoning: null,
  tokens_cache_written: null,
  prompt: null,
  completion: null,
  tools_offered: [],
  tools_called: [],
  finish_reason: null,
  error: null,
  response_id: null,
  conversation_id: null,
  user: null,
});
