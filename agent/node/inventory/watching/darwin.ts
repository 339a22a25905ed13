import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { tryOrUndefined } from '../../try-or-undefined.ts';
import { type Interest, isOfInterest, withFoldersAbove } from './interest.ts';
import type { WatchOptions } from './linux.ts';
import { noWatcher, type Watcher } from './watcher.ts';

/** Where programs are installed. Scans read only these, the homes and the system. */
const shared = ['/Applications', '/Library', '/usr/local', '/opt'];
const homeOf = /^(\/Users\/[^/]+|\/var\/root)(?=\/|$)/;
const isSearched = (dir: string) =>
  homeOf.test(dir) && !/\/(\.|Library\/|node_modules\/)/.test(dir);

/**
 * FSEvents, through `fs.watch` on whole trees. It reports changes but not lost events, which libuv
 * ignores. So events only start scans early, and every folder's times are still checked.
 */
export function watchOnDarwin({ onChange }: WatchOptions, roots = shared): Watcher {
  const watched = new Map<string, FSWatcher>();
  let interest: Interest = { all: new Set(), listed: new Set(), isSearched };
  let isNotified = false;

  const report = (root: string, name: string | null, type: string): void => {
    const path = name === null ? root : join(root, name);
    // Files in a new folder are reported too, so the folder itself can be ignored.
    const change = { path, isFolder: false, isEntry: type === 'rename' };
    if (isNotified || !isOfInterest(change, interest)) return;
    isNotified = true;
    onChange();
  };

  const open = (root: string): void => {
    const opened = tryOrUndefined(() =>
      watch(root, { recursive: true, persistent: false }, (type, name) => report(root, name, type)),
    );
    // The tree was removed or cannot be watched: scans then run at their interval only.
    opened?.on('error', () => close(root));
    if (opened) watched.set(root, opened);
  };
  const close = (root: string): void => {
    watched.get(root)?.close();
    watched.delete(root);
  };

  return {
    ...noWatcher,
    begin: () => {
      isNotified = false;
    },
    follow: (followed) => {
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
