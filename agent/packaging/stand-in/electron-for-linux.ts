import { filesIn } from './files.ts';
import { standInFuseWire } from './fuse-wire.ts';

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
