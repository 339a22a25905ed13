import type { AppReport, NotRead } from '#contract/inventory.ts';
import { DAY_MS } from '#lib/time-units.ts';
import { type Detector, detectors } from './detectors.ts';
import { type Finding, toReports } from './finding.ts';
import { guardTree, PRIVATE } from './guarded-tree.ts';
import { darwin } from './platform-paths/darwin.ts';
import { linux } from './platform-paths/linux.ts';
import type { Home, PlatformPaths, Scan } from './platform-paths/platform-paths.ts';
import {
  createProjectWalk,
  MAX_FOLDERS,
  type ProjectFolder,
  type ProjectWalk,
} from './project-walk.ts';
import { limitNotRead, keyOfApp, limitApps } from './report-limit.ts';
import { type Trace, traceTree } from './traced-tree.ts';
import type { Tree } from './tree.ts';
import { noWatcher, type Watcher } from './watching/watcher.ts';

const platforms = { linux, darwin };

const MAX_PROBLEM_LENGTH = 500;
/** The number of folders above which they are summarized as their home. */
const MAX_NAMED_FOLDERS = 200;

export interface ScannerOptions {
  platform?: 'linux' | 'darwin' | undefined;
  watcher?: Watcher;
  /** The maximum age of cached results. */
  forgetAfterMs?: number;
  now?: () => number;
}

export interface ScanOptions {
  signal?: AbortSignal | undefined;
  /**
   * Mount points of file systems that may not respond, which the project search must not access.
   */
  remoteMounts?: ReadonlySet<string>;
}

export interface Scanner {
  /** Returns the same result as a first scan. Rejects only with the reason of `signal`. */
  scan: (homes: readonly Home[], options?: ScanOptions) => Promise<Inventory>;
}

export interface Inventory {
  apps: AppReport[];
  /** Files that could not be read, one line each. */
  problems: string[];
  /** Paths where apps may be missing: apps found there before still count. */
  notRead: NotRead[];
}

/** A detector's findings, valid while all its reads would return the same. */
interface DetectorCache {
  trace: Trace;
  projects: ReadonlyMap<string, readonly ProjectFolder[]>;
  findings: Finding[];
  problems: readonly string[];
  notRead: readonly NotRead[];
}

/** The state that a scan keeps for the next one. */
interface ScannerState {
  tree: Tree;
  watcher: Watcher;
  now: () => number;
  platform: PlatformPaths;
  results: Map<Detector, DetectorCache>;
  walks: Map<string, ProjectWalk>;
  startedAt: number;
}

/** The context of one scan. */
interface Context {
  homes: readonly Home[];
  projects: Map<string, readonly ProjectFolder[]>;
  remoteMounts: ReadonlySet<string>;
  /** Whether a detector made new reads. */
  isNew: boolean;
  problems: Set<string>;
  notRead: NotRead[];
  checkpoint: () => void;
}

/**
 * Scans repeatedly and rereads only files and folders that may have changed since the last scan: a
 * detector runs again when one of its file system reads would return a different result, and in
 * homes only changed folders are searched for projects. Once a day it scans everything.
 */
export function createScanner(tree: Tree, options: ScannerOptions = {}): Scanner {
  const { watcher = noWatcher, forgetAfterMs = DAY_MS, now = Date.now } = options;
  const system = process.platform === 'darwin' ? 'darwin' : 'linux';
  const guard = guardTree(tree);
  const memory: ScannerState = {
    tree: guard.tree,
    watcher,
    now,
    platform: platforms[options.platform ?? system],
    results: new Map(),
    walks: new Map(),
    startedAt: -Infinity,
  };
  let homesBefore = '';
  /** The apps of the previous report, which take precedence in the next. */
  let before: ReadonlySet<string> = new Set();

  return {
    scan: async (given, scanOptions) => {
      const context = newContext(given, scanOptions);
      const homesNow = JSON.stringify(context.homes);
      if (homesNow !== homesBefore || now() - memory.startedAt >= forgetAfterMs)
        discardOldCaches(memory);
      homesBefore = homesNow;
      watcher.begin();
      try {
        await guard.protect(context.homes);
        const report = limitApps(toReports(await scanAll(memory, context)), { before });
        for (const path of guard.refused()) {
          addProblem(context, `${path}: ${PRIVATE}`);
          context.notRead.push({ kind: null, path, reason: PRIVATE });
        }
        if (context.isNew) watcher.setWatched(operationsOf(memory.results.values()));
        before = new Set(report.apps.map(keyOfApp));
        return {
          apps: report.apps,
          problems: [...context.problems, ...report.problems].toSorted(),
          notRead: limitNotRead([...context.notRead, ...report.excluded]),
        };
      } catch (error) {
        // Changes reported during this scan are handled once.
        discardOldCaches(memory);
        throw error;
      }
    },
  };
}

