import { isPartOfProject } from '../project-walk.ts';
import type { WatchedReads } from './watcher.ts';

export interface Change {
  path: string;
  isFolder: boolean;
  /** An entry was added or removed. */
  isEntry: boolean;
}

const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/')) || '/';
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** Folders of the kernel, which are not on disk and always change. */
const ofKernel = /^\/(proc|sys|dev|run)(\/|$)/;

/**
 * Returns the paths that a scan read, and all folders above them, because missing folders may be
 * created.
 */
export function withFoldersAbove({ paths, listed }: WatchedReads): Set<string> {
  const all = new Set<string>();
  for (const path of [...paths, ...listed]) {
    if (ofKernel.test(path)) continue;
    for (let at = path; at !== '/' && !all.has(at); at = parentOf(at)) all.add(at);
  }
  return all;
}

/** Whether a change may affect the next scan. `all` is the result of `withFoldersAbove`. */
export function isRelevantChange(
  { path, isFolder, isEntry }: Change,
  { all, listed, isSearched }: RelevantPaths,
): boolean {
  if (all.has(path)) return true;
  if (!isEntry) return false;
  const dir = parentOf(path);
  if (listed.has(dir)) return true;
  // In the searched part of a home, a new folder may be a project.
  const name = nameOf(path);
  return isSearched(dir) && (isPartOfProject(name) || (isFolder && !name.startsWith('.')));
}

export interface RelevantPaths {
  all: ReadonlySet<string>;
  listed: ReadonlySet<string>;
  isSearched: (dir: string) => boolean;
}
