import { hash } from 'node:crypto';
import type { PromptContent } from '#contract/prompt-content.ts';

/**
 * Returns the SHA-256 of a prompt's content, in hexadecimal: of the UTF-8 of a text, or of the JSON
 * of a chat with sorted keys and without spaces. It covers only the content, so that the same
 * content always has the same hash.
 */
export const contentHash = (content: PromptContent): string =>
  hash('sha256', typeof content === 'string' ? content : canonicalJson(content));

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`);
  return `{${members.join(',')}}`;
}
