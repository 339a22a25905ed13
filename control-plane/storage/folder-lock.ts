import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { createOnce } from '../lib/private-file.ts';
import { SettingError } from '../lib/setting-error.ts';

/**
 * Locks a data folder for this process until the returned function is called. Uses SQLite's own
 * lock, which the operating system releases when the process ends, even after a crash.
 *
 * @throws SettingError if another control plane holds the lock
 */
export function lockFolder(folder: string): () => void {
  const file = join(folder, 'gatehouse.lock');
  createOnce(file, '');
  const database = new BetterSqlite3(file, { timeout: 0 });
  try {
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error;
    throw new SettingError(['DATA_DIR'], 'another control plane is using this folder');
  }
  return () => void database.close();
}
