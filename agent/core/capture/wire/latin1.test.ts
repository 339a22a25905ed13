import fc from 'fast-check';
import { expect, test } from 'vitest';
import { latin1, latin1AtOnce } from './latin1.ts';

test('is one character for each byte, the one of its number', () => {
  const all = Uint8Array.from({ length: 256 }, (_, i) => i);
  const text = latin1(all, 0, 256);
  expect(Array.from(all, (_, i) => text.charCodeAt(i))).toEqual(Array.from(all));
});

test('is the same at once, or is left to be decoded exactly', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(100), (bytes, from) => {
      const text = latin1(bytes, from, bytes.length);
      expect([text, null]).toContain(latin1AtOnce(bytes, from, bytes.length));
    }),
  );
});

test('is decoded at once where TextDecoder knows no other characters', () => {
  const common = Uint8Array.from({ length: 256 }, (_, i) => i).filter((i) => i < 128 || i >= 160);
  expect(latin1AtOnce(common, 0, common.length)).toBe(latin1(common, 0, common.length));
});
