import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ManagedFile } from '#agent/core/coding-agents/managed-file.ts';
import { findEntry, type Ledger, type LedgerEntry, putEntry } from './ledger.ts';

type SharedFile = Pick<ManagedFile<never>, 'path' | 'withoutSettings'>;

export interface OtherWriter {
  files: readonly SharedFile[];
  ledger: Ledger;
}

export interface SharedFilesOptions {
  ledger: Ledger;
  other: OtherWriter | undefined;
  root: string;
}

/**
 * Knows the state of files that two writers share, each with its own ledger. Both ledgers contain
 * the same original and the same last content, so the writers can stop in any order.
 */
export function createSharedFiles({ ledger, other, root }: SharedFilesOptions) {
  const entryOfOther = (path: string) => other && findEntry(other.ledger, path);

  /** The other writer must not take this write for a change by another program. */
  const updateOther = (path: string, before: string | null, text: string): void => {
    const shared = entryOfOther(path);
    if (other && shared && isAsWritten(before, shared))
      putEntry(other.ledger, { ...shared, written: digest(text) });
  };

  /** The folders above a file that are missing, or that an agent created for any purpose. */
  const ownFolders = (path: string): string[] => {
    const entries = [ledger, ...(other ? [other.ledger] : [])].flatMap((one) => one.read().files);
    const created = entries.flatMap(({ folders }) => folders);
    const above = created.filter((folder) => path.startsWith(`${folder}/`));
    return [...new Set([...above, ...missingFolders(root, path)])].toSorted(
      (a, b) => a.length - b.length,
    );
  };

  /** The content without the settings of any purpose. Works without a ledger. */
  const withoutAnySettings = (file: SharedFile, present: string | null) => {
    const known = findEntry(ledger, file.path) ?? entryOfOther(file.path);
    const rest = present === null ? null : file.withoutSettings(present, known?.original);
    const shared = other?.files.find(({ path }) => path === file.path);
    return rest === null || !shared ? rest : shared.withoutSettings(rest, known?.original);
  };

  const entryAsWritten = (path: string, present: string | null) =>
    [findEntry(ledger, path), entryOfOther(path)].find((one) => one && isAsWritten(present, one));

  /** A file as it was before any agent wrote it; null: there was none. */
  const originalOf = (file: SharedFile, present: string | null): string | null => {
    const valid = entryAsWritten(file.path, present);
    return valid ? valid.original : withoutAnySettings(file, present);
  };

  return {
    /** Whether the file is unchanged since an agent wrote it for any purpose. */
    isAsLastWritten: (path: string, present: string | null): boolean =>
      entryAsWritten(path, present) !== undefined,
    isWrittenByOther: (path: string): boolean => entryOfOther(path) !== undefined,
    updateOther,
    ownFolders,
    originalOf,
  };
}

/** Whether the file is unchanged since the agent wrote it. */
export const isAsWritten = (present: string | null, { written }: LedgerEntry): boolean =>
  present !== null && digest(present) === written;

export const digest = (text: string): string => hash('sha256', text);

/** The missing folders above a file, the outermost first. */
export function missingFolders(root: string, path: string): string[] {
  const folder = dirname(path);
  if (folder === '/' || existsSync(join(root, folder))) return [];
  return [...missingFolders(root, folder), folder];
}
