import { expect, test } from 'vitest';
import { latin1 } from './latin1.ts';

const all = Uint8Array.from({ length: 256 }, (_, i) => i);

test('each byte becomes the character with its number', () => {
  const text = latin1(all, 0, 256);
  expect(Array.from(all, (_, i) => text.charCodeAt(i))).toEqual(Array.from(all));
});

test('only the bytes in the range are decoded, also in a part of a larger block', () => {
  expect(latin1(all, 65, 68)).toBe('ABC');
  expect(latin1(all.subarray(60), 5, 8)).toBe('ABC');
});
