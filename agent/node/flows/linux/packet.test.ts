import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPacket } from './packet.ts';

const u16 = (value: number) => [value >> 8, value & 255];
const tcp = (flags: number, payload: number[]) => [
  ...u16(40_000),
  ...u16(443),
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0x60,
  flags,
  0,
  0,
  0,
  0,
  0,
  0,
  1,
  1,
  1,
  1, // with options, the header has 24 bytes
  ...payload,
];
const udp = (payload: number[]) => [...u16(53), ...u16(40_001), ...u16(0), ...u16(0), ...payload];
const v4 = (protocol: number, body: number[], options: number[] = []) => [
  0x45 + options.length / 4,
  0,
  ...u16(20 + options.length + body.length),
  0,
  0,
  0,
  0,
  64,
  protocol,
  0,
  0,
  10,
  0,
  0,
  1,
  10,
  0,
  0,
  2,
  ...options,
  ...body,
];
const low = (last: number) => [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last];
const v6 = (next: number, body: number[]) => [
  0x60,
  0,
  0,
  0,
  ...u16(body.length),
  next,
  64,
  ...low(1),
  ...low(2),
  ...body,
];

describe('readPacket', () => {
  test.each([
    ['a SYN', v4(6, tcp(0x02, [])), [true, [10, 0, 0, 2], 443, []]],
    ['a SYN of a server', v4(6, tcp(0x12, [])), [false, [10, 0, 0, 2], 443, []]],
    [
      'data, after IP options',
      v4(6, tcp(0x18, [1, 2]), [1, 1, 1, 1]),
      [false, [10, 0, 0, 2], 443, [1, 2]],
    ],
    ['data over IPv6', v6(6, tcp(0x18, [3])), [false, low(2), 443, [3]]],
    ['UDP', v4(17, udp([4, 5])), [false, [10, 0, 0, 2], 40_001, [4, 5]]],
    [
      'padding behind the packet',
      [...v4(17, udp([4])), 0, 0, 0],
      [false, [10, 0, 0, 2], 40_001, [4]],
    ],
  ])('%s', (_, bytes, [isConnecting, remote, port, payload]) => {
    const packet = readPacket(Uint8Array.from(bytes));
    expect([
      packet?.isConnecting,
      [...(packet?.endpoints.remote ?? [])],
      packet?.endpoints.port,
      [...(packet?.payload ?? [])],
    ]).toEqual([isConnecting, remote, port, payload]);
  });

  test('has a result for any bytes', () => {
    fc.assert(
      fc.property(fc.nat(255), fc.uint8Array({ maxLength: 120 }), (first, rest) => {
        const packet = readPacket(Uint8Array.of(first, ...rest));
        expect(packet === undefined || packet.payload.length <= rest.length).toBe(true);
      }),
    );
  });
});
