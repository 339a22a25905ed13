import type { Finding } from '../finding.ts';
import type { PluginRoot, Home } from '../plugin-root.ts';
import type { ProjectFolder } from '../project-walk.ts';
import type { RunningProcess } from '../processes/process.ts';
import type { Tree } from '../tree.ts';

export type { Home } from '../plugin-root.ts';

/** The context of a scan, which every detector gets. */
export interface Scan {
  tree: Tree;
  platformPaths: PlatformPaths;
  homes: readonly Home[];
  /** Folders of a home that the project search found, by level and path. */
  projects: (home: Home) => Promise<readonly ProjectFolder[]>;
  /** Adds one line for the administrator; duplicates are dropped. */
  problem: (line: string) => void;
  /**
   * Records that a file, or the content of a folder (ending in `/`), was not read completely: apps
   * found there before still count. The reason becomes a problem too.
   */
  notRead: (path: string, reason: string) => void;
  /** @throws Error with the reason if the scan was abandoned */
  checkpoint: () => void;
  /** Bytes of programs read so far: limits the time for a folder of large ones. */
  programBytes?: number;
  /** Archives of apps opened so far, for the same reason. */
  archives?: number;
  /** Bytes of apps' code searched for addresses so far. */
  codeBytes?: number;
  /** The plugin roots, searched once per scan. */
  pluginRoots?: Promise<readonly PluginRoot[]>;
}

/** The paths of one operating system. Paths below a home have no leading slash. */
export interface PlatformPaths {
  system: 'darwin' | 'linux';
  /** The folders where apps store settings (`appData`) and data (`data`). */
  appData: string;
  data: string;
  binDirs: readonly string[];
  homeBinDirs: readonly string[];
  /** Global `node_modules` whose programs are started by scripts instead of links. */
  homeModuleDirs: readonly string[];
  /** Folders whose members are JetBrains plugins. */
  jetbrainsPluginDirs: readonly string[];
  /** Folders whose members are Zed extensions. */
  zedExtensionDirs: readonly string[];
  /** Folders of a home that are not searched for projects. */
  skippedFolders: (tree: Tree, home: Home) => Promise<readonly string[]>;
  findDesktopApps: (scan: Scan) => Promise<Finding[]>;
  listProcesses: (scan: Scan) => Promise<RunningProcess[]>;
}

/** Folders of Conda and similar tools, each with its environments. */
const condaDirs = ['miniconda3', 'anaconda3', 'miniforge3', 'mambaforge', 'micromamba', '.conda'];

/** Folders that are the same on both systems, because the tools create them. */
export const sharedHomeBinDirs: readonly string[] = [
  '.local/bin',
  'bin',
  // Package managers for Node.
  '.npm-global/bin',
  '.npm-packages/bin',
  '.bun/bin',
  '.deno/bin',
  '.yarn/bin',
  '.config/yarn/global/node_modules/.bin',
  '.volta/bin',
  '.npm/_npx/*/node_modules/.bin',
  // Version managers for Node and other tools.
  '.nvm/versions/node/*/bin',
  '.fnm/node-versions/*/installation/bin',
  '.local/share/fnm/node-versions/*/installation/bin',
  'n/bin',
  '.n/bin',
  '.nodenv/versions/*/bin',
  '.proto/tools/node/*/bin',
  '.asdf/installs/*/*/bin',
  '.local/share/mise/installs/*/*/bin',
  '.local/share/mise/installs/*/*',
  // Python.
  '.pyenv/versions/*/bin',
  '.local/share/uv/tools/*/bin',
  '.local/share/pipx/venvs/*/bin',
  '.local/pipx/venvs/*/bin',
  ...condaDirs.flatMap((dir) => [`${dir}/bin`, `${dir}/envs/*/bin`]),
  '.pixi/bin',
  '.pixi/envs/*/bin',
  // Other languages and systems.
  '.cargo/bin',
  'go/bin',
  '.nix-profile/bin',
  '.linuxbrew/bin',
  'homebrew/bin',
  // Installers of the tools themselves.
  '.opencode/bin',
  '.amp/bin',
  '.devin/bin',
  '.grok/bin',
  '.kimi-code/bin',
  '.snowflake/cortex/bin',
  '.claude/local/node_modules/.bin',
];

/** Global `node_modules`, below a home, whose programs are started by scripts. */
export const nodeModuleDirs = (pnpm: string): readonly string[] => [
  `${pnpm}/global/*/node_modules`,
  `${pnpm}/global/*/*/node_modules`,
  '.volta/tools/image/packages/*/lib/node_modules',
  '.volta/tools/image/packages/*/*/lib/node_modules',
];
