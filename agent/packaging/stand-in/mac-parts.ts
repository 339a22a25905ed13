import { basename, dirname, join } from 'node:path';
import type { MacParts } from '../mac/parts.ts';
import { standInProgram } from './mach-o.ts';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { build } from 'plist';

export type Content = string | Buffer;

/** Writes files of a stand-in below a folder. */
export function filesIn(folder: string) {
  const place = (path: string): string => {
    const whole = join(folder, path);
    mkdirSync(dirname(whole), { recursive: true });
    return whole;
  };
  return {
    file: (path: string, content: Content): void => writeFileSync(place(path), content),
    program: (path: string, content: Content): void =>
      writeFileSync(place(path), content, { mode: 0o755 }),
    link: (path: string, target: string): void => symlinkSync(target, place(path)),
    infoPlist: (path: string, info: Record<string, string | boolean>): void =>
      writeFileSync(place(path), `${build(info)}\n`),
  };
}

/** Writes files in the layout of the build of agent/macos: the extensions and the extension tool. */
export function writeMacParts(parts: MacParts, version: string): void {
  for (const folder of [parts.flowMonitor, parts.proxyMonitor]) writeExtension(folder, version);
  filesIn('/').program(parts.extensionTool, standInProgram(Buffer.from('extension tool')));
}

function writeExtension(folder: string, version: string): void {
  const id = basename(folder, '.systemextension');
  const { program, infoPlist } = filesIn(`${folder}/Contents`);
  program(`MacOS/${id}`, standInProgram(Buffer.from(id)));
  infoPlist('Info.plist', {
    CFBundleExecutable: id,
    CFBundleIdentifier: id,
    CFBundlePackageType: 'SYSX',
    CFBundleShortVersionString: version,
    CFBundleVersion: version,
  });
}
