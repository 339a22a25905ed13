import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { requireSecretKey, requireDatabase } from '../startup/data-folder.ts';
import { createOnce } from '../lib/private-file.ts';
import { SettingError } from '../lib/setting-error.ts';
import { DATABASE_FILE } from '../storage/open.ts';
import { copySqlite } from '../storage/sqlite-backup.ts';

export interface BackupResult {
  files: string[];
  bytes: number;
}

/**
 * Copies the data that a control plane on SQLite needs into a new folder, while the control plane
 * runs. The search index is omitted, because it is rebuilt automatically.
 *
 * @throws Error with a one-line message
 */
export async function backUp(config: Config, folder: string): Promise<BackupResult> {
  if (config.databaseUrl)
    throw new SettingError(
      ['DATABASE_URL'],
      'PostgreSQL is backed up with pg_dump, together with DATA_DIR/secret.key: docs/operations.md',
    );
  requireDatabase(config);
  const key = requireSecretKey(config);
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(`${folder} is not empty: each backup needs its own folder`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // A file under its final name is complete.
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
