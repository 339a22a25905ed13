import { z } from 'zod';
import { readIfExists, removeIfExists, quarantineFile, writeFileAtomic } from '../atomic-file.ts';

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
