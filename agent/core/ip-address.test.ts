import { isIPv6 } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ipText, isLoopback, plainAddress } from './ip-address.ts';

const fromHex = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));

describe('ipText', () => {
  test.each([
    ['0a630001', '10.99.0.1'],
    ['20010db8 00000000 00000000 00000001', '2001:db8::1'],
    ['20010db8 00000001 00000000 00000001', '2001:db8:0:1::1'],
    ['20010db8 00010000 00010001 00010001', '2001:db8:1:0:1:1:1:1'],
    ['00000000 00000000 00000000 00000001', '::1'],
    ['00000000 00000000 00000000 00000000', '::'],
    ['fe800000 00000000 00000000 00000000', 'fe80::'],
    ['00000000 00000000 0000ffff 0a630001', '10.99.0.1'],
  ])('%s is %s', (hex, text) => {
    const bytes = fromHex(hex);
    expect(ipText(bytes, 0, bytes.length as 4 | 16)).toBe(text);
  });

  test('writes a form that the system parses as the same address', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        const text = ipText(bytes, 0, 16);
        // The URL parser of the platform independently writes canonical addresses.
        const host = isIPv6(text) ? `[${text}]` : text;
        expect(new URL(`http://${host}/`).hostname).toBe(host);
      }),
    );
  });
});

describe('plainAddress', () => {
  test.each([
    ['[2001:DB8::1]', '2001:db8::1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['10.0.0.1', '10.0.0.1'],
  ])('%s is %s', (text, plain) => expect(plainAddress(text)).toBe(plain));
});

describe('isLoopback', () => {
  test.each([
    ['127.0.0.53', true],
    ['::1', true],
    ['0.0.0.0', true],
    ['12.7.0.1', false],
    ['::2', false],
  ])('%s: %s', (address, expected) => expect(isLoopback(address)).toBe(expected));
});
