import type { Attributes, Json } from './attributes.ts';
import { fieldOf, parsed } from './field.ts';
import { isObject } from './messages/read-message.ts';
import type { Field } from './attribute-aliases.ts';

type Numbers = ReadonlyMap<string, number>;

/**
 * Reads token usage in the form of Langfuse's clients, one object: `{"input": 60,
 * "input_cached_tokens": 40, "output": 12, "output_reasoning_tokens": 8, "total": 120}`. The
 * entries do not overlap, unless the total is just the sum of input and output.
 */
export function usageDetailsOf(attributes: Attributes, most: number) {
  const numbers = numbersOf(attributes, 'usageDetails', most);
  if (!numbers) return undefined;
  const sum = (names: RegExp): number => sumOf(numbers, names);
  const input = sum(/^(?:input|prompt)(?:_?tokens)?$/i);
  const output = sum(/^(?:output|completion)(?:_?tokens)?$/i);
  const total = sum(/^total/i);
  const isWhole = total > 0 && total === input + output;
  return {
    tokensIn: isWhole ? input : sum(/^(?:input|prompt|cache)/i),
    tokensOut: isWhole ? output : sum(/^(?:output|completion)/i),
    cacheRead: sum(/^(?!.*(?:creation|write)).*cache/i),
    cacheWrite: sum(/cache.*(?:creation|write)|(?:creation|write).*cache/i),
    reasoning: sum(/reasoning/i),
  };
}

/**
 * Reads the cost in USD in the form of Langfuse's clients: `{"input": 0.001, "output": 0.002,
 * "total": 0.003}`.
 */
export function costDetailsOf(attributes: Attributes, most: number): number | undefined {
  const numbers = numbersOf(attributes, 'costDetails', most);
  if (!numbers) return undefined;
  return numbers.get('total') || sumOf(numbers, /^(?!total$|part of )/);
}

function numbersOf(attributes: Attributes, field: Field, most: number): Numbers | undefined {
  const details = parsed(fieldOf(attributes, field));
  if (typeof details !== 'object' || details === null || Array.isArray(details)) return undefined;
  const isAmount = (entry: [string, Json]): entry is [string, number] =>
    typeof entry[1] === 'number' && entry[1] >= 0 && entry[1] <= most;
  const numbers = new Map(flat(details).filter(isAmount));
  return numbers.size > 0 ? numbers : undefined;
}

/**
 * Flattens usage in the form of OpenAI, in which the parts of the input and of the output are
 * nested objects: `prompt_tokens_details.cached_tokens`.
 */
const flat = (details: { [key: string]: Json }): [string, Json][] =>
  Object.entries(details).flatMap(([name, value]): [string, Json][] =>
    isObject(value)
      ? Object.entries(value).map(([part, number]) => [`${PART}${name}.${part}`, number])
      : [[name, value]],
  );

/** Marks numbers that the sums of input and output already contain. */
const PART = 'part of ';

const sumOf = (numbers: Numbers, names: RegExp): number =>
  [...numbers].reduce((sum, [name, number]) => (names.test(name) ? sum + number : sum), 0);
