import { isObject } from './json-fields.ts';

const LOGPROBS: ReadonlySet<string> = new Set(['logprobs', 'logprobsResult']);

/**
 * The value without log probabilities. They hold the text of an answer once more, token by token:
 * in such pieces no secret is found.
 */
export function withoutLogprobs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutLogprobs);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      LOGPROBS.has(name) ? null : withoutLogprobs(inner),
    ]),
  );
}
