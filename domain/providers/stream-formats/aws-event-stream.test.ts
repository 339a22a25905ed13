import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bedrockChunk, encodeAwsEventStream } from '../testing/aws-event-stream.ts';
import { readAwsEventStream, crc32 } from './aws-event-stream.ts';

const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));

test('the checksum has its check value for "123456789"', () => {
  expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
});

// Messages from the test suites of AWS's event stream implementations.
describe('reads', () => {
  test.each([
    ['nothing', '00000010 00000000 05c248eb 7d98c8ff', [{ name: null, data: '' }]],
    [
      'a payload',
      '0000001d 00000000 fd528c5a 7b27666f6f273a27626172277d c3653936',
      [{ name: null, data: "{'foo':'bar'}" }],
    ],
    [
      'a payload and a header',
      '0000003d 00000020 07fd8396 0c636f6e74656e742d74797065 070010 ' +
        '6170706c69636174696f6e2f6a736f6e 7b27666f6f273a27626172277d 8d9c08b1',
      [{ name: null, data: "{'foo':'bar'}" }],
    ],
  ])('%s', (_name, hex, events) => {
    expect(readAwsEventStream(bytesOf(hex))).toEqual(events);
  });
});

const stream = encodeAwsEventStream([
  { headers: { ':event-type': 'messageStart' }, payload: { role: 'assistant' } },
  { headers: { ':event-type': 'chunk' }, payload: bedrockChunk({ type: 'ping', text: 'grün' }) },
  { headers: { ':exception-type': 'throttlingException' }, payload: { message: 'Too many' } },
  { headers: { ':error-code': '500', ':error-message': 'Oh' }, payload: {} },
]);
const events = [
  { name: 'messageStart', data: { role: 'assistant' } },
  { name: 'chunk', data: { type: 'ping', text: 'grün' } },
  { name: 'throttlingException', data: { message: 'Too many' } },
  { name: '500', data: { message: 'Oh' } },
];

test('reads events, wrapped bodies and errors', () => {
  expect(readAwsEventStream(stream)).toEqual(events);
});

test('reads from the middle of a buffer', () => {
  const padded = Uint8Array.of(9, 9, ...stream, 9);
  expect(readAwsEventStream(padded.subarray(2, -1))).toEqual(events);
});

test('a truncated or damaged message ends the stream', () => {
  fc.assert(
    fc.property(fc.nat(stream.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const cut = readAwsEventStream(stream.subarray(0, at));
      expect(cut).toEqual(events.slice(0, cut.length));
      const damaged = Uint8Array.from(stream);
      damaged[at] = (damaged[at] ?? 0) ^ flip;
      const read = readAwsEventStream(damaged);
      expect(read.length).toBeLessThan(events.length);
      expect(read).toEqual(events.slice(0, read.length));
    }),
    { numRuns: 500 },
  );
});

test('never throws', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      readAwsEventStream(bytes);
    }),
  );
});
