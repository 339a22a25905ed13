import { join } from 'node:path';

/** What a scan asked about a file system, for knowing what concerns it. */
export interface Followed {
  /** Paths that were looked at, there or not. */
  paths: ReadonlySet<string>;
  /** Folders of which every entry counts. */
  listed: ReadonlySet<string>;
}

/** Knows which folders have changed since a scan, where the system says so. */
export interface Watcher {
  /** A scan begins: `isQuiet` answers for what happened until now. */
  begin: () => void;
  /** Watches the entries of a folder from now on, if there is room. Links are not followed. */
  watch: (dir: string) => void;
  unwatch: (dir: string) => void;
  /** It is certain that the folder had the same entries all the time since it was watched. */
  isQuiet: (dir: string) => boolean;
  /** Watches what a scan depends on instead of what was followed before. */
  follow: (followed: Followed) => void;
  stop: () => void;
}

/** Knows nothing: every folder is looked at again. */
export const noWatcher: Watcher = {
  begin: () => {},
  watch: () => {},
  unwatch: () => {},
  isQuiet: () => false,
  follow: () => {},
  stop: () => {},
};

/** A watcher of a tree below another root, which takes paths relative to that root. */
export function watchBelow(root: string, watcher: Watcher): Watcher {
  if (root === '/') return watcher;
  const below = (path: string) => join(root, path);
  const all = (paths: ReadonlySet<string>) => new Set([...paths].map(below));
  return {
    begin: watcher.begin,
    watch: (dir) => watcher.watch(below(dir)),
    unwatch: (dir) => watcher.unwatch(below(dir)),
    isQuiet: (dir) => watcher.isQuiet(below(dir)),
    follow: ({ paths, listed }) => watcher.follow({ paths: all(paths), listed: all(listed) }),
    stop: watcher.stop,
  };
}
