import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createFrameReader, encodeFrame, MAX_BODY_BYTES } from './frame.ts';

/** A vector that is shared with the tests of the extensions. */
interface Vector {
  name: string;
  hex: string;
  bodies: string[];
  error: string | null;
}

const file = new URL('frame-vectors.json', import.meta.url);
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vector[];

function readInPieces(bytes: Uint8Array, size: number) {
  const reader = createFrameReader();
  const bodies: string[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const result = reader.read(bytes.subarray(at, at + size));
    bodies.push(...result.bodies);
    if (result.error) return { bodies, error: result.error };
  }
  return { bodies, error: null };
}

describe.each([1, 3, 7, 1000])('in pieces of %d bytes', (size) => {
  test.each(vectors)('$name', ({ hex, bodies, error }) =>
    expect(readInPieces(Buffer.from(hex, 'hex'), size)).toEqual({ bodies, error }),
  );
});

test('written frames can be read, up to the limit', () => {
  const message = { type: 'ë'.repeat(MAX_BODY_BYTES / 2 - 6) };
  const frame = encodeFrame(message);
  expect(readInPieces(frame, 1000)).toEqual({ bodies: [JSON.stringify(message)], error: null });
  expect(() => encodeFrame({ type: `${message.type}ë` })).toThrow('too long');
});
