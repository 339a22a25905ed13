import { chmodSync, existsSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ManagedFile } from '#agent/core/coding-agents/managed-file.ts';
import { errnoOf } from '../state/atomic-file.ts';
import { dropEntry, findEntry, type Ledger, type LedgerEntry, putEntry } from './ledger.ts';
import {
  mayBeInProgress,
  readSettingsFile,
  removeSettingsFile,
  replaceSettingsFile,
  type SettingsFile,
} from './settings-file.ts';
import {
  createSharedFiles,
  digest,
  isAsWritten,
  missingFolders,
  type OtherWriter,
} from './shared-files.ts';

export interface SettingsWriterOptions<Purpose> {
  files: readonly ManagedFile<Purpose>[];
  /** Completes the problem line after the tool's name, such as `is not recorded`. */
  consequence: string;
  ledger: Ledger;
  /** The writer for another purpose, which writes some of the same files. */
  other?: OtherWriter;
  /** The root of the system's paths. */
  root?: string;
  /** Files that other programs changed within this time (ms) are left until the next call. */
  settleMs?: number;
  now?: () => number;
}

/** Lines about one file each: `/etc/…: what is wrong`. */
export interface WriteResult {
  problems: string[];
  /** Files that another program or user changed or removed, and that were restored. */
  restored: string[];
}

/** The `settleMs` of a running agent, which calls the writer again at its next heartbeat. */
export const SETTLE_MS = 1000;

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
  const { files, ledger, other, consequence, root = '/', settleMs = 0, now = Date.now } = options;
  const shared = createSharedFiles({ ledger, other, root });
  const isInProgress = (path: string, found: SettingsFile): boolean =>
    !shared.isAsLastWritten(path, found.text) && mayBeInProgress(found, settleMs, now());

  const write = (file: ManagedFile<Purpose>, purpose: Purpose, result: WriteResult): void => {
    const found = readSettingsFile(join(root, file.path));
    if (isInProgress(file.path, found)) return;
    const present = found.text;
    const known = findEntry(ledger, file.path);
    const wanted = file.withSettings(present, purpose);
    if ('error' in wanted) {
      result.problems.push(`${file.path}: ${wanted.error}: ${file.tool} ${consequence}`);
      return;
    }
    const written = digest(wanted.text);
    if (present === wanted.text && known?.written === written) return;
    const wasChanged =
      known !== undefined && !isAsWritten(present, known) && present !== wanted.text;
    putEntry(ledger, {
      tool: file.tool,
      path: file.path,
      original: shared.originalOf(file, present),
      written,
      written_at: now(),
      restored_at: wasChanged ? now() : (known?.restored_at ?? null),
      folders: shared.ownFolders(file.path),
    });
    try {
      for (const folder of missingFolders(root, file.path)) makeSharedFolder(join(root, folder));
      replaceSettingsFile(found, wanted.text);
    } catch (error) {
      if (known) putEntry(ledger, known);
      else dropEntry(ledger, file.path);
      throw error;
    }
    shared.updateOther(file.path, present, wanted.text);
    if (wasChanged)
      result.restored.push(`${file.path}: was changed by another program and has been restored`);
  };

  const restoreOriginal = (entry: LedgerEntry): void => {
    const file = files.find((one) => one.path === entry.path);
    // A ledger may have been edited, so it must not make root write to other paths.
    if (!file) return dropEntry(ledger, entry.path);
    const found = readSettingsFile(join(root, file.path));
    if (isInProgress(file.path, found)) return;
    const present = found.text;
    if (present !== null) {
      // The last of the writers restores the original.
      const isOnlyOurs = isAsWritten(present, entry) && !shared.isWrittenByOther(entry.path);
      const rest = isOnlyOurs ? entry.original : file.withoutSettings(present, entry.original);
      if (rest === null) removeSettingsFile(found);
      else if (rest !== present) {
        replaceSettingsFile(found, rest);
        shared.updateOther(entry.path, present, rest);
      }
    }
    dropEntry(ledger, entry.path);
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

const reasonOf = (error: unknown): string =>
  ['EACCES', 'EPERM', 'EROFS'].includes(errnoOf(error) ?? '')
    ? 'cannot be written: the agent must run as root'
    : (error as Error).message;

/** Creates the folder, readable by the tools of all users, regardless of this process's umask. */
function makeSharedFolder(folder: string): void {
  mkdirSync(folder);
  chmodSync(folder, 0o755);
}

function removeFolderIfEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}
