import type { Finding } from '../finding.ts';
import type { PluginRoot, Home } from '../plugin-root.ts';
import type { ProjectFolder } from '../project-walk.ts';
import type { RunningProcess } from '../processes/process.ts';
import type { Tree } from '../tree.ts';

export type { Home } from '../plugin-root.ts';

/** What every detector is given. */
export interface Scan {
  tree: Tree;
  platformPaths: PlatformPaths;
  homes: readonly Home[];
  /** Folders of a home that a search for projects found, by level and path. */
  projects: (home: Home) => Promise<readonly ProjectFolder[]>;
  /** Notes one line for the administrator; the same line twice is one. */
  problem: (line: string) => void;
  /**
   * Notes that a file, or what is below a folder (with `/` at its end), was not read or not all of
   * it: what was found there before counts as there still. The reason becomes a problem, too.
   */
  notRead: (path: string, reason: string) => void;
  /** @throws Error with the reason if the scan was given up */
  checkpoint: () => void;
  /** Bytes of programs that were read: a folder full of large ones must not hold the scan up. */
  programBytes?: number;
  /** Archives of apps that were opened, for the same reason. */
  archives?: number;
  /** Looked for once in a scan. */
  pluginRoots?: Promise<readonly PluginRoot[]>;
}

/** Where one operating system keeps things. Paths below a home have no leading slash. */
export interface PlatformPaths {
  system: 'darwin' | 'linux';
  /** Where apps keep settings, and where they keep data. */
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
  /** Folders of a home in which no project is looked for. */
  skippedFolders: (tree: Tree, home: Home) => Promise<readonly string[]>;
  findDesktopApps: (scan: Scan) => Promise<Finding[]>;
  listProcesses: (scan: Scan) => Promise<RunningProcess[]>;
}

/** Conda and its kin, each with its environments. */
const condaDirs = ['miniconda3', 'anaconda3', 'miniforge3', 'mambaforge', 'micromamba', '.conda'];

/** Where both systems agree, since the tools bring their own folders. */
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
  // Versions of Node, and of anything.
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
export const modulesIn = (pnpm: string): readonly string[] => [
  `${pnpm}/global/*/node_modules`,
  `${pnpm}/global/*/*/node_modules`,
  '.volta/tools/image/packages/*/lib/node_modules',
  '.volta/tools/image/packages/*/*/lib/node_modules',
];
