import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { craftComponent, type CraftedEntry, words } from '../testing/craft-component.ts';
import { readBom } from './bom.ts';
import { createCksum } from './cksum.ts';

const craftBom = (entries: readonly CraftedEntry[]) =>
  Buffer.from(craftComponent({ entries })[0]?.content as Uint8Array);

describe('the checksum of a Bom', () => {
  const checksum = (...pieces: Uint8Array[]) => {
    const cksum = createCksum();
    for (const piece of pieces) cksum.update(piece);
    return cksum.finish();
  };

  test('equals the output of cksum', () => {
    for (const length of [0, 1, 3, 255, 256, 257, 70_000]) {
      const bytes = Buffer.alloc(length, 'some bytes');
      const [theirs] = execFileSync('cksum', { input: bytes, encoding: 'latin1' }).split(' ');
      expect(checksum(bytes), `${length} bytes`).toBe(Number(theirs));
    }
  });

  test('does not depend on how the bytes are split', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (one, other) => {
        expect(checksum(one, other)).toBe(checksum(Buffer.concat([one, other])));
      }),
    );
  });
});

function nameOfError(read: () => unknown): string {
  try {
    read();
    return 'none';
  } catch (error) {
    return (error as Error).name;
  }
}

describe('a Bom', () => {
  const folder = { path: '.', mode: 0o40755 };
  const file = { path: './a', mode: 0o100644, content: 'a' };

  test('describes every path', () => {
    expect([...readBom(craftBom([folder, file]))]).toEqual([
      ['.', { kind: 'directory', mode: 0o40755, size: 0, checksum: 0, target: null }],
      ['./a', { kind: 'file', mode: 0o100644, size: 1, checksum: 1_220_704_766, target: null }],
    ]);
  });

  test('is rejected if a path occurs twice', () => {
    expect(() => readBom(craftBom([folder, file, file]))).toThrow('a path occurs twice');
  });

  test('is rejected if a path has no parent', () => {
    expect(() => readBom(craftBom([file]))).toThrow('a: does not start at "."');
  });

  test('is rejected if its tree has a cycle', () => {
    const bom = craftBom([folder, file]);
    // The leaf has a one, the count of two pairs, and then the number of the next leaf, which is
    // set to the leaf itself.
    const leaf = bom.indexOf(words((1 << 16) | 2, 0, 0));
    bom.writeUInt32BE(7, leaf + 4);
    expect(() => readBom(bom)).toThrow('is part of a cycle');
  });

  test('is rejected if its count of paths is wrong', () => {
    const bom = craftBom([folder, file]);
    bom.writeUInt32BE(3, bom.indexOf('tree') + 16);
    expect(() => readBom(bom)).toThrow('Paths contains 2 paths, but states 3');
  });

  test('is rejected if the count in BomInfo is wrong', () => {
    const bom = craftBom([folder, file]);
    bom.writeUInt32BE(9, bom.indexOf(words(1, 3, 0)) + 4);
    expect(() => readBom(bom)).toThrow('BomInfo states a number of paths other than 3');
  });

  test('of random bytes is read, or rejected with a reason', () => {
    const whole = craftBom([folder, file]);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.nat(3), (at, byte, cut) => {
        const changed = Buffer.from(whole);
        changed.writeUInt8(byte, at);
        const bytes = changed.subarray(0, cut === 0 ? at : whole.length);
        expect(nameOfError(() => readBom(bytes))).toMatch(/^(none|InstallerError)$/);
      }),
      { numRuns: 2000 },
    );
  });
});
