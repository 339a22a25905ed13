import { filesIn } from './mac-parts.ts';
import { standInFuseWire } from './electron-for-mac.ts';

/** Writes the files of an unpacked Electron for Linux that electron-builder reads. */
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
 * Writes the AppImage tools that electron-builder would download. The squashfs is made by mksquashfs of
 * the system (package squashfs-tools); the runtime before it cannot run. Returns the folder.
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
