import { type FSWatcher, existsSync, readdirSync, watch } from 'node:fs';
import { join, resolve } from 'node:path';

/** An editor that saves several files causes one restart. */
const SETTLE_MS = 100;

/** The sources of a program: folders of code, without folders of other programs in them. */
export interface Code {
  folders: readonly string[];
  without?: readonly string[];
}

export interface CodeWatcher {
  onChange: () => void;
  onError: (error: Error) => void;
}

/**
 * Reports changes of TypeScript and JSON files. Returns a function that stops it. Each folder is
 * watched separately: on Linux, Node's recursive watch misses a file that an editor replaces.
 */
export function watchCode(code: Code, { onChange, onError }: CodeWatcher): () => void {
  const watchers = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;
  const settled = (): void => {
    try {
      watchFolders();
    } catch (error) {
      // A folder was removed while it was read; the next change reads again.
      onError(error as Error);
    }
    onChange();
  };
  const onEvent = (folder: string, name: string | null): void => {
    if (name === null || !isCode(folder, name)) return;
    clearTimeout(timer);
    timer = setTimeout(settled, SETTLE_MS);
  };
  const watchFolders = (): void => {
    const folders = new Set(foldersOf(code));
    for (const [folder, watcher] of watchers)
      if (!folders.has(folder)) {
        watcher.close();
        watchers.delete(folder);
      }
    for (const folder of folders)
      if (!watchers.has(folder))
        watchers.set(
          folder,
          watch(folder, (_event, name) => onEvent(folder, name)).on('error', onError),
        );
  };
  watchFolders();
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers.values()) watcher.close();
  };
}

/** A new folder may already contain code. */
function isCode(folder: string, name: string): boolean {
  if (/\.(ts|json)$/.test(name)) return !name.endsWith('.test.ts');
  return !name.includes('.') && !made.has(name) && existsSync(join(folder, name));
}

const made = new Set(['node_modules', 'dist', 'testing']);

function foldersOf({ folders, without = [] }: Code): string[] {
  const excluded = new Set(without.map((folder) => resolve(folder)));
  const below = (folder: string): string[] => {
    if (excluded.has(folder)) return [];
    const inside = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !made.has(entry.name))
      .flatMap(({ name }) => below(join(folder, name)));
    return [folder, ...inside];
  };
  return folders.flatMap((folder) => below(resolve(folder)));
}
