import { isObject } from './json-fields.ts';

const LOGPROBS: ReadonlySet<string> = new Set(['logprobs', 'logprobsResult']);

/**
 * JSON text of the value without log probabilities. They hold the text of an answer once more,
 * token by token: in such pieces no secret is found.
 *
 * @param text that the value was read from; it stays as it is where it holds none
 */
export function textWithoutLogprobs(value: unknown, text: string = JSON.stringify(value)): string {
  return text.includes('"logprobs') ? JSON.stringify(without(value)) : text;
}

function without(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(without);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      LOGPROBS.has(name) ? null : without(inner),
    ]),
  );
}
