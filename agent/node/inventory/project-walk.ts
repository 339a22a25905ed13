import type { Stats } from 'node:fs';
import { isSettled } from './traced-tree.ts';
import type { FolderEntry, Tree } from './tree.ts';
import type { Watcher } from './watching/watcher.ts';
import { loadedProjectFiles } from '#domain/app-catalog/loaded-catalog.ts';
import { mcpConfigPlaces } from '#domain/app-catalog/mcp-config-places.ts';

const firstOf = (file: string) => file.split('/', 1)[0] ?? file;

/**
 * Names that identify a project folder. The search records only these, so every name that a
 * detector looks for in projects must be included.
 */
const projectNames: ReadonlySet<string> = new Set(
  [...mcpConfigPlaces.flatMap((place) => place.projectFiles ?? []), ...loadedProjectFiles].map(
    firstOf,
  ),
);
/** The ends of names for which any beginning is allowed (`*.code-workspace`). */
const projectEndings = [...projectNames]
  .filter((name) => name.startsWith('*'))
  .map((name) => name.slice(1));

/** Folders of a project with programs, each with the folder of the programs below it. */
export const projectBinDirs: Readonly<Record<string, string>> = {
  node_modules: '.bin',
  '.venv': 'bin',
  venv: 'bin',
};

const isProjectName = (name: string): boolean =>
  projectNames.has(name) || projectEndings.some((ending) => name.endsWith(ending));

/** Whether a detector may look for the name in a project. */
export const isPartOfProject = (name: string): boolean =>
  isProjectName(name) || Object.hasOwn(projectBinDirs, name);

/** A folder that a detector may read. */
export interface ProjectFolder {
  path: string;
  /** The project names that it contains, and its folders with programs. */
  names: readonly string[];
}

export interface WalkOptions {
  /** Top-level folders to skip. */
  ignored: ReadonlySet<string>;
  /** Folders that must not be accessed: a network file system may not respond. */
  remoteMounts: ReadonlySet<string>;
  checkpoint: () => void;
}

export interface ProjectWalk {
  /**
   * Returns the same array as before if nothing has changed. `isTruncated`: there are more folders than
   * allowed.
   */
  find: (start: string, options: WalkOptions) => WalkResult;
  /** Stops watching. */
  forget: () => void;
}

interface WalkResult {
  projects: readonly ProjectFolder[];
  isTruncated: boolean;
}

const MAX_DEPTH = 6;
export const MAX_FOLDERS = 20_000;

/** Folders with third-party code or build output only. */
const skipped = new Set([
  'node_modules',
  'bower_components',
  'vendor',
  'venv',
  'site-packages',
  '__pycache__',
  'target',
  'Caches',
  'Cache',
  'DerivedData',
  'Pods',
  'lost+found',
]);

/** Markers of an installation or a cache (https://bford.info/cachedir/). */
const nonProjectMarkers = new Set(['pyvenv.cfg', 'conda-meta', 'CACHEDIR.TAG']);

/** Next to one of these, folders with common names are build output. */
const buildMarkers = new Set(['package.json', 'pyproject.toml', 'CMakeLists.txt', 'build.gradle']);
const buildOutputs = new Set(['build', 'dist', 'out', 'coverage']);

/** The stored facts of a folder: 13,000 of them take 4 MB. */
interface Folder {
  path: string;
  /** The state at the last listing; null if it must be listed again. */
  state: Pick<Stats, 'ino' | 'mtimeMs' | 'ctimeMs'> | null;
  isListed: boolean;
  project: ProjectFolder | null;
  folders: readonly Folder[];
}

const newFolder = (path: string): Folder => ({
  path,
  state: null,
  isListed: false,
  project: null,
  folders: [],
});

const nameOf = ({ path }: Folder) => path.slice(path.lastIndexOf('/') + 1);
const isSame = (a: Folder['state'], b: Stats) =>
  a !== null && a.ino === b.ino && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs;

/**
 * Searches a home for projects, and remembers its folders: a folder is not listed again if its
 * watch or its times show that it is unchanged. The search has a limited depth and number of
 * folders, does not follow links, stays in the home's file system, and skips hidden folders.
 */
