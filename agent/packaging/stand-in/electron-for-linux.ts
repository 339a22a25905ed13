import { filesIn } from './mac-parts.ts';
import { standInFuseWire } from './electron-for-mac.ts';

/** Writes what an unpacked Electron for Linux consists of, as far as packing looks at it. */
export function writeElectronForLinux(folder: string, version: string): void {
  const { file, program } = filesIn(folder);
  program('electron', Buffer.concat([Buffer.from('#!/bin/false\n'), standInFuseWire]));
  program('chrome-sandbox', '#!/bin/false\n');
  program('chrome_crashpad_handler', '#!/bin/false\n');
  file('version', version);
  file('LICENSE', 'A stand-in for Electron: nothing of Electron is in it.\n');
  file('LICENSES.chromium.html', '<title>stand-in</title>\n');
  file('resources.pak', 'stand-in');
  file('icudtl.dat', 'stand-in');
  file('locales/en-US.pak', 'stand-in');
  file('resources/default_app.asar', '');
}

/**
 * Writes the tools that electron-builder downloads for AppImages: the squashfs is made by the
 * system's own mksquashfs (package squashfs-tools), the program before it cannot run. Answers where.
 */
export function writeAppImageTools(folder: string): string {
  const { program, file } = filesIn(folder);
  program('mksquashfs', '#!/bin/sh\nexec mksquashfs "$@"\n');
  program('desktop-file-validate', '#!/bin/sh\nexit 0\n');
  for (const arch of ['x64', 'arm64']) {
    program(`runtimes/runtime-${arch}`, 'a stand-in for the runtime of AppImages\n');
    file(`lib/${arch}/.keep`, '');
  }
  return folder;
}
