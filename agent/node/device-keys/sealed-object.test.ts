import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { formatSealedObject, parseSealedObject } from './sealed-object.ts';

const object = { publicPart: randomBytes(48), privatePart: randomBytes(160) };
const text = formatSealedObject(object);

test('a sealed object is stored as text', () => {
  expect(parseSealedObject(text)).toEqual(object);
});

/** Replaces the last character of what was found. */
const other = (found: string): string => found.slice(0, -1) + (found.endsWith('A') ? 'B' : 'A');

test.each([
  ['nothing', ''],
  ['a part of it', text.slice(0, 90)],
  ['another byte', text.replace(/"private":"./, other)],
  ['another version', text.replace('"version":1', '"version":2')],
])('%s is damaged', (_, damaged) => {
  expect(damaged).not.toBe(text);
  expect(parseSealedObject(damaged)).toBeNull();
});
