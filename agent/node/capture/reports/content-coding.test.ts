import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeContent } from './content-coding.ts';

const MAX_BYTES = 4 * 1024 * 1024;
const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const codings: [coding: string, encode: (bytes: Uint8Array) => Uint8Array][] = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', (bytes) => brotliCompressSync(bytes, fast)],
  ['zstd', zstdCompressSync],
  ['GZIP, br', (bytes) => brotliCompressSync(gzipSync(bytes), fast)],
  ['identity', (bytes) => bytes],
];

/** Returns varied text, which barely compresses. */
const linesOf = (count: number): Buffer =>
  Buffer.from(Array.from({ length: count }, (_, i) => `${i} ${Math.sin(i)} answer\n`).join(''));

describe.each(codings)('%s', (coding, encode) => {
  test('decodes the original bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 5000 }), async (bytes) => {
        const decoded = await decodeContent(encode(bytes), coding, MAX_BYTES);
        expect(decoded).toEqual({ bytes: expect.any(Uint8Array), truncated: false });
        expect(Buffer.compare(decoded!.bytes, bytes)).toBe(0);
      }),
      { numRuns: 30 },
    );
  });

  test('stops at the limit', async () => {
    const whole = linesOf(2000);
    const decoded = await decodeContent(encode(whole), coding, 1000);
    expect(decoded!.truncated).toBe(true);
    expect(Buffer.compare(decoded!.bytes, whole.subarray(0, 1000))).toBe(0);
  });
});

test.each(codings.filter(([coding]) => coding !== 'identity'))(
  '%s that is cut off gives the beginning',
  async (coding, encode) => {
    const whole = linesOf(40_000);
    const encoded = encode(whole);
    const { bytes, truncated } = (await decodeContent(
      encoded.subarray(0, encoded.length / 2),
      coding,
      MAX_BYTES,
    ))!;
    expect(truncated).toBe(true);
    expect(bytes.length).toBeGreaterThan(whole.length / 3);
    expect(Buffer.compare(bytes, whole.subarray(0, bytes.length))).toBe(0);
  },
);

test('truncation or damage at any position does not reject', async () => {
  const encoded = codings.map(([coding, encode]) => [coding, encode(linesOf(300))] as const);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...encoded), fc.nat(), fc.nat(255), async (from, at, put) => {
      const [coding, bytes] = from;
      const cut = await decodeContent(bytes.subarray(0, at % bytes.length), coding, MAX_BYTES);
      expect(cut === null || cut.bytes.length <= MAX_BYTES).toBe(true);
      const damaged = Uint8Array.from(bytes);
      damaged[at % bytes.length] = put;
      await decodeContent(damaged, coding, MAX_BYTES);
    }),
    { numRuns: 200 },
  );
});

test.each([
  ['an unknown coding', 'compress', gzipSync('x')],
  ['a name that every object has', 'constructor', gzipSync('x')],
  ['bytes that are neither gzip nor text', 'gzip', Buffer.from([0x7b, 0, 0x7d])],
  ['too many codings', 'gzip, gzip, gzip, gzip', gzipSync('x')],
])('%s results in null', async (_name, coding, bytes) => {
  expect(await decodeContent(bytes, coding, MAX_BYTES)).toBeNull();
});

test.each(['gzip', 'deflate', 'br', 'zstd', 'none', 'gzip, gzip, gzip, gzip'])(
  'text that is not encoded with %s, as it says, is read as it is',
  async (coding) => {
    const bytes = Buffer.from('{"plain": "JSON ü"}');
    const read = { bytes, truncated: false };
    expect(await decodeContent(bytes, coding, MAX_BYTES)).toEqual(read);
    const cut = bytes.subarray(0, -3); // within a character
    expect(await decodeContent(cut, coding, MAX_BYTES)).toEqual({ bytes: cut, truncated: false });
    expect(await decodeContent(bytes, coding, 4)).toEqual({
      bytes: bytes.subarray(0, 4),
      truncated: true,
    });
  },
);

/** Gzip data with all optional fields of the header. */
function withGzipFields(data: Buffer): Buffer {
  const fields = Buffer.from([2, 0, 7, 7, ...Buffer.from('name\0comment\0'), 1, 2]);
  const head = Buffer.from(data.subarray(0, 10));
  head[3] = 4 | 8 | 16 | 2;
  return Buffer.concat([head, fields, data.subarray(10)]);
}

test.each([
  ['other bytes behind it', (data: Buffer) => Buffer.concat([data, Buffer.from('other')])],
  ['a wrong checksum', (data: Buffer) => Buffer.concat([data.subarray(0, -8), Buffer.alloc(8, 1)])],
  [
    'all fields and other bytes',
    (data: Buffer) => Buffer.concat([withGzipFields(data), Buffer.from('o')]),
  ],
])('gzip with %s is decoded, as browsers do', async (_, damaged) => {
  for (const whole of [Buffer.from('short'), linesOf(20_000)]) {
    const decoded = await decodeContent(damaged(gzipSync(whole)), 'gzip', MAX_BYTES);
    expect(decoded?.truncated).toBe(true);
    expect(Buffer.compare(decoded!.bytes, whole)).toBe(0);
  }
});

test.each([null, undefined, '', ' identity '])('%j leaves the bytes unchanged', async (coding) => {
  const bytes = Buffer.from('plain');
  expect(await decodeContent(bytes, coding, MAX_BYTES)).toEqual({ bytes, truncated: false });
});

test('an empty body stays empty with any coding', async () => {
  const nothing = new Uint8Array();
  expect(await decodeContent(nothing, 'gzip', MAX_BYTES)).toEqual({
    bytes: nothing,
    truncated: false,
  });
});

test('the output of a bomb of half a gigabyte is limited in each layer', async () => {
  const zeros = gzipSync(Buffer.alloc(64 * 1024 * 1024), { level: 9 });
  const inner = Buffer.concat(Array.from({ length: 8 }, () => zeros));
  for (const [coding, bomb] of [
    ['gzip', inner],
    ['gzip, gzip', gzipSync(inner)],
  ] as const) {
    const decoded = await decodeContent(bomb, coding, MAX_BYTES);
    expect(decoded).toMatchObject({ truncated: true });
    expect(decoded!.bytes.length).toBe(MAX_BYTES);
  }
});

test('the event loop continues while megabytes are decoded', async () => {
  const encoded = brotliCompressSync(linesOf(150_000).subarray(0, MAX_BYTES), fast);
  let turns = 0;
  let isDone = false;
  const turn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  turn();
  const decoded = await decodeContent(encoded, 'br', MAX_BYTES);
  isDone = true;
  expect(decoded!.bytes.length).toBe(MAX_BYTES);
  expect(turns).toBeGreaterThan(MAX_BYTES / (64 * 1024));
});