function newContext(
  given: readonly Home[],
  { signal, remoteMounts = new Set<string>() }: ScanOptions = {},
): Context {
  const homes = given
    .map(({ user, dir }) => ({ user, dir: dir.replace(/\/+$/, '') }))
    .toSorted((a, b) => (a.user < b.user ? -1 : 1));
  return {
    homes,
    projects: new Map(),
    remoteMounts,
    isNew: false,
    problems: new Set(),
    notRead: [],
    checkpoint: () => signal?.throwIfAborted(),
  };
}

function discardOldCaches(memory: ScannerState): void {
  memory.walks.forEach((walk) => walk.forget());
  memory.walks.clear();
  memory.results.clear();
  memory.startedAt = memory.now();
}

async function scanAll(memory: ScannerState, context: Context): Promise<Finding[]> {
  for (const home of context.homes) {
    context.checkpoint();
    context.projects.set(home.dir, await searchHome(memory, context, home));
  }
  const findings: Finding[] = [];
  for (const detect of detectors) {
    context.checkpoint();
    findings.push(...(await runDetector(memory, context, detect)));
  }
  return findings;
}

async function searchHome(
  { tree, walks, watcher, now, platform }: ScannerState,
  context: Context,
  home: Home,
): Promise<readonly ProjectFolder[]> {
  const start = await tree.resolve(home.dir);
  if (start === undefined) return [];
  const walk = walks.get(start) ?? createProjectWalk(tree, watcher, now);
  walks.set(start, walk);
  const ignored = new Set(await platform.skippedFolders(tree, home));
  const { checkpoint, remoteMounts } = context;
  const { projects, isTruncated } = walk.find(start, { ignored, remoteMounts, checkpoint });
  if (isTruncated) reportTruncation(context, home, tree.entries(start), ignored);
  return projects;
}

/**
 * Notes folders that were not searched. The search goes level by level, so they are below the
 * folders of the first level.
 */
function reportTruncation(
  context: Context,
  home: Home,
  entries: ReturnType<Tree['entries']>,
  ignored: ReadonlySet<string>,
): void {
  addProblem(context, `${home.dir}: more than ${MAX_FOLDERS} folders, the rest was not searched`);
  const folders = entries
    .filter(({ kind, name }) => kind === 'directory' && !name.startsWith('.'))
    .filter(({ name }) => !ignored.has(name))
    .map(({ name }) => `${home.dir}/${name}/`);
  const paths = folders.length > MAX_NAMED_FOLDERS ? [`${home.dir}/`] : folders;
  const reason = `more than ${MAX_FOLDERS} folders in ${home.dir}`;
  for (const path of paths) context.notRead.push({ kind: null, path, reason });
}

const addProblem = ({ problems }: Context, line: string): void =>
  void problems.add(line.slice(0, MAX_PROBLEM_LENGTH));

/** Returns a detector's findings: the cached ones if all its reads would return the same. */
async function runDetector(
  memory: ScannerState,
  context: Context,
  detect: Detector,
): Promise<Finding[]> {
  const before = memory.results.get(detect);
  const isSame =
    before &&
    [...before.projects].every(([dir, projects]) => context.projects.get(dir) === projects) &&
    (await before.trace.isUnchanged());
  const result = isSame ? before : await runTraced(memory, context, detect);
  memory.results.set(detect, result);
  context.isNew ||= !isSame && result.trace.isKnown();
  for (const line of result.problems) addProblem(context, line);
  for (const place of result.notRead) context.notRead.push(place);
  return result.findings;
}

async function runTraced(
  { tree, now, platform }: ScannerState,
  context: Context,
  detect: Detector,
): Promise<DetectorCache> {
  const traced = traceTree(tree, now);
  const projects = new Map<string, readonly ProjectFolder[]>();
  const problems: string[] = [];
  const notRead: NotRead[] = [];
  const scan: Scan = {
    tree: traced.tree,
    platformPaths: withUncacheableProcesses(platform, traced.giveUp),
    homes: context.homes,
    projects: async ({ dir }) => {
      const found = context.projects.get(dir) ?? [];
      projects.set(dir, found);
      return found;
    },
    problem: (line) => problems.push(line),
    notRead: (path, reason) => {
      problems.push(`${path === '/' ? path : path.replace(/\/$/, '')}: ${reason}`);
      notRead.push({ kind: null, path, reason });
    },
    checkpoint: context.checkpoint,
  };
  return { findings: await detect(scan), trace: traced.trace, projects, problems, notRead };
}

/** Running processes cannot be cached, because they differ each time. */
const withUncacheableProcesses = (places: PlatformPaths, giveUp: () => void): PlatformPaths => ({
  ...places,
  listProcesses: (scan) => {
    giveUp();
    return places.listProcesses(scan);
  },
});

function operationsOf(all: Iterable<DetectorCache>) {
  const followed = { paths: new Set<string>(), listed: new Set<string>() };
  for (const { trace } of all) trace.addTo(followed);
  return followed;
}
