import { expand } from './expand.ts';
import { fixedFolder } from './limited.ts';
import type { Home, Scan } from './platform-paths/platform-paths.ts';
import type { ProjectFolder } from './project-walk.ts';
import { fairShare } from './report-limit.ts';

/** The places where a catalog entry's files may be. */
interface FileLocations {
  home?: readonly string[] | undefined;
  project?: readonly string[] | undefined;
  managed?: readonly string[] | undefined;
}

export interface LocatedFile<Entry> {
  path: string;
  /** The real path. */
  target: string;
  entry: Entry;
  /** The home; undefined if an administrator put the file there for all users of the machine. */
  home: Home | undefined;
}

/** The limit of files of one home that are read: enough for any user, and it bounds a folder that was filled on purpose. */
const MAX_FILES = 5000;

/**
 * Folders for which macOS asks the user for consent when they are listed, unless they are searched
 * for projects anyway.
 */
const personal = /^(Desktop|Documents|Downloads)\//;

/** Whether a search for this pattern in a home would make macOS ask the user for consent. */
export async function requiresConsent(scan: Scan, home: Home, pattern: string): Promise<boolean> {
  const folder = personal.exec(pattern)?.[1];
  if (folder === undefined) return false;
  return (await scan.platformPaths.skippedFolders(scan.tree, home)).includes(folder);
}

interface Pattern<Entry> {
  pattern: string;
  entry: Entry;
}

const patternsOf = <Entry extends FileLocations>(
  entries: readonly Entry[],
  key: keyof FileLocations,
): Pattern<Entry>[] =>
  entries.flatMap((entry) => (entry[key] ?? []).map((pattern) => ({ pattern, entry })));

async function homePatterns<Entry extends FileLocations>(
  scan: Scan,
  home: Home,
  entries: readonly Entry[],
): Promise<Pattern<Entry>[]> {
  const found: Pattern<Entry>[] = [];
  for (const { pattern, entry } of patternsOf(entries, 'home')) {
    if (await requiresConsent(scan, home, pattern)) continue;
    const below = pattern.replace('{app-data}', scan.platformPaths.appData);
    found.push({ entry, pattern: `${home.dir}/${below}` });
  }
  return found;
}

/**
 * Groups patterns by folder, so that a folder such as `.github` is listed once: most projects that
 * have it contain nothing that the many patterns below it match.
 */
async function patternsIn<Entry>(
  scan: Scan,
  { path, names }: ProjectFolder,
  wanted: readonly Pattern<Entry>[],
): Promise<Pattern<Entry>[]> {
  const found: Pattern<Entry>[] = [];
  const listed = new Map<string, ReadonlySet<string>>();
  for (const { pattern, entry } of wanted) {
    const [first = '', second] = pattern.split('/', 2);
    if (!names.includes(first)) continue;
    if (second !== undefined && !second.includes('*')) {
      const inside =
        listed.get(first) ??
        new Set((await scan.tree.list(`${path}/${first}`)).map((item) => item.name));
      listed.set(first, inside);
      if (!inside.has(second)) continue;
    }
    found.push({ entry, pattern: `${path}/${pattern}` });
  }
  return found;
}

async function projectPatterns<Entry extends FileLocations>(
  scan: Scan,
  home: Home,
  entries: readonly Entry[],
): Promise<Pattern<Entry>[]> {
  const wanted = patternsOf(entries, 'project');
  const found: Pattern<Entry>[] = [];
  for (const folder of await scan.projects(home)) {
    scan.checkpoint();
    found.push(...(await patternsIn(scan, folder, wanted)));
  }
  return found;
}

interface Match<Entry> {
  file: LocatedFile<Entry>;
  kind: string;
  entry: string;
  pattern: string;
}

/**
 * The existing files of some patterns, once for each entry that names them. The limit is shared by
 * kind, then by entry and folder, so that a folder full of skills does not hide instructions.
 */
export async function filesOf<Entry extends { kind: string }>(
  scan: Scan,
  home: Home | undefined,
  patterns: readonly Pattern<Entry>[],
): Promise<LocatedFile<Entry>[]> {
  const found = new Map<string, Match<Entry>>();
  const order = new Map<Entry, number>();
  for (const { pattern, entry } of patterns) {
    scan.checkpoint();
    order.set(entry, order.get(entry) ?? order.size);
    for (const path of await expand(scan.tree, pattern)) {
      const target = await scan.tree.resolve(path);
      const key = `${order.get(entry)} ${target}`;
      if (target === undefined || found.has(key)) continue;
      const file = { path, target, entry, home };
      found.set(key, { file, kind: entry.kind, entry: `${order.get(entry)}`, pattern });
    }
  }
  const matches = [...found.values()];
  const kept = fairShare(matches, MAX_FILES, [
    ({ kind }) => kind,
    ({ entry }) => entry,
    ({ pattern }) => pattern,
  ]);
  reportRest(scan, home, matches, new Set(kept));
  return kept.map(({ file }) => file);
}

/** The number of folders with other files above which their home is named instead. */
const MAX_NAMED = 100;

function reportRest<Entry>(
  scan: Scan,
  home: Home | undefined,
  matches: readonly Match<Entry>[],
  kept: ReadonlySet<Match<Entry>>,
): void {
  const rest = matches.filter((match) => !kept.has(match));
  const folders = new Set(rest.map(({ pattern }) => fixedFolder(pattern)));
  const paths = folders.size > MAX_NAMED ? [`${home?.dir ?? ''}/`] : folders;
  for (const path of paths)
    scan.notRead(path, `more than ${MAX_FILES} files, the rest was not examined`);
}

/** The existing files of catalog entries: in every home, in its projects and on the machine. */
export async function locateFiles<Entry extends FileLocations & { kind: string }>(
  scan: Scan,
  entries: readonly Entry[],
): Promise<LocatedFile<Entry>[]> {
  const found = await filesOf(scan, undefined, patternsOf(entries, 'managed'));
  for (const home of scan.homes) {
    const patterns = [
      ...(await homePatterns(scan, home, entries)),
      ...(await projectPatterns(scan, home, entries)),
    ];
    found.push(...(await filesOf(scan, home, patterns)));
  }
  return found;
}
