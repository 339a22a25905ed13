import { execFileSync } from 'node:child_process';
import { appendFileSync, lstatSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { symlinkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fatMachO } from '../testing/make-app.ts';
import type { FileEntry, PackageEntry } from '../package-entry.ts';
import { posixChecksum } from '../posix-checksum.ts';
import { rechunk } from './write-payload.ts';
import { type FactsByEntry, packEntries } from './pack-entries.ts';
import { fingerprintOf } from './read-content.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'installer-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const common = { mode: 0o644, uid: 0, gid: 0, mtime: 1_700_000_000 };

function fileOf(name: string, content: Buffer): FileEntry {
  const path = join(folder, name);
  writeFileSync(path, content);
  const fingerprint = fingerprintOf(lstatSync(path, { bigint: true }));
  const size = content.length;
  return { ...common, type: 'file', path: `./${name}`, size, content: { path, fingerprint } };
}

async function pack(entries: readonly PackageEntry[], facts: FactsByEntry = new Map()) {
  return { archive: await buffer(packEntries(entries, facts)), facts };
}

describe('packed entries', () => {
  test('are unpacked by cpio', { tags: ['cpio'] }, async () => {
    const content = Buffer.alloc(2_500_000, 'content ');
    const entries: PackageEntry[] = [
      { ...common, type: 'directory', path: '.', mode: 0o755 },
      fileOf('large', content),
      { ...common, type: 'link', path: './link', mode: 0o755, target: 'large' },
      { ...common, type: 'file', path: './small', size: 2, content: Buffer.from('in') },
      fileOf('empty', Buffer.alloc(0)),
    ];
    const { archive } = await pack(entries);
    const list = execFileSync('cpio', ['-itv', '--quiet', '--numeric-uid-gid'], {
      input: archive,
      env: { ...process.env, TZ: 'UTC', LC_ALL: 'C' },
    });
    expect(list.toString().trim().split('\n')).toEqual([
      'drwxr-xr-x   2 0        0               0 Nov 14  2023 .',
      '-rw-r--r--   1 0        0         2500000 Nov 14  2023 ./large',
      'lrwxr-xr-x   1 0        0               5 Nov 14  2023 ./link -> large',
      '-rw-r--r--   1 0        0               2 Nov 14  2023 ./small',
      '-rw-r--r--   1 0        0               0 Nov 14  2023 ./empty',
    ]);
    const large = execFileSync('cpio', ['-i', '--quiet', '--to-stdout', './large'], {
      input: archive,
      maxBuffer: 3_000_000,
    });
    expect(large).toEqual(content);
  });

  test('are examined while they are packed: checksums of files and of each architecture', async () => {
    const program = fatMachO();
    // The last slice spans several chunks of the input.
    const long = Buffer.concat([program, Buffer.alloc(3_000_000, 7)]);
    long.writeUInt32BE(long.length - 8192, 8 + 20 + 12);
    const entries = [fileOf('program', long), fileOf('text', Buffer.from('text'))];
    const { facts } = await pack(entries);
    expect(facts.get(entries[0] as FileEntry)).toMatchObject({
      checksum: posixChecksum(long),
      machO: {
        fat: true,
        slices: [
          { checksum: posixChecksum(long.subarray(4096, 6096)) },
          { checksum: posixChecksum(long.subarray(8192)) },
        ],
      },
    });
    expect(facts.get(entries[1] as FileEntry)).toEqual({
      checksum: posixChecksum(Buffer.from('text')),
      machO: null,
    });
  });

  test.each([
    ['longer', (path: string) => appendFileSync(path, 'more')],
    ['shorter', (path: string) => writeFileSync(path, 'x')],
    ['touched', (path: string) => utimesSync(path, 5, 5)],
    [
      'another file',
      (path: string) => {
        writeFileSync(`${path}.new`, Buffer.alloc(3_000_000));
        renameSync(`${path}.new`, path);
      },
    ],
  ])('are rejected if a file is %s before it is read', async (_, change) => {
    const file = fileOf('file', Buffer.alloc(3_000_000));
    change(join(folder, 'file'));
    await expect(pack([file])).rejects.toThrow(
      `${join(folder, 'file')}: changed while it was read`,
    );
  });

  test.each([
    ['written to', (path: string) => appendFileSync(path, 'more')],
    ['cut off', (path: string) => writeFileSync(path, '')],
  ])('are rejected if a file is %s while it is read', async (_, change) => {
    const pieces = packEntries([fileOf('file', Buffer.alloc(3_000_000))], new Map());
    // Reads the header and the first of three chunks.
    await pieces.next();
    await pieces.next();
    change(join(folder, 'file'));
    await expect(buffer(pieces)).rejects.toThrow('changed while it was read');
  });

  test('are rejected if a file was removed, or has become a link', async () => {
    const file = fileOf('file', Buffer.from('x'));
    unlinkSync(join(folder, 'file'));
    await expect(pack([file])).rejects.toThrow('cannot be read (ENOENT)');
    symlinkSync('/etc/hostname', join(folder, 'file'));
    await expect(pack([file])).rejects.toThrow('cannot be read (ELOOP)');
  });
});

describe('rechunked data', () => {
  test('has the same bytes, in chunks of equal size except the last', async () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 30 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(pieces, fc.integer({ min: 1, max: 40 }), async (input, size) => {
        const chunks: Buffer[] = [];
        for await (const piece of rechunk(stream(input), size)) chunks.push(piece);
        expect(Buffer.concat(chunks)).toEqual(Buffer.concat(input));
        expect(chunks.slice(0, -1).every(({ length }) => length === size)).toBe(true);
        expect(chunks.at(-1)?.length ?? 1).toBeGreaterThan(0);
      }),
    );
  });
});

async function* stream(pieces: readonly Uint8Array[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece);
}
