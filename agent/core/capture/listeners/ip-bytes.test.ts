import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ipText } from '#agent/core/ip-address.ts';
import { ipBytes, isLocalAddress } from './ip-bytes.ts';

test('every formatted address is parsed back', () => {
  const size = fc.constantFrom(4 as const, 16 as const);
  const bytes = size.chain((length) => fc.uint8Array({ minLength: length, maxLength: length }));
  // The short form compresses runs of zeros, so addresses with many zeros are tested.
  const sparse = bytes.map((value) => value.map((byte) => (byte < 160 ? 0 : byte)));
  fc.assert(
    fc.property(fc.oneof(bytes, sparse), (value) => {
      const text = ipText(value, 0, value.length === 4 ? 4 : 16);
      const isMapped = value.length === 16 && !text.includes(':');
      expect(ipBytes(text)).toEqual(isMapped ? value.slice(12) : value);
    }),
  );
});

test.each([
  ['::ffff:192.0.2.7', [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 192, 0, 2, 7]],
  ['2001:DB8::', [0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
  ['1:2:3:4:5:6:7:8', [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8]],
])('the bytes of %s', (text, expected) => expect([...(ipBytes(text) ?? [])]).toEqual(expected));

test.each([
  '',
  'example.com',
  '1.2.3',
  '1.2.3.256',
  '1.2.3.4.5',
  '0x7f.0.0.1',
  ':::',
  '1::2::3',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7::8',
  '1.2.3.4::',
  'fe80::1%eth0',
  '12345::',
])('%j is not an address', (text) => expect(ipBytes(text)).toBeUndefined());

test.each([
  '127.0.0.1',
  '127.255.0.3',
  '0.0.0.0',
  '169.254.169.254',
  '224.0.0.251',
  '255.255.255.255',
  '::',
  '::1',
  'fe80::1',
  'febf::1',
  'ff02::fb',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '::127.0.0.1',
  '64:ff9b::a9fe:a9fe',
  'fd00:ec2::254',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  '::2',
  'localhost',
])('%s is local', (text) => expect(isLocalAddress(text)).toBe(true));

test.each([
  '10.0.0.1',
  '169.253.0.1',
  '128.0.0.1',
  '192.0.2.1',
  '2001:db8::1',
  'fec0::1',
  'fd00::1',
  '::ffff:192.0.2.1',
  '64:ff9b::c000:201',
  '64:ff9b:1::7f00:1',
  '100::1',
])('%s is not local', (text) => expect(isLocalAddress(text)).toBe(false));
