import type { AppReport } from '#contract/fleet.ts';
import { findCommandLineTools } from './command-line-tools.ts';
import { findEditorExtensions } from './editor-extensions.ts';
import { toReports, type Finding } from './finding.ts';
import { findJetbrainsPlugins } from './jetbrains-plugins.ts';
import { findLocalModelServers } from './local-model-servers.ts';
import { findMcpServers } from './mcp-servers.ts';
import { darwin } from './places/darwin.ts';
import { linux } from './places/linux.ts';
import type { Home, Scan } from './places/places.ts';
import { openTree, type Tree } from './tree.ts';

const platforms = { linux, darwin };

/** The control plane takes no more in one report. */
const maxApps = 5000;
const maxProblemLength = 500;

const detectors: readonly ((scan: Scan) => Promise<Finding[]>)[] = [
  (scan) => scan.places.findDesktopApps(scan),
  findCommandLineTools,
  findEditorExtensions,
  findJetbrainsPlugins,
  findMcpServers,
  findLocalModelServers,
];

export interface InventoryOptions {
  /** Whose folders are searched, as absolute paths below `root`. */
  homes: readonly Home[];
  root?: string;
  platform?: 'linux' | 'darwin';
  signal?: AbortSignal;
}

export interface Inventory {
  apps: AppReport[];
  /** What could not be read, one line each, naming the file. */
  problems: string[];
}

/**
 * Finds the AI apps of this machine by reading files and the process table: nothing that is found
 * is run, and nothing secret is copied. The same machine gives the same list in the same order.
 * Rejects only with the reason of `signal`.
 */
export function scanInventory(options: InventoryOptions): Promise<Inventory> {
  return scanTree(openTree(options.root ?? '/'), options);
}

/** As scanInventory, for a tree that is already open. */
export async function scanTree(tree: Tree, options: InventoryOptions): Promise<Inventory> {
  const system = process.platform === 'darwin' ? 'darwin' : 'linux';
  const problems = new Set<string>();
  const scan: Scan = {
    tree,
    places: platforms[options.platform ?? system],
    homes: options.homes
      .map(({ user, dir }) => ({ user, dir: dir.replace(/\/+$/, '') }))
      .toSorted((a, b) => (a.user < b.user ? -1 : 1)),
    problem: (line) => problems.add(line.slice(0, maxProblemLength)),
    checkpoint: () => options.signal?.throwIfAborted(),
  };
  const findings: Finding[] = [];
  for (const detect of detectors) {
    scan.checkpoint();
    findings.push(...(await detect(scan)));
  }
  const apps = toReports(findings);
  if (apps.length > maxApps) scan.problem(`${apps.length} apps found, ${maxApps} reported`);
  return { apps: apps.slice(0, maxApps), problems: [...problems].toSorted() };
}
