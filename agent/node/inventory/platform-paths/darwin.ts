import { findDesktopApps } from '../desktop-apps/darwin.ts';
import { listProcesses } from '../processes/darwin.ts';
import type { Tree } from '../tree.ts';
import {
  nodeModuleDirs,
  sharedHomeBinDirs,
  type Home,
  type PlatformPaths,
} from './platform-paths.ts';

const excludedFolders = ['Applications', 'Library', 'Movies', 'Music', 'Pictures', 'Public'];

/**
 * Folders for which macOS asks the user for consent (TCC) when they are listed; discovery must not
 * disturb users. https://support.apple.com/guide/mac-help/mchld5a35146
 */
const consentFolders = ['Desktop', 'Documents', 'Downloads'];

/** Only a process with full disk access may open the consent database. Trying shows no prompt. */
const hasFullDiskAccess = (tree: Tree, home: Home): Promise<boolean> =>
  tree.mayOpen(`${home.dir}/Library/Application Support/com.apple.TCC/TCC.db`);

export const darwin: PlatformPaths = {
  system: 'darwin',
  appData: 'Library/Application Support',
  data: 'Library/Application Support',
  binDirs: [
    '/usr/local/bin',
    '/opt/homebrew/bin',
    '/opt/local/bin',
    '/usr/bin',
    '/opt/*/bin',
    '/opt/homebrew/Caskroom/*/base/bin',
    '/Library/Frameworks/Python.framework/Versions/*/bin',
    '/nix/var/nix/profiles/default/bin',
    '/run/current-system/sw/bin',
  ],
  homeBinDirs: [
    ...sharedHomeBinDirs,
    'Library/pnpm',
    'Library/pnpm/bin',
    'Library/Python/*/bin',
    'Library/Application Support/fnm/node-versions/*/installation/bin',
  ],
  homeModuleDirs: nodeModuleDirs('Library/pnpm'),
  jetbrainsPluginDirs: [
    'Library/Application Support/JetBrains/*/plugins',
    'Library/Application Support/JetBrains/Toolbox/apps/*/*/*.plugins',
    'Library/Application Support/Google/AndroidStudio*/plugins',
  ],
  zedExtensionDirs: [
    'Library/Application Support/Zed/extensions/installed',
    '.local/share/zed/extensions/installed',
  ],
  skippedFolders: async (tree, home) =>
    (await hasFullDiskAccess(tree, home))
      ? excludedFolders
      : [...excludedFolders, ...consentFolders],
  findDesktopApps,
  listProcesses,
};
