import { describe, expect, test } from 'vitest';
import { contentSize, type PackageEntry } from '../package-entry.ts';
import type { Bundle } from '../bundle/read-bundle.ts';
import { infoPlist } from '../testing/make-app.ts';
import { checkEntries, installKBytes } from './check-entries.ts';
import { listInstalledEntries } from './layout.ts';

const file = { type: 'file', size: 1025, onDisk: '/x/y', fingerprint: 's' } as const;
const bundle: Bundle = {
  name: 'Gatehouse.app',
  info: infoPlist,
  program: null,
  nodes: [
    { type: 'directory', path: '', mtime: 5 },
    { ...file, path: 'program', mtime: 9, executable: true },
    { ...file, path: 'text', mtime: 7, executable: false },
    { type: 'link', path: 'link', mtime: 6, target: 'text' },
  ],
};
const entries = listInstalledEntries(bundle, 'com.gatehouse.agent');
const row = ({ path, mode, uid, gid, mtime }: PackageEntry) =>
  `${mode.toString(8)} ${uid}:${gid} ${mtime} ${path}`;

const zeros = (length: number): number[] => Array.from({ length }, () => 0);

const filesOf = (sizes: readonly number[]): PackageEntry[] =>
  sizes.map((size, i) => {
    const facts = { path: `./${i}`, mode: 0, uid: 0, gid: 0, mtime: 0 };
    return { ...facts, type: 'file', size, content: Buffer.alloc(0) };
  });

describe('the installed content', () => {
  test('has the modes and owners of a Mac, and times from the bundle only', () => {
    expect(entries.map(row)).toEqual([
      '755 0:0 9 .',
      '775 0:80 9 ./Applications',
      '755 0:0 5 ./Applications/Gatehouse.app',
      '755 0:0 9 ./Applications/Gatehouse.app/program',
      '644 0:0 7 ./Applications/Gatehouse.app/text',
      '755 0:0 6 ./Applications/Gatehouse.app/link',
      '755 0:0 9 ./Library',
      '755 0:0 9 ./Library/LaunchAgents',
      '644 0:0 9 ./Library/LaunchAgents/com.gatehouse.agent.environment.plist',
      '644 0:0 9 ./Library/LaunchAgents/com.gatehouse.agent.plist',
    ]);
  });

  test('is counted in kilobytes, each file rounded up', () => {
    const items = entries.slice(-2).map((entry) => Math.ceil(contentSize(entry) / 1024));
    expect(installKBytes(entries)).toBe(2 + 2 + 1 + items.reduce((sum, size) => sum + size));
  });

  test('may be one file of nearly 4 GiB, or as many entries as there are inodes', () => {
    expect(() => checkEntries(filesOf([0xffffffff]))).not.toThrow();
    expect(() => checkEntries(filesOf(zeros(262_143)))).not.toThrow();
  });

  test.each([
    ['one file of 4 GiB', [0x100000000], './0: 4294967296 bytes, a file in a package can have'],
    [
      'files of 4 GiB together',
      [0xffffffff, 1],
      '4294967296 bytes of content: a package can contain',
    ],
    ['more entries', zeros(262_144), '262144 files and folders: a package can contain'],
  ])('may not be %s', (_, sizes, refusal) => {
    expect(() => checkEntries(filesOf(sizes))).toThrow(refusal);
  });
});
