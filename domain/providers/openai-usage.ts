import type { LlmExchange } from './exchange.ts';
import { countOf, field, sumOf } from './json-fields.ts';

type Tokens = Pick<
  LlmExchange,
  'tokens_in' | 'tokens_out' | 'tokens_cached' | 'tokens_reasoning' | 'tokens_cache_written'
>;

/** The first of these members that is a number. */
const first = (usage: unknown, ...paths: readonly string[]): number | null => {
  for (const path of paths) {
    const count = countOf(field(usage, ...path.split('.')));
    if (count !== null) return count;
  }
  return null;
};

/**
 * Reads usage in the formats of Chat Completions, of Responses, and of compatible APIs. Input
 * counts include cached tokens.
 */
export function openAiTokens(usage: unknown): Tokens {
  const tokensIn = first(usage, 'prompt_tokens', 'input_tokens');
  const tokensOut = first(usage, 'completion_tokens', 'output_tokens');
  const reasoning = first(
    usage,
    'completion_tokens_details.reasoning_tokens',
    'output_tokens_details.reasoning_tokens',
  );
  // xAI counts reasoning in addition to the completion, but within the total. OpenAI counts it
  // within the completion.
  const isBeside = reasoning !== null && totalOf(usage) === sumOf(tokensIn, tokensOut, reasoning);
  return {
    tokens_in: tokensIn,
    tokens_out: isBeside ? sumOf(tokensOut, reasoning) : tokensOut,
    tokens_reasoning: reasoning,
    tokens_cached: first(
      usage,
      'prompt_tokens_details.cached_tokens',
      'input_tokens_details.cached_tokens',
      'input_token_details.cached_tokens',
      // DeepSeek, then Moonshot.
      'prompt_cache_hit_tokens',
      'cached_tokens',
    ),
    tokens_cache_written: first(
      usage,
      'prompt_tokens_details.cache_write_tokens',
      'input_tokens_details.cache_write_tokens',
      // LiteLLM in front of Anthropic.
      'prompt_tokens_details.cache_creation_tokens',
      'cache_creation_input_tokens',
    ),
  };
}

const totalOf = (usage: unknown): number | null => countOf(field(usage, 'total_tokens'));
