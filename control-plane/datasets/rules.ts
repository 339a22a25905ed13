import type { ItemInput } from '#contract/datasets.ts';
import { textOfMessages } from '../prompts/rules.ts';

const PREVIEW_LENGTH = 500;

/**
 * Returns the beginning of an input. Variables follow their names, and messages follow their roles.
 */
export const inputPreview = (input: ItemInput): string =>
  truncateText(
    Array.isArray(input)
      ? textOfMessages(input)
      : Object.entries(input)
          .map(([name, value]) => `${name}: ${textOf(value)}`)
          .join('\n'),
  );

/** Returns the beginning of an expected output; null if none is expected. */
export const expectedPreview = (expected: unknown): string | null =>
  expected === undefined || expected === null ? null : truncateText(textOf(expected));

/** Returns a text unchanged, and other JSON as text. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

/** Returns the JSON of an expected output; null if none is expected. */
export const expectedJson = (expected: unknown): string | null =>
  expected === undefined || expected === null ? null : JSON.stringify(expected);

/** Cuts a text between code points, so that no surrogate pair is split. */
export function truncateText(text: string): string {
  const characters = Array.from(text.slice(0, (PREVIEW_LENGTH + 1) * 2));
  return characters.length <= PREVIEW_LENGTH
    ? characters.join('')
    : `${characters.slice(0, PREVIEW_LENGTH - 1).join('')}…`;
}

/** Returns the size of the JSON of an item in bytes. */
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
