import type { Config } from '../config.ts';
import { listListenerAuthorities } from '../authorities/queries.ts';
import {
  forgetSecretKey,
  makeSecretKey,
  readSecretKey,
  type Secrets,
} from '../lib/derived-keys.ts';
import { withSettings, SettingError } from '../lib/setting-error.ts';
import type { Db } from '../storage/open.ts';
import { firstTenant, hasTenants } from '../tenants/queries.ts';

export interface SecretKey {
  key: string;
  /**
   * Checks the key; a newly created one is removed if it is wrong.
   *
   * @throws SettingError unless the data was encrypted with this key
   */
  verify(db: Db, secrets: Secrets): Promise<void>;
}

/**
 * Opens the key that encrypts the data. A new key is created only for a new database: otherwise it
 * would later be mistaken for the key of the existing data.
 *
 * @throws SettingError if there is data but no key
 */
export async function openSecretKey(config: Config, db: Db): Promise<SecretKey> {
  const { dataDir, secretKey } = config;
  const existing = await withSettings(['DATA_DIR'], 'reading secret.key', () =>
    readSecretKey(secretKey, dataDir),
  );
  if (existing === undefined && (await hasTenants(db)))
    throw new SettingError(
      ['DATA_DIR'],
      'there is a database but no secret.key: restore that file from the backup, or set SECRET_KEY',
    );
  const key =
    existing ??
    (await withSettings(['DATA_DIR'], 'creating secret.key', () => makeSecretKey(dataDir)));
  return {
    key,
    async verify(on, secrets) {
      try {
        const [{ private_key }] = await listListenerAuthorities(on, (await firstTenant(on)).id);
        secrets.decrypt(private_key);
      } catch (error) {
        // Another process has created the database in the meantime, with its own key.
        if (existing === undefined && error instanceof SettingError) forgetSecretKey(dataDir);
        throw error;
      }
    },
  };
}
