import { join } from 'node:path';

/** A scan's reads of a file system, which determine the relevant changes. */
export interface WatchedReads {
  /** Paths that were read, whether they exist or not. */
  paths: ReadonlySet<string>;
  /** Folders that were listed. */
  listed: ReadonlySet<string>;
}

/** Tracks which folders have changed since a scan, if the system reports changes. */
export interface Watcher {
  /** Called when a scan begins: `isUnchanged` covers the time until now. */
  begin: () => void;
  /** Watches the entries of a folder from now on, if the limit allows. Does not follow links. */
  watch: (dir: string) => void;
  unwatch: (dir: string) => void;
  /** Whether the folder's entries are certain to be unchanged since it was watched. */
  isUnchanged: (dir: string) => boolean;
  /** Replaces the watched paths by those that a scan depends on. */
  setWatched: (followed: WatchedReads) => void;
  stop: () => void;
}

/** A watcher that detects no changes, so that every folder is read again. */
export const noWatcher: Watcher = {
  begin: () => {},
  watch: () => {},
  unwatch: () => {},
  isUnchanged: () => false,
  setWatched: () => {},
  stop: () => {},
};

/** A watcher for a tree with another root, which takes paths relative to that root. */
export function watchBelow(root: string, watcher: Watcher): Watcher {
  if (root === '/') return watcher;
  const below = (path: string) => join(root, path);
  const all = (paths: ReadonlySet<string>) => new Set([...paths].map(below));
  return {
    begin: watcher.begin,
    watch: (dir) => watcher.watch(below(dir)),
    unwatch: (dir) => watcher.unwatch(below(dir)),
    isUnchanged: (dir) => watcher.isUnchanged(below(dir)),
    setWatched: ({ paths, listed }) =>
      watcher.setWatched({ paths: all(paths), listed: all(listed) }),
    stop: watcher.stop,
  };
}
