import type { Finding } from '../finding.ts';
import type { RunningProcess } from '../processes/process.ts';
import type { Tree } from '../tree.ts';

export interface Home {
  user: string;
  /** Absolute, seen from the tree's root. */
  dir: string;
}

/** What every detector is given. */
export interface Scan {
  tree: Tree;
  places: Places;
  homes: readonly Home[];
  /** Notes one line for the administrator; the same line twice is one. */
  problem: (line: string) => void;
  /** Throws the reason if the scan was given up. */
  checkpoint: () => void;
}

/** Where one operating system keeps things. Paths below a home have no leading slash. */
export interface Places {
  appData: string;
  binDirs: readonly string[];
  homeBinDirs: readonly string[];
  /** Global `node_modules` whose programs are started by scripts instead of links. */
  homeModuleDirs: readonly string[];
  /** Folders whose members are JetBrains plugins. */
  jetbrainsPluginDirs: readonly string[];
  /** Folders of a home in which no project is looked for. */
  skippedFolders: (tree: Tree, home: Home) => Promise<readonly string[]>;
  findDesktopApps: (scan: Scan) => Promise<Finding[]>;
  listProcesses: (scan: Scan) => Promise<RunningProcess[]>;
}

/** Where both systems agree, since the tools bring their own folders. */
export const sharedHomeBinDirs: readonly string[] = [
  '.local/bin',
  'bin',
  '.npm-global/bin',
  '.npm-packages/bin',
  '.bun/bin',
  '.deno/bin',
  '.cargo/bin',
  '.yarn/bin',
  '.volta/bin',
  'go/bin',
  '.opencode/bin',
  '.amp/bin',
  '.devin/bin',
  '.claude/local/node_modules/.bin',
  '.nvm/versions/node/*/bin',
  '.asdf/installs/nodejs/*/bin',
  '.local/share/mise/installs/node/*/bin',
  '.local/share/fnm/node-versions/*/installation/bin',
];