export function createProjectWalk(tree: Tree, watcher: Watcher, now = Date.now): ProjectWalk {
  let top = newFolder('');
  let last: WalkResult = { projects: [], isTruncated: false };

  const forget = (folder: Folder): void => {
    watcher.unwatch(folder.path);
    folder.folders.forEach(forget);
  };

  const list = (folder: Folder, info: Stats, at: number): void => {
    const items = tree.entries(folder.path);
    const names = projectNamesIn(items);
    if (names.join('/') !== folder.project?.names.join('/'))
      folder.project = names.length === 0 ? null : { path: folder.path, names };
    const before = new Map(folder.folders.map((child) => [nameOf(child), child]));
    const below = folder.path === '/' ? '' : folder.path;
    folder.folders = foldersToSearch(items, folder === top).map((name) => {
      const known = before.get(name);
      before.delete(name);
      return known ?? newFolder(`${below}/${name}`);
    });
    before.forEach(forget);
    const { ino, mtimeMs, ctimeMs } = info;
    folder.state = isSettled(info, at) ? { ino, mtimeMs, ctimeMs } : null;
    folder.isListed = true;
  };

  /**
   * Lists the folder if it may have changed. Returns whether its content may have been replaced.
   */
  const listIfChanged = (folder: Folder, device: number, mayBeReplaced: boolean): boolean => {
    if (!mayBeReplaced && folder.isListed && watcher.isUnchanged(folder.path)) return false;
    // Watched before it is read, so that no change is missed.
    watcher.watch(folder.path);
    const at = now();
    const info = tree.lookUp(folder.path);
    if (!info?.isDirectory() || info.dev !== device) {
      forget(folder);
      Object.assign(folder, newFolder(folder.path));
      return true;
    }
    if (isSame(folder.state, info)) return false;
    list(folder, info, at);
    return true;
  };

  const search = (device: number, options: WalkOptions): WalkResult => {
    const { ignored, remoteMounts, checkpoint } = options;
    const projects: ProjectFolder[] = [];
    const mayEnter = (path: string) => remoteMounts.size === 0 || !remoteMounts.has(path);
    let level = [top];
    /** Folders whose parent may have been replaced by another folder. */
    let unsure = new Set(level);
    let count = 0;
    for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
      const next: Folder[] = [];
      const unsureNext = new Set<Folder>();
      for (const folder of level) {
        checkpoint();
        if (++count > MAX_FOLDERS) return { projects, isTruncated: true };
        const mayBeReplaced = listIfChanged(folder, device, unsure.has(folder));
        if (folder.project) projects.push(folder.project);
        if (depth === MAX_DEPTH) continue;
        for (const child of folder.folders) {
          if (!mayEnter(child.path) || (depth === 0 && ignored.has(nameOf(child)))) continue;
          next.push(child);
          if (mayBeReplaced) unsureNext.add(child);
        }
      }
      [level, unsure] = [next, unsureNext];
    }
    return { projects, isTruncated: false };
  };

  return {
    find: (start, options) => {
      if (top.path !== start) {
        forget(top);
        top = newFolder(start);
      }
      const device = tree.lookUp(start)?.dev;
      const found =
        device === undefined ? { projects: [], isTruncated: false } : search(device, options);
      if (!isSameList(found.projects, last.projects) || found.isTruncated !== last.isTruncated)
        last = found;
      return last;
    },
    forget: () => forget(top),
  };
}

const isSameList = (a: readonly ProjectFolder[], b: readonly ProjectFolder[]) =>
  a.length === b.length && a.every((project, i) => project === b[i]);

/** Folders with programs make no project, because every folder of a program has one. */
function projectNamesIn(items: readonly FolderEntry[]): string[] {
  if (!items.some(({ name }) => isProjectName(name))) return [];
  return items
    .filter(({ name }) => isPartOfProject(name))
    .map(({ name }) => name)
    .toSorted();
}

function foldersToSearch(items: readonly FolderEntry[], isHome: boolean): string[] {
  if (!isHome && items.some(({ name }) => nonProjectMarkers.has(name))) return [];
  const isBuilt = !isHome && items.some(({ name }) => buildMarkers.has(name));
  return items
    .filter(({ kind, name }) => kind === 'directory' && !name.startsWith('.'))
    .map(({ name }) => name)
    .filter((name) => !skipped.has(name) && !(isBuilt && buildOutputs.has(name)))
    .toSorted();
}
