import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  renameSync,
  truncateSync,
  writeFileSync,
  realpathSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, dirname } from 'node:path';
import { build, buildBinary } from 'plist';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CPU_ARM64, CPU_X86_64 } from '../mach-o.ts';
import { requireOutside, readBundle, checkLinks } from './read-bundle.ts';
import { infoPlist, makeApp, MODIFIED } from '../testing/make-app.ts';
import fc from 'fast-check';
import type { TreeNode } from './read-tree.ts';

let folder: string;
let app: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'installer-'));
  app = join(folder, 'Gatehouse.app');
  makeApp(app);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const inApp = (path: string): string => join(app, 'Contents', path);
const info = (plist: string | Uint8Array) => () => writeFileSync(inApp('Info.plist'), plist);

describe('an app bundle', () => {
  test('is read in byte order of its names, folders first', async () => {
    const bundle = await readBundle(`${app}/`);
    expect(bundle.name).toBe('Gatehouse.app');
    expect(bundle.info).toEqual(infoPlist);
    expect(bundle.program?.slices.map(({ cpuType }) => cpuType)).toEqual([CPU_X86_64, CPU_ARM64]);
    expect(bundle.nodes.map(({ path }) => path.replace(/^Contents\//, ''))).toEqual([
      '',
      'Contents',
      'Frameworks',
      'Frameworks/F.framework',
      'Frameworks/F.framework/F',
      'Frameworks/F.framework/Versions',
      'Frameworks/F.framework/Versions/A',
      'Frameworks/F.framework/Versions/A/F',
      'Frameworks/F.framework/Versions/Current',
      'Info.plist',
      'Library',
      'Library/Empty',
      'MacOS',
      'MacOS/Gatehouse',
      'PkgInfo',
      'Resources',
      'Resources/part-0',
      'Resources/part-0/0.txt',
      'Resources/part-1',
      'Resources/part-1/1.txt',
      'Resources/part-2',
      'Resources/part-2/2.txt',
      'Resources/zürich & "co".lproj',
      'Resources/zürich & "co".lproj/a<b>.strings',
    ]);
    expect(bundle.nodes.find(({ path }) => path.endsWith('MacOS/Gatehouse'))).toMatchObject({
      type: 'file',
      executable: true,
      mtime: MODIFIED + 60,
    });
  });

  test('may have a binary Info.plist, no versions, and a script as its program', async () => {
    const { CFBundleIdentifier, CFBundleExecutable } = infoPlist;
    info(buildBinary({ CFBundleIdentifier, CFBundleExecutable }))();
    writeFileSync(inApp('MacOS/Gatehouse'), '#!/bin/sh\n');
    const bundle = await readBundle(app);
    expect(bundle.info).toEqual({ CFBundleIdentifier, CFBundleExecutable });
    expect(bundle.program).toBeNull();
  });

  test('may have a program of any size, of which only the start is read', async () => {
    truncateSync(inApp('MacOS/Gatehouse'), 3 * 2 ** 30);
    const { program } = await readBundle(app);
    expect(program?.slices).toHaveLength(2);
  });

  test('may be reached through a link', async () => {
    symlinkSync(app, join(folder, 'Other.app'));
    expect((await readBundle(join(folder, 'Other.app'))).name).toBe('Other.app');
  });

  test.each([
    ['Info.plist: CFBundleVersion', info(build({ ...infoPlist, CFBundleVersion: 3 }))],
    ['Info.plist: CFBundleIdentifier is missing', info(build({ CFBundleExecutable: 'Gatehouse' }))],
    ['Info.plist: CFBundleExecutable is missing', info(build({ CFBundleIdentifier: 'a.b' }))],
    [
      'Info.plist: CFBundleExecutable is missing or invalid',
      info(build({ ...infoPlist, CFBundleExecutable: '../MacOS/Gatehouse' })),
    ],
    ['Info.plist: not a property list', info('<plist><dict>')],
    ['Info.plist: not a property list', info(Buffer.from('bplist00nonsense'))],
    [
      'Info.plist: has 3221225472 bytes, more than the limit of 4194304',
      () => truncateSync(inApp('Info.plist'), 3 * 2 ** 30),
    ],
    ['it has no Contents/Info.plist', () => rmSync(inApp('Info.plist'))],
    [
      'CFBundleExecutable: Contents/MacOS/Gatehouse does not exist',
      () => renameSync(inApp('MacOS/Gatehouse'), inApp('MacOS/Other')),
    ],
    ['MacOS/Gatehouse: is not executable', () => chmodSync(inApp('MacOS/Gatehouse'), 0o644)],
    [
      'Contents/out: the symbolic link points outside the bundle',
      () => symlinkSync('../../x', inApp('out')),
    ],
    [
      'Contents/abs: the symbolic link has an absolute target',
      () => symlinkSync('/etc/passwd', inApp('abs')),
    ],
    ['Contents/pipe: a named pipe', () => void execFileSync('mkfifo', [inApp('pipe')])],
    [
      'PkgInfo: modification time before 1970',
      () => void execFileSync('touch', ['-d', '1969-12-31T00:00:00Z', inApp('PkgInfo')]),
    ],
    [
      'Contents: the name caf? is not UTF-8',
      () => mkdirSync(Buffer.from(`${inApp('')}/caf\u00e9`, 'latin1')),
    ],
  ])('is rejected with one line: %s', async (message, change) => {
    change();
    const refused = await readBundle(app).catch((error: Error) => error);
    expect((refused as Error).name).toBe('InstallerError');
    expect((refused as Error).message).toContain(message);
    expect((refused as Error).message).toContain(app);
    expect((refused as Error).message).not.toContain('\n');
  });

  test('is rejected if it contains a socket', async () => {
    const server = createServer().listen(inApp('socket'));
    await expect(readBundle(app)).rejects.toThrow(
      'Contents/socket: a socket: a package can contain',
    );
    await new Promise((resolve) => server.close(resolve));
  });

  test.each([
    ['Nowhere.app', 'cannot be read (ENOENT)'],
    ['Gatehouse', 'expected a folder named X.app'],
    ['File.app', 'it is not a folder'],
  ])('is not %s', async (name, why) => {
    writeFileSync(join(folder, 'File.app'), '');
    await expect(readBundle(join(folder, name))).rejects.toThrow(why);
  });

  test('does not contain the output package', async () => {
    await expect(requireOutside(inApp('out.pkg'), app)).rejects.toThrow(
      `must not be inside ${app}`,
    );
    await expect(requireOutside(`${app}.pkg`, app)).resolves.toBeUndefined();
  });
});

const link = (path: string, target: string): TreeNode => ({ type: 'link', path, target, mtime: 0 });
const check = (...links: [string, string][]) => {
  checkLinks(
    links.map(([path, target]) => link(path, target)),
    '/X.app',
  );
};

describe('links in a bundle', () => {
  test.each([
    ['beside it', 'Contents/a', 'b'],
    ['above it', 'Contents/MacOS/a', '../Info.plist'],
    ['the bundle itself', 'Contents/a', '..'],
    ['what does not exist', 'Contents/a', 'x/../y'],
    ['with doubled slashes and dots', 'a', './/Contents/./b'],
  ])('may lead to %s', (_, path, target) => {
    expect(() => check([path, target])).not.toThrow();
  });

  test.each([
    ['out', 'a', '..', 'points outside the bundle'],
    ['out and back in', 'a', '../X.app/b', 'points outside the bundle'],
    ['out from below', 'Contents/MacOS/a', '../../../etc', 'points outside the bundle'],
    ['to an absolute path', 'a', '/X.app/b', 'has an absolute target'],
    ['to itself', 'a', 'a', 'is part of a loop'],
  ])('may not lead %s', (_, path, target, why) => {
    expect(() => check([path, target])).toThrow(`/X.app/${path}: the symbolic link`);
    expect(() => check([path, target])).toThrow(why);
  });

  test('may not lead out of the bundle in combination', () => {
    expect(() => check(['a/b', '..'], ['c', 'a/b/..'])).toThrow(
      '/X.app/c: the symbolic link points outside the bundle',
    );
  });

  test('are rejected if resolving them would leave the bundle', () => {
    const name = fc.constantFrom('a', 'b', 'a/c', 'a/d', 'b/e');
    const parts = fc.array(fc.constantFrom('..', 'a', 'b', 'c', 'd', 'e'), { minLength: 1 });
    const links = fc.uniqueArray(
      fc.tuple(
        name,
        parts.map((all) => all.join('/')),
      ),
      {
        selector: ([path]) => path,
        maxLength: 4,
      },
    );
    fc.assert(
      fc.property(links, (tree) => {
        const folder = realpathSync(mkdtempSync(join(tmpdir(), 'installer-')));
        const leads = tree.filter((one) => make(folder, one)).filter((one) => leaves(folder, one));
        rmSync(folder, { recursive: true });
        expect(leads.length > 0 && accepts(tree)).toBe(false);
      }),
    );
  });
});

function accepts(links: [string, string][]): boolean {
  try {
    check(...links);
    return true;
  } catch {
    return false;
  }
}

/** Returns false if a link already exists at the path. */
function make(folder: string, [path, target]: [string, string]): boolean {
  try {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(target, join(folder, path));
    return true;
  } catch {
    return false;
  }
}

function leaves(folder: string, [path]: [string, string]): boolean {
  try {
    const real = realpathSync(join(folder, path));
    return real !== folder && !real.startsWith(`${folder}/`);
  } catch {
    return false;
  }
}
