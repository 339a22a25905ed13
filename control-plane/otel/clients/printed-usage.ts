import type { Attributes, Json } from '../attributes.ts';
import { definedMembers } from './client.ts';

/**
 * Matches a number as printed by Python in objects (`cached_tokens=3`) and dictionaries
 * (`'cached_tokens': 3`).
 */
const numberOf = (names: string): RegExp => new RegExp(`\\b(?:${names})['"]?\\s*[=:]\\s*(\\d+)`);
const USAGE = /\busage['"]?\s*[=:]/g;
const CACHED = numberOf('cached_tokens');
const WRITTEN = numberOf('cache_creation_tokens');
const REASONING = numberOf('reasoning_tokens');

/**
 * Reads the provider's details of the usage from a text that Python printed. The text before the
 * usage may come from the model and look like usage, so it is skipped.
 */
export function printedUsage(text: Json | undefined): Attributes {
  if (typeof text !== 'string') return {};
  const printed = text.slice([...text.matchAll(USAGE)].at(-1)?.index ?? 0);
  return definedMembers({
    'llm.token_count.prompt_details.cache_read': CACHED.exec(printed)?.[1],
    'llm.token_count.prompt_details.cache_write': WRITTEN.exec(printed)?.[1],
    'llm.token_count.completion_details.reasoning': REASONING.exec(printed)?.[1],
  });
}
