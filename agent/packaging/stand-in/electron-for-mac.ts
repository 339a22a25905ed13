import { filesIn } from './mac-parts.ts';
import { standInProgram } from './mach-o.ts';

/** The bytes that mark the fuses in the Electron program (electron/build/fuses). */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const VERSION = 1;

/** Electron's default fuses: run as Node, NODE_OPTIONS, inspect, file:// and traps are on. */
const DEFAULT_FUSES = '101100011';

export const standInFuseWire = Buffer.concat([
  Buffer.from(`a stand-in for Electron\n${SENTINEL}`),
  Buffer.from([VERSION, DEFAULT_FUSES.length]),
  Buffer.from(DEFAULT_FUSES),
]);

const helpers = ['Helper', 'Helper (GPU)', 'Helper (Plugin)', 'Helper (Renderer)'];

/**
 * Writes the files of an unpacked Electron for macOS that electron-builder reads: bundles, property
 * lists with Electron's keys, and programs for both processors that cannot run.
 */
export function writeElectronForMac(folder: string, version: string): void {
  const { file, infoPlist } = filesIn(folder);
  file('version', version);
  file('LICENSE', 'A stand-in for Electron: nothing of Electron is in it.\n');
  file('LICENSES.chromium.html', '<title>stand-in</title>\n');
  const app = filesIn(`${folder}/Electron.app/Contents`);
  app.program('MacOS/Electron', standInProgram(Buffer.from('Electron')));
  app.file('PkgInfo', 'APPL????');
  app.file('Resources/electron.icns', 'icns');
  app.file('Resources/default_app.asar', '');
  app.file('Resources/en.lproj/.keep', '');
  writeFramework(
    `${folder}/Electron.app/Contents/Frameworks/Electron Framework.framework`,
    version,
  );
  infoPlist('Electron.app/Contents/Info.plist', {
    ...bundle('Electron', 'com.github.Electron'),
    LSMinimumSystemVersion: '12.0',
    NSHighResolutionCapable: true,
    NSCameraUsageDescription: 'This app needs access to the camera',
    NSMicrophoneUsageDescription: 'This app needs access to the microphone',
    NSBluetoothAlwaysUsageDescription: 'This app needs access to Bluetooth',
  });
  for (const helper of helpers) writeHelper(folder, `Electron ${helper}`);
}

function writeFramework(folder: string, version: string): void {
  const { program, file, infoPlist, link } = filesIn(folder);
  program('Versions/A/Electron Framework', standInProgram(standInFuseWire));
  file('Versions/A/Resources/icudtl.dat', 'stand-in');
  file('Versions/A/Resources/en.lproj/locale.pak', 'stand-in');
  infoPlist('Versions/A/Resources/Info.plist', {
    ...bundle('Electron Framework', 'com.github.Electron.framework'),
    CFBundleVersion: version,
  });
  link('Versions/Current', 'A');
  link('Electron Framework', 'Versions/Current/Electron Framework');
  link('Resources', 'Versions/Current/Resources');
}

function writeHelper(folder: string, name: string): void {
  const { program, infoPlist } = filesIn(
    `${folder}/Electron.app/Contents/Frameworks/${name}.app/Contents`,
  );
  program(`MacOS/${name}`, standInProgram(Buffer.from(name)));
  infoPlist('Info.plist', { ...bundle(name, 'com.github.Electron.helper'), LSUIElement: true });
}

const bundle = (name: string, id: string) => ({
  CFBundleExecutable: name,
  CFBundleName: name,
  CFBundleIdentifier: id,
  CFBundlePackageType: 'APPL',
});
