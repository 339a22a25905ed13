import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { InstallerError } from './installer-error.ts';
import { writeAtomically } from './output-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'installer-'));
  writeFileSync(join(folder, 'out.pkg'), 'before');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes two files to the draft folder and keeps one, unless it fails between them. */
const write = (out: string, failure?: Error) =>
  writeAtomically(out, async (draft) => {
    expect(dirname(draft)).toBe(folder);
    writeFileSync(join(draft, 'part'), 'half');
    if (failure) throw failure;
    writeFileSync(join(draft, 'whole'), 'whole');
    return join(draft, 'whole');
  });

describe('an atomically written file', () => {
  test('replaces the existing file, and leaves no other files', async () => {
    await write(join(folder, 'out.pkg'));
    expect(readdirSync(folder)).toEqual(['out.pkg']);
    expect(readFileSync(join(folder, 'out.pkg'), 'utf8')).toBe('whole');
  });

  test.each([
    ['a refusal, as it is', new InstallerError('refused'), 'refused'],
    [
      'what the system says, with the name of the file',
      Object.assign(new Error('ENOSPC: no space left'), { syscall: 'write' }),
      'out.pkg cannot be written: ENOSPC: no space left',
    ],
    ['any other error, as it is', new TypeError('a mistake'), 'a mistake'],
  ])('stays unchanged after %s', async (_, failure, message) => {
    await expect(write(join(folder, 'out.pkg'), failure)).rejects.toThrow(message);
    expect(readdirSync(folder)).toEqual(['out.pkg']);
    expect(readFileSync(join(folder, 'out.pkg'), 'utf8')).toBe('before');
  });

  test('leaves no pending work until the end of the process', async () => {
    const waiting = process.listenerCount('exit');
    await write(join(folder, 'out.pkg'));
    await write(join(folder, 'out.pkg'), new InstallerError('refused')).catch(() => undefined);
    expect(process.listenerCount('exit')).toBe(waiting);
  });

  test('requires that its folder exists, and does not replace a folder', async () => {
    await expect(write(join(folder, 'none/out.pkg'))).rejects.toThrow(
      /out.pkg cannot be written: ENOENT: no such file or directory$/,
    );
    mkdirSync(join(folder, 'folder'));
    await expect(write(join(folder, 'folder'))).rejects.toThrow(
      'folder cannot be written: it is a folder, and only a regular file may be replaced',
    );
  });

  test.each([
    ['a link', (path: string): void => symlinkSync('out.pkg', path)],
    ['a named pipe', (path: string): void => void execFileSync('mkfifo', [path])],
  ] as const)('does not replace %s', (kind, make) => staysInPlace(kind, make));

  test('does not replace a device', { tags: ['root'] }, () =>
    staysInPlace('a device', (path) => void execFileSync('mknod', [path, 'c', '1', '3'])),
  );

  async function staysInPlace(kind: string, make: (path: string) => void): Promise<void> {
    const path = join(folder, 'other');
    make(path);
    const before = lstatSync(path);
    await expect(write(path)).rejects.toThrow(
      `${path} cannot be written: it is ${kind}, and only a regular file may be replaced`,
    );
    expect(lstatSync(path).ino).toBe(before.ino);
    expect(readFileSync(join(folder, 'out.pkg'), 'utf8')).toBe('before');
  }
});
