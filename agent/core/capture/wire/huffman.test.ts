import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeHuffman, huffmanLengths } from './huffman.ts';

/** The codes as text, computed from the lengths in a different way than in the decoder. */
const codes = canonicalCodes();

function canonicalCodes(): string[] {
  const symbols = huffmanLengths
    .map((length, symbol) => ({ length, symbol }))
    .sort((a, b) => a.length - b.length || a.symbol - b.symbol);
  const written: string[] = [];
  let next = 0n; // as a fraction of 2^30
  for (const { length, symbol } of symbols) {
    written[symbol] = next.toString(2).padStart(30, '0').slice(0, length);
    next += 1n << BigInt(30 - length);
  }
  return written;
}

function encode(values: Uint8Array): Uint8Array {
  const bits = Array.from(values, (value) => codes[value]).join('');
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1');
  return Uint8Array.from(padded.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}

describe('the Huffman code', () => {
  test.each([
    // RFC 7541, appendix B: the first code of some lengths, and the last code of all.
    ['0', '00000'],
    [' ', '010100'],
    [':', '1011100'],
    ['&', '11111000'],
    ['!', '1111111000'],
    ['\\', '1111111111111110000'],
    ['\n', '111111111111111111111111111100'],
    ['\u0016', '111111111111111111111111111110'],
  ])('encodes %j as %s', (character, code) => expect(codes[character.charCodeAt(0)]).toBe(code));

  test('is complete, and its last code is the end of a string', () => {
    expect(codes).toHaveLength(257);
    expect(codes[256]).toBe('1'.repeat(30));
  });

  test('decodes any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(5), (values, before) => {
        const bytes = Uint8Array.from([...new Uint8Array(before), ...encode(values), 7]);
        const text = decodeHuffman(bytes, before, bytes.length - 1);
        expect(Array.from(text, (character) => character.charCodeAt(0))).toEqual([...values]);
      }),
    );
  });

  test('decodes to at most 8/5 of the bytes, and has a single kind of error', () => {
    const decode = (bytes: Uint8Array): { text: string; failure?: unknown } => {
      try {
        return { text: decodeHuffman(bytes, 0, bytes.length) };
      } catch (error) {
        return { text: '', failure: error };
      }
    };
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) => {
        const { text, failure = 'a Huffman code' } = decode(bytes);
        expect(String(failure)).toContain('Huffman code');
        expect(text.length).toBeLessThanOrEqual((bytes.length * 8) / 5);
      }),
    );
  });
});
