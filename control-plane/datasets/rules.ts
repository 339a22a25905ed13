import type { ItemInput } from '#contract/datasets.ts';
import { textOfMessages } from '../prompts/rules.ts';

const PREVIEW_LENGTH = 500;

/** The beginning of an input: of variables each with its name, of messages each with its role. */
export const inputPreview = (input: ItemInput): string =>
  beginning(
    Array.isArray(input)
      ? textOfMessages(input)
      : Object.entries(input)
          .map(([name, value]) => `${name}: ${textOf(value)}`)
          .join('\n'),
  );

/** The beginning of an expected output; null if none is expected. */
export const expectedPreview = (expected: unknown): string | null =>
  expected === undefined || expected === null ? null : beginning(textOf(expected));

/** A text as it is, other JSON as its text. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

/** The JSON of an expected output; null if none is expected. */
export const expectedJson = (expected: unknown): string | null =>
  expected === undefined || expected === null ? null : JSON.stringify(expected);

/** Cut between code points, so that no surrogate pair is split. */
export function beginning(text: string): string {
  const characters = Array.from(text.slice(0, (PREVIEW_LENGTH + 1) * 2));
  return characters.length <= PREVIEW_LENGTH
    ? characters.join('')
    : `${characters.slice(0, PREVIEW_LENGTH - 1).join('')}…`;
}

/** Bytes of the JSON of an item. */
export const itemBytes = ({
  input,
  expected_output,
  metadata,
}: {
  input: string;
  expected_output: string | null;
  metadata: string;
}): number =>
  [input, expected_output ?? '', metadata].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
