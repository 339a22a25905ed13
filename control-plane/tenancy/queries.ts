import type { Insertable } from 'kysely';
import type { Db, Storage } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';

export async function hasTenants(db: Db): Promise<boolean> {
  return (await db.selectFrom('tenants').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export interface NewTenant {
  tenant: Insertable<Tables['tenants']>;
  authority: Insertable<Tables['authorities']>;
  owner: Insertable<Tables['users']>;
  apiKey: Insertable<Tables['api_keys']>;
}

/**
 * A tenant with all that it needs to work. False when its owner's email is taken: another
 * process that started at the same moment was first.
 */
export async function createTenant(storage: Storage, parts: NewTenant): Promise<boolean> {
  try {
    await storage.db.transaction().execute(async (trx) => {
      await trx.insertInto('tenants').values(parts.tenant).execute();
      await trx.insertInto('authorities').values(parts.authority).execute();
      await trx.insertInto('users').values(parts.owner).execute();
      await trx.insertInto('api_keys').values(parts.apiKey).execute();
    });
    return true;
  } catch (error) {
    if (storage.isUnique(error)) return false;
    throw error;
  }
}

/** The oldest tenant: the one that the installation began with. */
export function firstTenant(db: Db) {
  return db
    .selectFrom('tenants')
    .select('id')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow();
}
