import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { tryOrUndefined } from '../../try-or-undefined.ts';
import { type RelevantPaths, isRelevantChange, withFoldersAbove } from './interest.ts';
import type { WatchOptions } from './linux.ts';
import type { Watcher } from './watcher.ts';

/** Folders where programs are installed. Scans read only these, the homes and the system. */
const sharedFolders = ['/Applications', '/Library', '/usr/local', '/opt'];
const homeOf = /^(\/Users\/[^/]+|\/var\/root)(?=\/|$)/;
const isSearched = (dir: string) =>
  homeOf.test(dir) && !/\/(\.|Library\/|node_modules\/)/.test(dir);

/**
 * The number of turns: in each scan the times of one turn's folders are checked, regardless of
 * events.
 */
const CHECK_TURNS = 8;

/** Returns the turn of a folder. Any even distribution works. */
const turnOf = (dir: string): number =>
  (dir.length + 31 * (dir.at(-1)?.charCodeAt(0) ?? 0)) % CHECK_TURNS;

const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/')) || '/';

type WatchTree = (
  root: string,
  report: (type: string, name: string | null) => void,
) => Pick<FSWatcher, 'close' | 'on'>;

const watchWithFsEvents: WatchTree = (root, report) =>
  watch(root, { recursive: true, persistent: false }, report);

/**
 * Watches with FSEvents, through `fs.watch` on whole trees. It reports changes but not lost events,
 * which libuv ignores. A folder without events therefore counts as unchanged, except in its turn.
 */
export function watchOnDarwin(
  { onChange }: Pick<WatchOptions, 'onChange'>,
  roots = sharedFolders,
  watchTree = watchWithFsEvents,
): Watcher {
  const watched = new Map<string, ReturnType<WatchTree>>();
  /** Folders that were checked while their tree was watched. */
  const searched = new Set<string>();
  let interest: RelevantPaths = { all: new Set(), listed: new Set(), isSearched };
  let isNotified = false;
  let dirty = new Set<string>();
  let since = new Set<string>();
  let round = 0;

  const isWatched = (dir: string): boolean => {
    for (let at = dir; at !== '/'; at = parentOf(at)) if (watched.has(at)) return true;
    return false;
  };

  const report = (root: string, name: string | null, type: string): void => {
    const path = name === null ? root : join(root, name);
    if (name === null) searched.clear();
    for (const dir of [path, parentOf(path)]) if (searched.has(dir)) since.add(dir);
    // Files in a new folder are reported too, so the folder itself can be ignored.
    const change = { path, isFolder: false, isEntry: type === 'rename' };
    if (isNotified || !isRelevantChange(change, interest)) return;
    isNotified = true;
    onChange();
  };

  const open = (root: string): void => {
    const opened = tryOrUndefined(() => watchTree(root, (type, name) => report(root, name, type)));
    // The tree was removed or cannot be watched: its folders are compared by their times.
    opened?.on('error', () => close(root));
    if (opened) watched.set(root, opened);
  };
  const close = (root: string): void => {
    watched.get(root)?.close();
    watched.delete(root);
    searched.clear();
  };

  return {
    begin: () => {
      [dirty, since] = [since, new Set()];
      round += 1;
      isNotified = false;
    },
    watch: (dir) => {
      if (!searched.has(dir) && isWatched(dir)) searched.add(dir);
    },
    unwatch: (dir) => void searched.delete(dir),
    isUnchanged: (dir) =>
      searched.has(dir) && !dirty.has(dir) && turnOf(dir) !== round % CHECK_TURNS,
    setWatched: (followed) => {
      const all = withFoldersAbove(followed);
      const homes = [...all].flatMap((path) => homeOf.exec(path)?.[0] ?? []);
      const wanted = new Set([...roots, ...homes]);
      for (const root of watched.keys()) if (!wanted.has(root)) close(root);
      for (const root of wanted) if (!watched.has(root)) open(root);
      interest = { ...interest, all, listed: followed.listed };
    },
    stop: () => [...watched.keys()].forEach(close),
  };
}
