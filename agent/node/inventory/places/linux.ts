import { findDesktopApps } from '../desktop-apps/linux.ts';
import { listProcesses } from '../processes/linux.ts';
import { sharedHomeBinDirs, type Places } from './places.ts';

export const linux: Places = {
  appData: '.config',
  binDirs: [
    '/usr/local/bin',
    '/usr/bin',
    '/snap/bin',
    '/home/linuxbrew/.linuxbrew/bin',
    '/opt/node/bin',
  ],
  homeBinDirs: [...sharedHomeBinDirs, '.local/share/pnpm', '.local/share/pnpm/bin'],
  homeModuleDirs: [
    '.local/share/pnpm/global/*/node_modules',
    '.volta/tools/image/packages/*/lib/node_modules',
  ],
  jetbrainsPluginDirs: ['.local/share/JetBrains/*', '.local/share/Google/AndroidStudio*'],
  skippedFolders: async () => ['snap'],
  findDesktopApps,
  listProcesses,
};
