import { execFileSync } from 'node:child_process';
import { lutimesSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'plist';
import { CPU_ARM64, CPU_X86_64 } from '../mach-o.ts';

/** Creates a thin Mach-O file of one architecture and the given size. */
export function thinMachO(cpuType: number, size: number): Buffer {
  const bytes = Buffer.alloc(size, cpuType % 251);
  // The words are the 64-bit magic, cpu type and subtype, kind "executable", and no load commands.
  for (const [i, word] of [0xfeedfacf, cpuType, 3, 2, 0, 0, 0, 0].entries())
    bytes.writeUInt32LE(word, i * 4);
  return bytes;
}

/** Creates a universal file for both processors of a Mac. The slices are aligned to 4096 bytes. */
export function fatMachO(): Buffer {
  const slices = [thinMachO(CPU_X86_64, 2000), thinMachO(CPU_ARM64, 1000)];
  const header = Buffer.alloc(4096);
  header.writeUInt32BE(0xcafebabe);
  header.writeUInt32BE(slices.length, 4);
  for (const [i, slice] of slices.entries()) {
    const fields = [slice.readUInt32LE(4), 3, 4096 * (i + 1), slice.length, 12];
    for (const [j, field] of fields.entries()) header.writeUInt32BE(field, 8 + i * 20 + j * 4);
  }
  const [first, second] = slices as [Buffer, Buffer];
  return Buffer.concat([header, first, Buffer.alloc(4096 - first.length), second]);
}

export const infoPlist = {
  CFBundleIdentifier: 'com.gatehouse.agent',
  CFBundleExecutable: 'Gatehouse',
  CFBundleShortVersionString: '1.2.3',
  CFBundleVersion: '456',
  LSMinimumSystemVersion: '13.0',
};

export const product = {
  appName: 'Gatehouse',
  bundleId: 'com.gatehouse.agent',
  version: '1.2.3',
};

/**
 * The modification time, in seconds, of everything in the bundle except the program, which is a
 * little later.
 */
export const MODIFIED = 1_700_000_000;

/**
 * Creates a representative app bundle: a universal program, a framework with links, an empty file
 * and folder, non-ASCII names, and the given number of small files.
 */
export function makeApp(app: string, info: object = infoPlist, smallFiles = 3): void {
  const file = (path: string, content: string | Buffer, mode = 0o644) => {
    mkdirSync(dirname(join(app, path)), { recursive: true });
    writeFileSync(join(app, path), content, { mode });
  };
  file('Contents/Info.plist', build(info as Parameters<typeof build>[0]));
  file('Contents/MacOS/Gatehouse', fatMachO(), 0o755);
  file('Contents/PkgInfo', '');
  file('Contents/Resources/zürich & "co".lproj/a<b>.strings', 'it\n');
  file('Contents/Frameworks/F.framework/Versions/A/F', 'framework');
  mkdirSync(join(app, 'Contents/Library/Empty'), { recursive: true });
  symlinkSync('A', join(app, 'Contents/Frameworks/F.framework/Versions/Current'));
  symlinkSync('Versions/Current/F', join(app, 'Contents/Frameworks/F.framework/F'));
  for (let i = 0; i < smallFiles; i += 1)
    file(`Contents/Resources/part-${i % 7}/${i}.txt`, `${i} `.repeat(i));
  setTimes(app);
  lutimesSync(join(app, 'Contents/MacOS/Gatehouse'), MODIFIED + 60, MODIFIED + 60);
}

function setTimes(path: string): void {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const below = join(path, entry.name);
    if (entry.isDirectory()) setTimes(below);
    else lutimesSync(below, MODIFIED, MODIFIED);
  }
  lutimesSync(path, MODIFIED, MODIFIED);
}

/** Copies the app, preserving modification times, including those of folders and links. */
export const copyApp = (app: string, copy: string): void =>
  void execFileSync('cp', ['-a', app, copy]);
