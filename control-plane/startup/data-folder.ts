import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { readSecretKey } from '../lib/derived-keys.ts';
import { SettingError } from '../lib/setting-error.ts';
import { lockFolder } from '../storage/folder-lock.ts';

/**
 * Checks that there is a database, because commands do not create one.
 *
 * @throws SettingError if there is none
 */
export function requireDatabase({ dataDir, databaseUrl }: Config): void {
  if (!databaseUrl && !existsSync(join(dataDir, 'gatehouse.db')))
    throw new SettingError(['DATA_DIR'], 'there is no database in this folder');
}

/**
 * Returns the key of the control plane. A newly generated key could not decrypt existing data.
 *
 * @throws SettingError if there is none
 */
export function requireSecretKey({ secretKey, dataDir }: Config): string {
  const key = readSecretKey(secretKey, dataDir);
  if (key !== undefined) return key;
  throw new SettingError(
    ['SECRET_KEY'],
    `not set, and there is no secret.key in DATA_DIR=${dataDir}`,
  );
}

/**
 * Locks the folder of a SQLite database, which belongs to one process, and returns the function
 * that releases it. If it is already locked, `advice` is appended to the error.
 *
 * @throws SettingError
 */
export function lockDataFolder(config: Config, advice: string): () => void {
  requireDatabase(config);
  try {
    return lockFolder(config.dataDir);
  } catch (error) {
    throw new SettingError(['DATA_DIR'], `${(error as Error).message}; ${advice}`, {
      cause: error,
    });
  }
}
