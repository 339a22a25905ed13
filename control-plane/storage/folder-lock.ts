import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { createOnce } from '../lib/private-file.ts';
import { SettingError } from '../startup/setting-error.ts';

/**
 * Takes a data folder for this process alone, until the answered function is called. SQLite's own
 * lock does it: the operating system releases it with the process, however that ends.
 *
 * @throws SettingError when another control plane has it
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
