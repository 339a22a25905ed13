import { projectNames } from '../project-walk.ts';
import type { Followed } from './watcher.ts';

export interface Change {
  path: string;
  isFolder: boolean;
  /** Something is there that was not, or the other way round. */
  isEntry: boolean;
}

const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/')) || '/';
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** Folders of the kernel: nothing on disk, and always changing. */
const ofKernel = /^\/(proc|sys|dev|run)(\/|$)/;

/** Paths that a scan looked at, and all folders on the way to them: what is missing may be made. */
export function withFoldersAbove({ paths, listed }: Followed): Set<string> {
  const all = new Set<string>();
  for (const path of [...paths, ...listed]) {
    if (ofKernel.test(path)) continue;
    for (let at = path; at !== '/' && !all.has(at); at = parentOf(at)) all.add(at);
  }
  return all;
}

/** May a change give the next scan another result? `all` comes from `withFoldersAbove`. */
export function isOfInterest(
  { path, isFolder, isEntry }: Change,
  { all, listed, isSearched }: Interest,
): boolean {
  if (all.has(path)) return true;
  if (!isEntry) return false;
  const dir = parentOf(path);
  if (listed.has(dir)) return true;
  // Where projects are searched, a new folder may be one.
  const name = nameOf(path);
  return isSearched(dir) && (projectNames.has(name) || (isFolder && !name.startsWith('.')));
}

export interface Interest {
  all: ReadonlySet<string>;
  listed: ReadonlySet<string>;
  isSearched: (dir: string) => boolean;
}
