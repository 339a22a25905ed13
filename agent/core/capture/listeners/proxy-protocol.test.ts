import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  crc32c,
  FIXED_LENGTH,
  MAX_HEADER_BYTES,
  readProxyHeader,
  type ProxyHeader,
  type ProxyHeaderResult,
} from './proxy-protocol.ts';
import { encodeProxyHeader } from './testing/proxy-protocol-encoder.ts';

/** A vector shared with the tests of the macOS extension, which writes the headers. */
interface Vector {
  name: string;
  hex: string;
  /** Whether encoding the expected header returns exactly these bytes. */
  encodable: boolean;
  expected: ProxyHeaderResult;
}

const file = new URL('proxy-protocol-vectors.json', import.meta.url);
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vector[];
const bytesOf = ({ hex }: Vector) => Uint8Array.from(Buffer.from(hex, 'hex'));

describe('the shared vectors', () => {
  test.each(vectors)('$name', (vector) =>
    expect(readProxyHeader(bytesOf(vector))).toEqual(vector.expected),
  );

  test.each(vectors.filter(({ encodable }) => encodable))('$name, encoded', ({ expected, hex }) => {
    if (expected.state !== 'complete') throw new Error('only a header can be encoded');
    expect(Buffer.from(encodeProxyHeader(expected.header)).toString('hex')).toBe(hex);
  });

  test.each(vectors)('$name, truncated: no other result before the end', (vector) => {
    const bytes = bytesOf(vector);
    const end = vector.expected.state === 'complete' ? vector.expected.length : bytes.length;
    for (let length = 0; length < end; length++) {
      const result = readProxyHeader(bytes.subarray(0, length));
      expect([{ state: 'incomplete' }, vector.expected]).toContainEqual(result);
    }
  });
});

test('the CRC-32C of the check string', () =>
  expect(crc32c(new TextEncoder().encode('123456789'))).toBe(0xe3069283));

const text = fc.option(fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' }));
const port = fc.nat(65_535);
const end = (address: fc.Arbitrary<string>) => fc.record({ address, port });
const ends = fc.oneof(
  fc.tuple(end(fc.ipV4()), end(fc.ipV4())),
  fc.tuple(end(fc.constant('2001:db8::5')), end(fc.constant('2001:db8:0:1::'))),
);
const headers: fc.Arbitrary<ProxyHeader> = fc
  .record({
    ends,
    authority: text,
    pid: fc.option(fc.nat(0xffffffff)),
    executable: text,
    user: text,
    signingId: text,
  })
  .map(({ ends: [source, destination], ...rest }) => ({
    command: 'proxy',
    source,
    destination,
    ...rest,
  }));

test('an encoded header is parsed back, whatever follows it', () => {
  fc.assert(
    fc.property(headers, fc.boolean(), fc.uint8Array(), (header, withChecksum, rest) => {
      const bytes = encodeProxyHeader(header, { withChecksum });
      const result = readProxyHeader(Uint8Array.from([...bytes, ...rest]));
      expect(result).toEqual({ state: 'complete', header, length: bytes.length });
    }),
  );
});

test('the checksum detects every damaged byte of the addresses', () => {
  fc.assert(
    fc.property(headers, fc.nat(11), fc.integer({ min: 1, max: 255 }), (header, at, change) => {
      const bytes = encodeProxyHeader(header, { withChecksum: true });
      bytes[FIXED_LENGTH + at] = (bytes[FIXED_LENGTH + at] ?? 0) ^ change;
      expect(readProxyHeader(bytes)).toEqual({ state: 'malformed', error: 'checksum' });
    }),
  );
});

test('any bytes have a result, and no more than the longest header is awaited', () => {
  const fixed = fc.uint8Array({ minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(fixed, fc.uint8Array({ maxLength: 300 }), (last, rest) => {
      const start = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');
      const bytes = Uint8Array.from([...start, ...last, ...rest]);
      const padded = Uint8Array.from({ length: MAX_HEADER_BYTES }, (_, i) => bytes[i] ?? 0);
      expect(readProxyHeader(padded).state).not.toBe('incomplete');
    }),
  );
});
