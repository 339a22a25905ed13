import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InstallerError } from './installer-error.ts';
import { writeWhole } from './output-file.ts';

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'installer-'));
  writeFileSync(join(place, 'out.pkg'), 'before');
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

/** Writes two files beside `out` and keeps one, unless it ends with an error between them. */
const write = (out: string, failure?: Error) =>
  writeWhole(out, async (folder) => {
    expect(dirname(folder)).toBe(place);
    writeFileSync(join(folder, 'part'), 'half');
    if (failure) throw failure;
    writeFileSync(join(folder, 'whole'), 'whole');
    return join(folder, 'whole');
  });

describe('a file written in whole or not at all', () => {
  it('takes the place of what was there, and leaves nothing else', async () => {
    await write(join(place, 'out.pkg'));
    expect(readdirSync(place)).toEqual(['out.pkg']);
    expect(readFileSync(join(place, 'out.pkg'), 'utf8')).toBe('whole');
  });

  it.each([
    ['a refusal, as it is', new InstallerError('refused'), 'refused'],
    [
      'what the system says, with the name of the file',
      Object.assign(new Error('ENOSPC: no space left'), { syscall: 'write' }),
      'out.pkg cannot be written: ENOSPC: no space left',
    ],
    ['any other error, as it is', new TypeError('a mistake'), 'a mistake'],
  ])('is left alone after %s', async (_, failure, line) => {
    await expect(write(join(place, 'out.pkg'), failure)).rejects.toThrow(line);
    expect(readdirSync(place)).toEqual(['out.pkg']);
    expect(readFileSync(join(place, 'out.pkg'), 'utf8')).toBe('before');
  });

  it('leaves nothing that waits for the end of the process', async () => {
    const waiting = process.listenerCount('exit');
    await write(join(place, 'out.pkg'));
    await write(join(place, 'out.pkg'), new InstallerError('refused')).catch(() => undefined);
    expect(process.listenerCount('exit')).toBe(waiting);
  });

  it('needs its folder, and is none itself', async () => {
    await expect(write(join(place, 'none/out.pkg'))).rejects.toThrow(
      /out.pkg cannot be written: ENOENT: no such file or directory$/,
    );
    mkdirSync(join(place, 'folder'));
    await expect(write(join(place, 'folder'))).rejects.toThrow(
      'folder cannot be written: it is a folder, and only a file is replaced',
    );
  });

  it.each([
    ['a link', (path: string): void => symlinkSync('out.pkg', path)],
    ['a named pipe', (path: string): void => void execFileSync('mkfifo', [path])],
  ] as const)('does not take the place of %s', (kind, make) => staysInPlace(kind, make));

  it('does not take the place of a device', { tags: ['root'] }, () =>
    staysInPlace('a device', (path) => void execFileSync('mknod', [path, 'c', '1', '3'])),
  );

  async function staysInPlace(kind: string, make: (path: string) => void): Promise<void> {
    const path = join(place, 'other');
    make(path);
    const before = lstatSync(path);
    await expect(write(path)).rejects.toThrow(
      `${path} cannot be written: it is ${kind}, and only a file is replaced`,
    );
    expect(lstatSync(path).ino).toBe(before.ino);
    expect(readFileSync(join(place, 'out.pkg'), 'utf8')).toBe('before');
  }
});
