import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CmsError } from './cms-error.ts';
import { octetsOf, oidOf, readBer } from './ber.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** The length of the parsed value, or 0 if it is rejected. Other errors are rethrown. */
function lengthOf(bytes: Buffer): number {
  try {
    return readBer(bytes).raw.length;
  } catch (error) {
    if (error instanceof CmsError) return 0;
    throw error;
  }
}

describe('reading BER', () => {
  test('preserves the bytes of every value', () => {
    const node = readBer(hex('3006 020101 040102 ffff'));
    expect(node.raw).toEqual(hex('3006 020101 040102'));
    expect(node.children.map(({ raw }) => raw)).toEqual([hex('020101'), hex('040102')]);
  });

  test('accepts indefinite lengths', () => {
    const node = readBer(hex('3080 020101 2480 040102 0000 0000 ff'));
    expect(node.raw).toEqual(hex('3080 020101 2480 040102 0000 0000'));
    expect(node.children).toHaveLength(2);
  });

  test('joins segmented octet strings', () => {
    expect(octetsOf(readBer(hex('2480 040101 04020203 0000')))).toEqual(hex('010203'));
  });

  test.each([
    ['', 'nothing'],
    ['30', 'a tag alone'],
    ['3003 0201', 'a value that is cut'],
    ['0480 0000', 'a primitive value without length'],
    ['3080 020101', 'no end'],
    ['3080 020101 0001', 'half an end'],
    ['3081 01 05', 'a length in more octets than it needs'],
    ['3085 0000000001 05', 'a length of five octets'],
    ['1f8101 00', 'a tag of several octets'],
  ])('rejects %j: %s', (text) => {
    expect(() => readBer(hex(text))).toThrow('is damaged');
  });

  test('rejects unbounded nesting', () => {
    expect(() => readBer(Buffer.from('3080'.repeat(10_000), 'hex'))).toThrow('is damaged');
  });

  test.each([
    ['06032a0304', '1.2.3.4'],
    ['06062a864886f70d', '1.2.840.113549'],
    ['0603883703', '2.999.3'],
    ['060128', '1.0'],
  ])('reads the identifier %s as %s', (text, oid) => {
    expect(oidOf(readBer(hex(text)))).toBe(oid);
  });

  test('parses or rejects any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(lengthOf(Buffer.from(bytes))).toBeLessThanOrEqual(bytes.length);
      }),
      { numRuns: 1000 },
    );
  });
});
