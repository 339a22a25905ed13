import { readFileSync } from 'node:fs';
import { tryOrUndefined } from '../../try-or-undefined.ts';
import {
  entriesChanged,
  event,
  type Inotify,
  openInotify,
  type WatchEvent,
} from './inotify-calls.ts';
import { isRelevantChange, withFoldersAbove } from './interest.ts';
import type { Watcher } from './watcher.ts';

export interface WatchOptions {
  /** Called when the next scan may find a change; not again before that scan has begun. */
  onChange: () => void;
  /** The poll interval in ms. */
  intervalMs?: number | undefined;
  /** The maximum number of watches; each takes about a kilobyte of kernel memory. */
  limit?: number;
}

const RESERVED_WATCHES = 2000;

/** Returns a small part of the user's limit, because editors need watches too. */
function defaultWatchLimit(): number {
  const text = tryOrUndefined(() => readFileSync('/proc/sys/fs/inotify/max_user_watches', 'utf8'));
  return Math.min(Math.floor(Number(text ?? 8192) / 8), 30_000);
}

/**
 * Watches folders with inotify. Events are polled from the kernel's queue: a build that touches
 * thousands of files costs no more than its folders.
 */
export function watchOnLinux(options: WatchOptions): Watcher | undefined {
  const inotify = openInotify();
  if (!inotify) return undefined;
  const { intervalMs = 10_000, limit = defaultWatchLimit() } = options;
  const watches = createWatches(inotify);
  const searchedLimit = Math.max(limit - RESERVED_WATCHES, limit / 2);
  const searched = new Set<string>();
  let followed: ReadonlySet<string> = new Set();
  let listed: ReadonlySet<string> = new Set();
  let dirty = new Set<string>();
  let since = new Set<string>();
  let isLost = false;
  let wasLost = false;
  let isNotified = false;

  const note = ({ watch, mask, name }: WatchEvent): boolean => {
    if (mask & event.overflow) return (isLost = true);
    const dirs = watches.dirsOf(watch);
    if (mask & event.ignored) {
      watches.drop(watch);
      dirs.forEach((dir) => searched.delete(dir));
      return false;
    }
    const isEntry = (mask & entriesChanged) !== 0;
    if (isEntry) dirs.forEach((dir) => since.add(dir));
    const isFolder = (mask & event.isFolder) !== 0;
    const interest = { all: followed, listed, isSearched: (dir: string) => searched.has(dir) };
    return dirs.some((dir) =>
      isRelevantChange({ path: `${dir === '/' ? '' : dir}/${name}`, isFolder, isEntry }, interest),
    );
  };

  const take = (): boolean => inotify.take().map(note).includes(true);
  const timer = setInterval(() => {
    if (!take() || isNotified) return;
    isNotified = true;
    options.onChange();
  }, intervalMs);
  timer.unref();

  return {
    begin: () => {
      take();
      [dirty, since] = [since, new Set()];
      [wasLost, isLost] = [isLost, false];
      isNotified = false;
    },
    watch: (dir) => {
      if (!searched.has(dir) && searched.size >= searchedLimit) return;
      if (watches.add(dir, false)) searched.add(dir);
      else searched.delete(dir);
    },
    unwatch: (dir) => {
      if (searched.delete(dir) && !followed.has(dir)) watches.remove(dir);
    },
    isUnchanged: (dir) => !wasLost && searched.has(dir) && !dirty.has(dir),
    setWatched: (next) => {
      const all = withFoldersAbove(next);
      for (const dir of followed) if (!all.has(dir) && !searched.has(dir)) watches.remove(dir);
      followed = all;
      listed = next.listed;
      // Shorter paths first: nothing exists below a missing folder.
      for (const dir of [...all].toSorted((a, b) => a.length - b.length)) {
        const parent = dir.slice(0, dir.lastIndexOf('/'));
        if (watches.size() >= limit) return;
        if (parent === '' || watches.has(parent)) watches.add(dir, true);
      }
    },
    stop: () => {
      clearInterval(timer);
      inotify.close();
    },
  };
}

/** Maps watch numbers to folders and back; several paths may lead to one folder. */
function createWatches(inotify: Inotify) {
  const byDir = new Map<string, number>();
  const dirs = new Map<number, string[]>();
  const remove = (dir: string): void => {
    const watch = byDir.get(dir);
    if (watch === undefined) return;
    byDir.delete(dir);
    const others = dirs.get(watch)?.filter((other) => other !== dir) ?? [];
    if (others.length > 0) dirs.set(watch, others);
    else if (dirs.delete(watch)) inotify.remove(watch);
  };
  return {
    size: () => byDir.size,
    has: (dir: string) => byDir.has(dir),
    dirsOf: (watch: number): readonly string[] => dirs.get(watch) ?? [],
    /** Returns whether the current folder at the path is watched. */
    add: (dir: string, followLinks: boolean): boolean => {
      const watch = inotify.add(dir, followLinks);
      if (watch === byDir.get(dir)) return watch !== undefined;
      remove(dir);
      if (watch === undefined) return false;
      byDir.set(dir, watch);
      dirs.set(watch, [...(dirs.get(watch) ?? []), dir]);
      return true;
    },
    remove,
    drop: (watch: number): void => {
      for (const dir of dirs.get(watch) ?? []) byDir.delete(dir);
      dirs.delete(watch);
    },
  };
}
