import { hash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ManagedFile } from '#agent/core/coding-agents/managed-file.ts';
import { errnoOf, readIfExists, removeIfExists, writeSharedFileAtomic } from '../atomic-file.ts';
import type { Ledger, LedgerEntry } from './ledger.ts';

export interface SettingsWriterOptions<Purpose> {
  files: readonly ManagedFile<Purpose>[];
  /** Completes the problem line after the tool's name, such as `is not recorded`. */
  consequence: string;
  ledger: Ledger;
  /** The root of the system's paths. */
  root?: string;
  now?: () => number;
}

/** Lines about one file each: `/etc/…: what is wrong`. */
export interface WriteResult {
  problems: string[];
  /** Files that another program or user changed or removed, and that were restored. */
  restored: string[];
}

/** The result for an agent that writes no files. */
export const NOTHING_TO_WRITE: WriteResult = { problems: [], restored: [] };

export interface SettingsWriter<Purpose> {
  /**
   * Brings all files into the state for this purpose; null: without the agent's settings. Files of
   * `elsewhere`, the tools that have their settings from another place, are without them too.
   */
  apply: (purpose: Purpose | null, elsewhere?: ReadonlySet<string>) => WriteResult;
}

/** Writes managed settings of coding agents, and undoes exactly what it wrote. */
export function createSettingsWriter<Purpose>(
  options: SettingsWriterOptions<Purpose>,
): SettingsWriter<Purpose> {
  const { files, ledger, consequence, root = '/', now = Date.now } = options;
  const entryOf = (path: string) => ledger.read().files.find((one) => one.path === path);
  const recordEntry = (path: string, entry: LedgerEntry | null): void => {
    const { key, files: all } = ledger.read();
    const others = all.filter((one) => one.path !== path);
    ledger.write({ key, files: entry ? [...others, entry] : others });
  };

  const write = (file: ManagedFile<Purpose>, purpose: Purpose, result: WriteResult): void => {
    const path = join(root, file.path);
    const present = readIfExists(path);
    const known = entryOf(file.path);
    const wanted = file.withSettings(present, purpose);
    if ('error' in wanted) {
      result.problems.push(`${file.path}: ${wanted.error}: ${file.tool} ${consequence}`);
      return;
    }
    const written = digest(wanted.text);
    if (present === wanted.text && known?.written === written) return;
    const { original, wasChanged } = withoutOwnSettings(file, known, present, wanted.text);
    recordEntry(file.path, {
      tool: file.tool,
      path: file.path,
      original,
      written,
      written_at: now(),
      restored_at: wasChanged ? now() : (known?.restored_at ?? null),
      folders: known?.folders ?? missingFolders(root, file.path),
    });
    try {
      for (const folder of missingFolders(root, file.path)) makeSharedFolder(join(root, folder));
      writeSharedFileAtomic(path, wanted.text);
    } catch (error) {
      recordEntry(file.path, known ?? null);
      throw error;
    }
    if (wasChanged)
      result.restored.push(`${file.path}: was changed by another program and has been restored`);
  };

  const restoreOriginal = (entry: LedgerEntry): void => {
    const file = files.find((one) => one.path === entry.path);
    // A ledger may have been edited, so it must not make root write to other paths.
    if (!file) return recordEntry(entry.path, null);
    const path = join(root, file.path);
    const present = readIfExists(path);
    if (present !== null) {
      const isOurs = digest(present) === entry.written;
      const rest = isOurs ? entry.original : file.withoutSettings(present);
      if (rest === null) removeIfExists(path);
      else if (rest !== present) writeSharedFileAtomic(path, rest);
    }
    recordEntry(entry.path, null);
  };

  /**
   * A folder created for one file may contain other files of the agent: the deepest is removed
   * first.
   */
  const removeFolders = (entries: readonly LedgerEntry[]): void => {
    const made = entries.flatMap(({ path, folders }) =>
      files.some((one) => one.path === path)
        ? folders.filter((folder) => path.startsWith(`${folder}/`))
        : [],
    );
    for (const folder of made.toSorted((a, b) => b.length - a.length))
      removeFolderIfEmpty(join(root, folder));
  };

  /** An error in one file does not stop the others. */
  const forEachFile = <T extends { path: string }>(
    all: readonly T[],
    result: WriteResult,
    work: (one: T) => void,
  ): void => {
    for (const one of all)
      try {
        work(one);
      } catch (error) {
        result.problems.push(`${one.path}: ${reasonOf(error)}`);
      }
  };

  return {
    apply: (purpose, elsewhere = new Set()) => {
      const result: WriteResult = { problems: [], restored: [] };
      const isUndone = ({ tool }: { tool: string }) => purpose === null || elsewhere.has(tool);
      const undone = ledger.read().files.filter(isUndone);
      forEachFile(undone, result, restoreOriginal);
      removeFolders(undone);
      if (purpose === null) return result;
      const wanted = files.filter((file) => !isUndone(file));
      forEachFile(wanted, result, (file) => write(file, purpose, result));
      return result;
    },
  };
}

/**
 * Returns the file without the agent's settings, and whether someone changed those. Works without a
 * ledger.
 */
function withoutOwnSettings<Purpose>(
  file: ManagedFile<Purpose>,
  known: LedgerEntry | undefined,
  present: string | null,
  wanted: string,
): { original: string | null; wasChanged: boolean } {
  if (known && digest(present ?? '') === known.written)
    return { original: known.original, wasChanged: false };
  const original = present === null ? null : file.withoutSettings(present);
  return { original, wasChanged: known !== undefined && present !== wanted };
}

const reasonOf = (error: unknown): string =>
  ['EACCES', 'EPERM', 'EROFS'].includes(errnoOf(error) ?? '')
    ? 'cannot be written: the agent must run as root'
    : (error as Error).message;

const digest = (text: string): string => hash('sha256', text);

/** The missing folders above a file, the outermost first. */
function missingFolders(root: string, path: string): string[] {
  const folder = dirname(path);
  if (folder === '/' || existsSync(join(root, folder))) return [];
  return [...missingFolders(root, folder), folder];
}

/** Creates the folder, readable by the tools of all users, regardless of this process's umask. */
function makeSharedFolder(folder: string): void {
  mkdirSync(folder);
  chmodSync(folder, 0o755);
}

function removeFolderIfEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}
