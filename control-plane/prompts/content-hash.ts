import { hash } from 'node:crypto';
import type { PromptContent } from '#contract/prompt-content.ts';

/**
 * SHA-256 in hexadecimal of what a prompt says: of a text its UTF-8, of a chat its JSON with sorted
 * keys and no spaces. It covers the content alone, so it is the same wherever and whenever made.
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
