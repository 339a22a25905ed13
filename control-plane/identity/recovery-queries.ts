import type { Db } from '../storage/open.ts';

/**
 * The CA of a tenant. Decrypting its private key proves possession of the installation's
 * SECRET_KEY.
 */
export const findAuthority = (db: Db, tenantId: string) =>
  db
    .selectFrom('authorities')
    .select('private_key')
    .where('tenant_id', '=', tenantId)
    .limit(1)
    .executeTakeFirstOrThrow();
