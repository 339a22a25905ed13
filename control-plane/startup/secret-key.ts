import type { Config } from '../config.ts';
import { listListenerAuthorities } from '../authorities/queries.ts';
import { forgetSecretKey, makeSecretKey, readSecretKey, type Secrets } from '../lib/secrets.ts';
import { withSettings, SettingError } from '../lib/setting-error.ts';
import type { Db } from '../storage/open.ts';
import { firstTenant, hasTenants } from '../tenants/queries.ts';

export interface SecretKey {
  key: string;
  /**
   * @throws SettingError unless the data was encrypted with this key; a newly created key is
   *   removed
   */
  verify(db: Db, secrets: Secrets): Promise<void>;
}

/**
 * The key that encrypts the data. A new one is created only for a new database: beside data of
 * another key it would later be mistaken for that key.
 *
 * @throws SettingError if there is data and no key
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
        // Another process created the database meanwhile, with its own key.
        if (existing === undefined && error instanceof SettingError) forgetSecretKey(dataDir);
        throw error;
      }
    },
  };
}
