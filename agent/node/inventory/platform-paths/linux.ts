import { findDesktopApps } from '../desktop-apps/linux.ts';
import { listProcesses } from '../processes/linux.ts';
import { nodeModuleDirs, sharedHomeBinDirs, type PlatformPaths } from './platform-paths.ts';

export const linux: PlatformPaths = {
  system: 'linux',
  appData: '.config',
  data: '.local/share',
  binDirs: [
    '/usr/local/bin',
    '/usr/bin',
    '/snap/bin',
    '/var/lib/snapd/snap/bin',
    '/home/linuxbrew/.linuxbrew/bin',
    '/opt/*/bin',
    '/nix/var/nix/profiles/default/bin',
    '/run/current-system/sw/bin',
  ],
  homeBinDirs: [...sharedHomeBinDirs, '.local/share/pnpm', '.local/share/pnpm/bin'],
  homeModuleDirs: nodeModuleDirs('.local/share/pnpm'),
  jetbrainsPluginDirs: [
    '.local/share/JetBrains/*',
    '.local/share/JetBrains/Toolbox/apps/*/*/*.plugins',
    '.local/share/JetBrains/Toolbox/apps/*/plugins',
    '.config/JetBrains/*/plugins',
    '.local/share/Google/AndroidStudio*',
    '.var/app/com.jetbrains.*/data/JetBrains/*',
  ],
  zedExtensionDirs: [
    '.local/share/zed/extensions/installed',
    '.var/app/dev.zed.Zed/data/zed/extensions/installed',
  ],
  skippedFolders: async () => ['snap'],
  findDesktopApps,
  listProcesses,
};
