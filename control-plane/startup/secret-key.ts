import type { Config } from '../config.ts';
import { listListenerAuthorities } from '../authorities/queries.ts';
import { forgetSecretKey, makeSecretKey, readSecretKey, type Secrets } from './secrets.ts';
import { withSettings, SettingError } from './setting-error.ts';
import type { Db } from '../storage/open.ts';
import { firstTenant, hasTenants } from '../tenancy/queries.ts';

export interface SecretKey {
  key: string;
  /** @throws SettingError unless the data was made with this key; one made just now is taken away */
  verify(db: Db, secrets: Secrets): Promise<void>;
}

/**
 * The key that the data is sealed with. A new one is made only for a new database: beside data of
 * another key it would be taken for that key later.
 *
 * @throws SettingError when there is data and no key
 */
export async function openSecretKey(config: Config, db: Db): Promise<SecretKey> {
  const { dataDir, secretKey } = config;
  const given = await withSettings(['DATA_DIR'], 'reading secret.key', () =>
    readSecretKey(secretKey, dataDir),
  );
  if (given === undefined && (await hasTenants(db)))
    throw new SettingError(
      ['DATA_DIR'],
      'there is a database and no secret.key: restore that file from the backup, or set SECRET_KEY',
    );
  const key =
    given ?? (await withSettings(['DATA_DIR'], 'making secret.key', () => makeSecretKey(dataDir)));
  return {
    key,
    async verify(on, secrets) {
      try {
        const [{ private_key }] = await listListenerAuthorities(on, (await firstTenant(on)).id);
        secrets.decrypt(private_key);
      } catch (error) {
        // Another process made the database meanwhile, with a key of its own.
        if (given === undefined && error instanceof SettingError) forgetSecretKey(dataDir);
        throw error;
      }
    },
  };
}
