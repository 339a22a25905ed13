import { describe, expect, test } from 'vitest';
import type { PackageEntry } from './package-entry.ts';
import { odcHeader, odcTrailer } from './cpio-odc.ts';

const root = { uid: 0, gid: 80, mtime: 1_700_000_000, mode: 0o775 };
const file: PackageEntry = {
  ...root,
  type: 'file',
  path: './a',
  mode: 0o644,
  size: 8,
  content: Buffer.alloc(8),
};

describe('an odc header', () => {
  test.each([
    [{ ...root, type: 'directory', path: './é' }, '040775', '000002', '000005', '00000000000'],
    [file, '100644', '000001', '000004', '00000000010'],
    [
      { ...root, type: 'link', path: './l', mode: 0o755, target: 'é' },
      '120755',
      '000001',
      '000004',
      '00000000002',
    ],
  ] as [PackageEntry, string, string, string, string][])(
    'has its fields in octal: $path',
    (entry, mode, links, nameSize, size) => {
      const [device, inode, uid, gid] = ['000000', '000005', '000000', '000120'];
      const [noDevice, mtime] = ['000000', '14524770400'];
      const fields = [device, inode, mode, uid, gid, links, noDevice, mtime, nameSize, size];
      expect(odcHeader(entry, 5).toString()).toBe(`070707${fields.join('')}${entry.path}\0`);
    },
  );

  test('has a fixed trailer', () => {
    expect(odcTrailer().toString()).toBe(
      `070707${'0'.repeat(30)}000001000000${'0'.repeat(11)}000013${'0'.repeat(11)}TRAILER!!!\0`,
    );
  });

  test('rejects numbers with too many digits', () => {
    expect(() => odcHeader(file, 0o1000000)).toThrow('262144 does not fit 6 octal digits');
  });
});
