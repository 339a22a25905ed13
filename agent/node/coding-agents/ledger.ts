import { z } from 'zod';
import {
  readIfExists,
  removeIfExists,
  quarantineFile,
  writeFileAtomic,
} from '../state/atomic-file.ts';
import { type StateEntry, stateEntries } from '../state/state-folder.ts';

const entry = z.object({
  tool: z.string(),
  path: z.string(),
  /** The original content; null: no file. */
  original: z.string().nullable(),
  /** SHA-256 of the last content that the agent wrote. */
  written: z.string(),
  /** ms */
  written_at: z.number(),
  /** The time in ms when a change by another program or user was last undone. */
  restored_at: z.number().nullable(),
  /** Folders that were created for the file, the outermost first. */
  folders: z.array(z.string()),
});
export type LedgerEntry = z.output<typeof entry>;

const content = z.object({
  key: z
    .object({ key: z.string(), endpoint: z.string(), renew_at: z.number(), expires_at: z.number() })
    .nullable(),
  files: z.array(entry),
});
export type LedgerContent = z.output<typeof content>;

export interface Ledger {
  read: () => LedgerContent;
  write: (content: LedgerContent) => void;
}

/** Recording and tool checks are switched alone, but share files and folders. */
export interface Ledgers {
  recording: Ledger;
  toolChecks: Ledger;
}

/** Opens both ledgers of a state folder. A process must open them only once at a time. */
export const openLedgers = (pathOf: (entry: StateEntry) => string): Ledgers => ({
  recording: openLedger(pathOf(stateEntries.codingAgents)),
  toolChecks: openLedger(pathOf(stateEntries.toolHooks)),
});

export const findEntry = (ledger: Ledger, path: string): LedgerEntry | undefined =>
  ledger.read().files.find((one) => one.path === path);

export function putEntry(ledger: Ledger, entry: LedgerEntry): void {
  const { key, files } = ledger.read();
  ledger.write({ key, files: [...files.filter(({ path }) => path !== entry.path), entry] });
}

export function dropEntry(ledger: Ledger, path: string): void {
  const { key, files } = ledger.read();
  ledger.write({ key, files: files.filter((one) => one.path !== path) });
}

const emptyLedger: LedgerContent = { key: null, files: [] };

/**
 * The record of everything that the agent wrote into settings of coding agents, with their key.
 * Stored before a file is written, so that after a crash everything can still be undone.
 */
export function openLedger(path: string): Ledger {
  let current = load(path);
  return {
    read: () => current,
    write: (next) => {
      if (next.key === null && next.files.length === 0) removeIfExists(path);
      else writeFileAtomic(path, JSON.stringify(next));
      current = next;
    },
  };
}

function load(path: string): LedgerContent {
  const text = readIfExists(path);
  if (text === null) return emptyLedger;
  try {
    return content.parse(JSON.parse(text));
  } catch {
    quarantineFile(path);
    return emptyLedger;
  }
}
