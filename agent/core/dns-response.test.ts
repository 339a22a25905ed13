import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDnsResponse } from './dns-response.ts';

/** Encodes a name, followed by a compression pointer if given. */
const name = (text: string, pointer?: number): number[] => [
  ...text
    .split('.')
    .filter(Boolean)
    .flatMap((label) => [label.length, ...Buffer.from(label)]),
  ...(pointer === undefined ? [0] : [0xc0 | (pointer >> 8), pointer & 255]),
];
const u16 = (value: number) => [value >> 8, value & 255];
const record = (owner: number[], type: number, data: number[], ttl = 60) => [
  ...owner,
  ...u16(type),
  ...u16(1),
  ...u16(ttl >> 16),
  ...u16(ttl & 0xffff),
  ...u16(data.length),
  ...data,
];
const message = (question: string, records: number[][], flags = 0x8180) =>
  Uint8Array.from([
    ...u16(7),
    ...u16(flags),
    ...u16(1),
    ...u16(records.length),
    ...u16(0),
    ...u16(0),
    ...name(question),
    ...u16(1),
    ...u16(1),
    ...records.flat(),
  ]);

const v6 = [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];

describe('readDnsAnswer', () => {
  test.each([
    [
      'one address, its owner a pointer to the question',
      message('API.openai.com', [record([0xc0, 12], 1, [10, 0, 0, 1])]),
      { names: ['api.openai.com'], addresses: [{ address: '10.0.0.1', ttl: 60 }] },
    ],
    [
      'an alias and both address families behind it',
      message('api.openai.com', [
        record([0xc0, 12], 5, name('edge.example.net'), 300),
        record(name('edge.example.net'), 1, [10, 0, 0, 2], 20),
        record(name('edge.example.net'), 28, v6, 90_000),
      ]),
      {
        names: ['api.openai.com', 'edge.example.net'],
        addresses: [
          { address: '10.0.0.2', ttl: 20 },
          { address: '2001:db8::1', ttl: 90_000 },
        ],
      },
    ],
    [
      'a compressed alias ("edge" + pointer to "openai.com")',
      message('api.openai.com', [record([0xc0, 12], 5, name('edge', 16))]),
      { names: ['api.openai.com', 'edge.openai.com'], addresses: [] },
    ],
    [
      'an address of a name that was not in the question',
      message('api.openai.com', [record(name('other.example'), 1, [10, 0, 0, 3])]),
      { names: ['api.openai.com'], addresses: [] },
    ],
    ['a query', message('api.openai.com', [], 0x0100), undefined],
    ['a failure', message('api.openai.com', [], 0x8183), undefined],
    ['too few bytes', new Uint8Array(11), undefined],
    [
      'a pointer to itself',
      message('a.b', [record([0xc0, 21], 1, [10, 0, 0, 1])]),
      { names: ['a.b'], addresses: [] },
    ],
  ])('%s', (_, bytes, expected) => expect(readDnsResponse(bytes)).toEqual(expected));

  test('returns the complete records of a truncated message and no others', () => {
    const whole = message('api.openai.com', [
      record([0xc0, 12], 1, [10, 0, 0, 1]),
      record([0xc0, 12], 1, [10, 0, 0, 2]),
    ]);
    const all = readDnsResponse(whole)?.addresses ?? [];
    expect(all).toHaveLength(2);
    for (let length = 0; length < whole.length; length++) {
      const part = readDnsResponse(whole.subarray(0, length))?.addresses ?? [];
      expect(part).toEqual(all.slice(0, part.length));
    }
  });

  test('terminates for any bytes', () => {
    const body = fc.uint8Array({ maxLength: 400 });
    fc.assert(
      fc.property(body, (bytes) => {
        const answer = readDnsResponse(Uint8Array.from([0, 7, 0x81, 0x80, 0, 1, 0, 9, ...bytes]));
        expect(answer === undefined || answer.names.length > 0).toBe(true);
      }),
    );
  });
});
