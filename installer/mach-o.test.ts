import { describe, expect, test } from 'vitest';
import { fatMachO, thinMachO } from './testing/make-app.ts';
import { CPU_ARM64, CPU_X86_64, MACH_HEAD_BYTES, readMachO } from './mach-o.ts';

const arm = { cpuType: CPU_ARM64, cpuSubtype: 3, offset: 0, size: 1000 };

/** The header of a universal file with 64-bit offsets. */
function wideFat(offset: bigint, size: bigint): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.writeUInt32BE(0xcafebabf);
  bytes.writeUInt32BE(1, 4);
  bytes.writeUInt32BE(CPU_ARM64, 8);
  bytes.writeUInt32BE(0x80000002, 12);
  bytes.writeBigUInt64BE(offset, 16);
  bytes.writeBigUInt64BE(size, 24);
  return bytes;
}

describe('a Mach-O file', () => {
  test('has one slice of its own size if it is thin, in either byte order', () => {
    const little = thinMachO(CPU_ARM64, 1000);
    expect(readMachO(little, 1000)).toEqual({ fat: false, slices: [arm] });
    expect(readMachO(Buffer.from(little).swap32(), 1000)).toEqual({ fat: false, slices: [arm] });
  });

  test('has a slice per architecture if it is universal', () => {
    const bytes = fatMachO();
    expect(readMachO(bytes.subarray(0, MACH_HEAD_BYTES), bytes.length)).toEqual({
      fat: true,
      slices: [
        { cpuType: CPU_X86_64, cpuSubtype: 3, offset: 4096, size: 2000 },
        { cpuType: CPU_ARM64, cpuSubtype: 3, offset: 8192, size: 1000 },
      ],
    });
    expect(readMachO(wideFat(64n, 36n), 100)).toEqual({
      fat: true,
      slices: [{ cpuType: CPU_ARM64, cpuSubtype: 0x80000002, offset: 64, size: 36 }],
    });
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['a text', Buffer.from('#!/bin/sh\nexit 0\n')],
    ['a magic alone', Buffer.from('cffaedfe', 'hex')],
    ['a Java class, version 52', Buffer.from('cafebabe000000340010000000000000', 'hex')],
    ['a fat file without slices', Buffer.from('cafebabe0000000000000000', 'hex')],
    ['a fat file whose header is cut off', fatMachO().subarray(0, 40)],
    ['a fat file whose slice is longer than the file', wideFat(64n, 37n)],
  ])('is not %s', (_, bytes) => {
    expect(readMachO(bytes, 100)).toBeNull();
  });
});
