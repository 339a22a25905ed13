import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { requireSecretKey, requireDatabase } from '../startup/data-folder.ts';
import { createOnce } from '../lib/private-file.ts';
import { SettingError } from '../startup/setting-error.ts';
import { DATABASE_FILE } from '../storage/open.ts';
import { copySqlite } from '../storage/sqlite-backup.ts';

export interface BackedUp {
  files: string[];
  bytes: number;
}

/**
 * Copies what a control plane on SQLite cannot do without into a folder that it makes, while the
 * control plane goes on. The search index is not among it: it comes back by itself.
 *
 * @throws Error of one line
 */
export async function backUp(config: Config, folder: string): Promise<BackedUp> {
  if (config.databaseUrl)
    throw new SettingError(
      ['DATABASE_URL'],
      'PostgreSQL is backed up with pg_dump, and DATA_DIR/secret.key beside it: docs/operations.md',
    );
  requireDatabase(config);
  const key = requireSecretKey(config);
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(`${folder} is not empty: each backup gets a folder of its own`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // What has the final name is whole.
  const draft = join(folder, `${DATABASE_FILE}.partial`);
  const files = [DATABASE_FILE];
  try {
    const bytes = await copySqlite(join(config.dataDir, DATABASE_FILE), draft);
    if (!config.secretKey) {
      createOnce(join(folder, 'secret.key'), key);
      files.push('secret.key');
    }
    renameSync(draft, join(folder, DATABASE_FILE));
    return { files, bytes };
  } finally {
    for (const end of ['', '-wal', '-shm']) rmSync(`${draft}${end}`, { force: true });
  }
}
