import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { createOnce } from '../lib/private-file.ts';

/** The credentials of a new installation, whose secrets are printed once. */
export type FirstCredentials = z.infer<typeof credentials>;

const credentials = z.object({
  email: z.string(),
  /** Null if the operator set it. */
  password: z.string().nullable(),
  apiKey: z.string().nullable(),
});

const storedCredentials = credentials.extend({ tenantId: z.string() });
export type StoredCredentials = z.infer<typeof storedCredentials>;

const fileIn = (dataDir: string): string => join(dataDir, 'first-credentials.json');

/**
 * Stores credentials in plain text until they have been printed, because the database only has
 * hashes. Without this file, a start that is killed in between would leave an installation without
 * a way to sign in.
 */
export function writeCredentials(dataDir: string, credentials: StoredCredentials): void {
  if (credentials.password === null && credentials.apiKey === null) return;
  forgetCredentials(dataDir);
  try {
    createOnce(fileIn(dataDir), JSON.stringify(credentials));
  } catch {
    // With PostgreSQL and SECRET_KEY, the folder need not be writable.
  }
}

export function readCredentials(dataDir: string): StoredCredentials | undefined {
  try {
    return storedCredentials.parse(JSON.parse(readFileSync(fileIn(dataDir), 'utf8')));
  } catch {
    return undefined;
  }
}

export function forgetCredentials(dataDir: string): void {
  try {
    rmSync(fileIn(dataDir), { force: true });
  } catch {
    // A folder that is not writable contains no credentials.
  }
}
