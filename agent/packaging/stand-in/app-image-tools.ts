import { filesIn } from './files.ts';

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
