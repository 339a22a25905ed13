import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPosixChecksum, posixChecksum } from './posix-checksum.ts';

/** The output of this computer's `cksum` for each of the contents. */
function cksum(contents: readonly Uint8Array[]): number[] {
  const folder = mkdtempSync(join(tmpdir(), 'installer-'));
  const names = contents.map((_, i) => String(i));
  for (const [i, content] of contents.entries()) writeFileSync(join(folder, String(i)), content);
  const text = execFileSync('cksum', names, { cwd: folder, encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  return text
    .trim()
    .split('\n')
    .map((output) => Number(output.split(' ')[0]));
}

describe('the POSIX checksum', () => {
  test('equals the output of cksum, for every length up to several steps and for large content', () => {
    const short = Array.from({ length: 70 }, (_, length) =>
      Uint8Array.from({ length }, (_byte, i) => (i * 37 + length) % 256),
    );
    const long = [255, 256, 65_535, 65_536, 1_000_003].map((n) => Buffer.alloc(n, 'Gatehouse'));
    const contents = [...short, ...long];
    expect(contents.map(posixChecksum)).toEqual(cksum(contents));
  });

  test('of empty content is that of an empty file in the Bom of macOS', () => {
    expect(posixChecksum(new Uint8Array())).toBe(4_294_967_295);
  });

  test('does not depend on how the content is split', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 100 })), (pieces) => {
        const checksum = createPosixChecksum();
        for (const piece of pieces) checksum.update(piece);
        expect(checksum.value()).toBe(posixChecksum(Buffer.concat(pieces)));
      }),
    );
  });
});
