export interface ToolCall {
  name: string;
  /** JSON, or whatever text the tool takes. */
  arguments: string | null;
  id: string | null;
}

export interface LlmExchange {
  /** As the host catalog names it. */
  provider: string;
  operation: 'chat' | 'embeddings' | 'completion' | 'other';
  /** The one that answered, or else the one that was asked. */
  model: string | null;
  /** All of the prompt: with what was read from a cache, and what was written to one. */
  tokens_in: number | null;
  /** With those of reasoning. */
  tokens_out: number | null;
  /** Of the tokens in, those read from a cache. */
  tokens_cached: number | null;
  /** Of the tokens out. */
  tokens_reasoning: number | null;
  /** Of the tokens in. */
  tokens_cache_written: number | null;
  /** What the user said last; whole, so the caller bounds it. */
  prompt: string | null;
  /** The text of the answer. */
  completion: string | null;
  tools_offered: string[];
  tools_called: ToolCall[];
  finish_reason: string | null;
  /** The provider's own words. */
  error: string | null;
  response_id: string | null;
  /** Of the conversation, session or thread, where the request or the answer names one. */
  conversation_id: string | null;
  /** The end user, where the request names one. */
  user: string | null;
}

export const nothingKnown: Omit<LlmExchange, 'provider' | 'operation'> = Object.freeze({
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
