import type { AppReport, NotRead } from '#contract/fleet.ts';
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
import { boundNotRead, keyOfApp, withinLimit } from './report-limit.ts';
import { type Trace, traceTree } from './traced-tree.ts';
import type { Tree } from './tree.ts';
import { noWatcher, type Watcher } from './watching/watcher.ts';

const platforms = { linux, darwin };

const maxProblemLength = 500;
/** More folders are named together, as the home that they are in. */
const mostFoldersNamed = 200;
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
  scan: (homes: readonly Home[], options?: ScanOptions) => Promise<Inventory>;
}

export interface Inventory {
  apps: AppReport[];
  /** What could not be read, one line each, naming the file. */
  problems: string[];
  /** From where apps may be missing: what was found there before is not gone. */
  notRead: NotRead[];
}

/** What one detector found, good as long as all that it asked has the same answers. */
interface Remembered {
  trace: Trace;
  projects: ReadonlyMap<string, readonly ProjectFolder[]>;
  findings: Finding[];
  problems: readonly string[];
  notRead: readonly NotRead[];
}

/**
 * Scans repeatedly and only rereads what may have changed since the last scan: a detector runs again
 * when one of its file system reads would return something else, and in homes only changed folders
 * are searched for projects. Once a day it scans everything.
 */
export function createScanner(tree: Tree, options: ScannerOptions = {}): Scanner {
  const { watcher = noWatcher, forgetAfterMs = dayMs, now = Date.now } = options;
  const system = process.platform === 'darwin' ? 'darwin' : 'linux';
  const places = platforms[options.platform ?? system];
  const remembered = new Map<Detector, Remembered>();
  const walks = new Map<string, ProjectWalk>();
  let began = -Infinity;
  let homesBefore = '';
  /** What the report before had: it has a place in the next. */
  let before: ReadonlySet<string> = new Set();

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
    if (isCut) noteCut(scan, home, start, ignored);
    return projects;
  };

  /** A search goes level by level: what is missing is in one of the folders of the first level. */
  const noteCut = (scan: Context, home: Home, start: string, ignored: ReadonlySet<string>) => {
    scan.problem(`${home.dir}: more than ${maxFolders} folders, the rest was not searched`);
    const folders = tree
      .entries(start)
      .filter(({ kind, name }) => kind === 'directory' && !name.startsWith('.'))
      .filter(({ name }) => !ignored.has(name))
      .map(({ name }) => `${home.dir}/${name}/`);
    const paths = folders.length > mostFoldersNamed ? [`${home.dir}/`] : folders;
    const reason = `more than ${maxFolders} folders in ${home.dir}`;
    for (const path of paths) scan.leftOut({ kind: null, path, reason });
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
    result.notRead.forEach(context.leftOut);
    return result.findings;
  };

  const runTraced = async (context: Context, detect: Detector): Promise<Remembered> => {
    const traced = traceTree(tree, now);
    const projects = new Map<string, readonly ProjectFolder[]>();
    const problems: string[] = [];
    const notRead: NotRead[] = [];
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
      notRead: (path, reason) => {
        problems.push(`${path === '/' ? path : path.replace(/\/$/, '')}: ${reason}`);
        notRead.push({ kind: null, path, reason });
      },
      checkpoint: context.checkpoint,
    };
    return { findings: await detect(scan), trace: traced.trace, projects, problems, notRead };
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
      const notRead: NotRead[] = [];
      const context: Context = {
        homes,
        projects: new Map(),
        elsewhere,
        isNew: false,
        problem: (line) => problems.add(line.slice(0, maxProblemLength)),
        leftOut: (source) => notRead.push(source),
        checkpoint: () => signal?.throwIfAborted(),
      };
      const homesNow = JSON.stringify(homes);
      if (homesNow !== homesBefore || now() - began >= forgetAfterMs) forget();
      homesBefore = homesNow;
      watcher.begin();
      try {
        const report = withinLimit(toReports(await scanAll(context)), { before });
        if (context.isNew) watcher.follow(askedBy(remembered.values()));
        before = new Set(report.apps.map(keyOfApp));
        return {
          apps: report.apps,
          problems: [...problems, ...report.problems].toSorted(),
          notRead: boundNotRead([...notRead, ...report.leftOut]),
        };
      } catch (error) {
        // Changes reported during this scan are handled once.
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
  leftOut: (source: NotRead) => void;
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
