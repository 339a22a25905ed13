import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { createOnce } from '../lib/private-file.ts';

/** What a new installation starts with. The secrets are shown once and never again. */
export type FirstCredentials = z.infer<typeof credentials>;

const credentials = z.object({
  email: z.string(),
  /** Null when it was given by the operator, who knows it. */
  password: z.string().nullable(),
  apiKey: z.string().nullable(),
});

const kept = credentials.extend({ tenantId: z.string() });
export type StoredCredentials = z.infer<typeof kept>;

const fileIn = (dataDir: string): string => join(dataDir, 'first-credentials.json');

/**
 * Keeps credentials from before they are stored, as hashes, until they have been shown: a start that
 * is killed in between would otherwise leave an installation that nobody can sign in to.
 */
export function keepCredentials(dataDir: string, made: StoredCredentials): void {
  if (made.password === null && made.apiKey === null) return;
  forgetCredentials(dataDir);
  try {
    createOnce(fileIn(dataDir), JSON.stringify(made));
  } catch {
    // With PostgreSQL and SECRET_KEY the folder need not be writable.
  }
}

export function keptCredentials(dataDir: string): StoredCredentials | undefined {
  try {
    return kept.parse(JSON.parse(readFileSync(fileIn(dataDir), 'utf8')));
  } catch {
    return undefined;
  }
}

export function forgetCredentials(dataDir: string): void {
  try {
    rmSync(fileIn(dataDir), { force: true });
  } catch {
    // Where nothing can be removed nothing was kept.
  }
}
