import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decompress, isEncoding } from './decompress.ts';

const MB = 1024 * 1024;
const LIMIT = 10 * MB;
const bytesOf = (size: number): Buffer => Buffer.alloc(size, 'a line of some words, ');

describe.each([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
] as const)('%s', (encoding, compress) => {
  // Up to 1 MB is decompressed synchronously, and more in the thread pool.
  test.each([1, MB - 1, MB, MB + 1, 3 * MB, LIMIT])('%i bytes round-trip', async (size) => {
    const content = bytesOf(size);
    const back = await decompress(compress(content), encoding, LIMIT);
    expect(back.equals(content)).toBe(true);
  });

  test.each([
    [1001, 1000],
    [MB + 1, MB],
    [LIMIT + 1, LIMIT],
    [50 * MB, LIMIT],
  ])('%i bytes exceed a limit of %i', async (size, limit) => {
    const result = decompress(compress(bytesOf(size)), encoding, limit);
    await expect(result).rejects.toMatchObject({ code: 'ERR_BUFFER_TOO_LARGE' });
  });

  test('any bytes round-trip, and truncated input is an error', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 5000 }), async (bytes) => {
        const content = compress(bytes);
        expect(await decompress(content, encoding, LIMIT)).toEqual(Buffer.from(bytes));
        const half = decompress(content.subarray(0, content.length / 2), encoding, LIMIT);
        await expect(half).rejects.toThrow();
      }),
      { numRuns: 30 },
    );
  });
});

test('unknown encodings are rejected', () => {
  expect(['identity', 'constructor', 'zstd', ''].filter(isEncoding)).toEqual([]);
});
