import type { AppReport } from '#contract/fleet.ts';
import { type Detector, detectors } from './detectors.ts';
import { type Finding, toReports } from './finding.ts';
import { darwin } from './places/darwin.ts';
import { linux } from './places/linux.ts';
import type { Home, Places, Scan } from './places/places.ts';
import {
  createProjectWalk,
  maxFolders,
  type ProjectFolder,
  type ProjectWalk,
} from './project-walk.ts';
import { withinLimit } from './report-limit.ts';
import { type Trace, traceTree } from './traced-tree.ts';
import type { Tree } from './tree.ts';
import { noWatcher, type Watcher } from './watching/watcher.ts';

const platforms = { linux, darwin };

const maxProblemLength = 500;
const dayMs = 24 * 60 * 60 * 1000;

export interface ScannerOptions {
  platform?: 'linux' | 'darwin' | undefined;
  watcher?: Watcher;
  /** After so long nothing that is remembered is believed any more. */
  forgetAfterMs?: number;
  now?: () => number;
}

export interface ScanOptions {
  signal?: AbortSignal | undefined;
  /** Where file systems begin that may not answer: not even looked at in a search for projects. */
  elsewhere?: ReadonlySet<string>;
}

export interface Scanner {
  /** Answers what a first scan would. Rejects only with the reason of `signal`. */
  scan: (
    homes: readonly Home[],
    options?: ScanOptions,
  ) => Promise<{ apps: AppReport[]; problems: string[] }>;
}

/** What one detector found, good as long as all that it asked has the same answers. */
interface Remembered {
  trace: Trace;
  projects: ReadonlyMap<string, readonly ProjectFolder[]>;
  findings: Finding[];
  problems: readonly string[];
}

/**
 * Scans again and again, and looks only at what may have changed since the last time: each detector
 * runs again when an answer that it got would be another one, and in homes the folders that changed
 * are searched for projects. Once a day it starts anew.
 */
export function createScanner(tree: Tree, options: ScannerOptions = {}): Scanner {
  const { watcher = noWatcher, forgetAfterMs = dayMs, now = Date.now } = options;
  const system = process.platform === 'darwin' ? 'darwin' : 'linux';
  const places = platforms[options.platform ?? system];
  const remembered = new Map<Detector, Remembered>();
  const walks = new Map<string, ProjectWalk>();
  let began = -Infinity;
  let homesBefore = '';

  const forget = (): void => {
    walks.forEach((walk) => walk.forget());
    walks.clear();
    remembered.clear();
    began = now();
  };

  const searchHome = async (scan: Context, home: Home): Promise<readonly ProjectFolder[]> => {
    const start = await tree.resolve(home.dir);
    if (start === undefined) return [];
    const walk = walks.get(start) ?? createProjectWalk(tree, watcher, now);
    walks.set(start, walk);
    const ignored = new Set(await places.skippedFolders(tree, home));
    const { checkpoint, elsewhere } = scan;
    const { projects, isCut } = walk.find(start, { ignored, elsewhere, checkpoint });
    if (isCut)
      scan.problem(`${home.dir}: more than ${maxFolders} folders, the rest was not searched`);
    return projects;
  };

  const run = async (context: Context, detect: Detector): Promise<Finding[]> => {
    const before = remembered.get(detect);
    const isSame =
      before &&
      [...before.projects].every(([dir, projects]) => context.projects.get(dir) === projects) &&
      (await before.trace.isStillTrue());
    const result = isSame ? before : await runTraced(context, detect);
    remembered.set(detect, result);
    context.isNew ||= !isSame && result.trace.isKnown();
    result.problems.forEach(context.problem);
    return result.findings;
  };

  const runTraced = async (context: Context, detect: Detector): Promise<Remembered> => {
    const traced = traceTree(tree, now);
    const projects = new Map<string, readonly ProjectFolder[]>();
    const problems: string[] = [];
    const scan: Scan = {
      tree: traced.tree,
      places: withoutMemory(places, traced.giveUp),
      homes: context.homes,
      projects: async ({ dir }) => {
        const found = context.projects.get(dir) ?? [];
        projects.set(dir, found);
        return found;
      },
      problem: (line) => problems.push(line),
      checkpoint: context.checkpoint,
    };
    return { findings: await detect(scan), trace: traced.trace, projects, problems };
  };

  const scanAll = async (context: Context): Promise<Finding[]> => {
    for (const home of context.homes) {
      context.checkpoint();
      context.projects.set(home.dir, await searchHome(context, home));
    }
    const findings: Finding[] = [];
    for (const detect of detectors) {
      context.checkpoint();
      findings.push(...(await run(context, detect)));
    }
    return findings;
  };

  return {
    scan: async (given, { signal, elsewhere = new Set<string>() } = {}) => {
      const homes = given
        .map(({ user, dir }) => ({ user, dir: dir.replace(/\/+$/, '') }))
        .toSorted((a, b) => (a.user < b.user ? -1 : 1));
      const problems = new Set<string>();
      const context: Context = {
        homes,
        projects: new Map(),
        elsewhere,
        isNew: false,
        problem: (line) => problems.add(line.slice(0, maxProblemLength)),
        checkpoint: () => signal?.throwIfAborted(),
      };
      const homesNow = JSON.stringify(homes);
      if (homesNow !== homesBefore || now() - began >= forgetAfterMs) forget();
      homesBefore = homesNow;
      watcher.begin();
      try {
        const { apps, problems: leftOut } = withinLimit(toReports(await scanAll(context)));
        if (context.isNew) watcher.follow(askedBy(remembered.values()));
        return { apps, problems: [...problems, ...leftOut].toSorted() };
      } catch (error) {
        // What the watcher told of this scan is told once.
        forget();
        throw error;
      }
    },
  };
}

interface Context {
  homes: readonly Home[];
  projects: Map<string, readonly ProjectFolder[]>;
  elsewhere: ReadonlySet<string>;
  /** A detector asked what it did not ask before. */
  isNew: boolean;
  problem: (line: string) => void;
  checkpoint: () => void;
}

/** Which processes run is no question to the tree, and has another answer each time. */
const withoutMemory = (places: Places, giveUp: () => void): Places => ({
  ...places,
  listProcesses: (scan) => {
    giveUp();
    return places.listProcesses(scan);
  },
});

function askedBy(all: Iterable<Remembered>) {
  const followed = { paths: new Set<string>(), listed: new Set<string>() };
  for (const { trace } of all) trace.addTo(followed);
  return followed;
}
