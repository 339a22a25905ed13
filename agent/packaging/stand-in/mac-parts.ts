import { basename } from 'node:path';
import type { MacParts } from '../mac/parts.ts';
import { filesIn } from './files.ts';
import { standInProgram } from './mach-o.ts';

/** Writes what xcodebuild makes of agent/macos, in form: extensions and the program beside them. */
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
