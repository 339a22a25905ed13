import type { Db } from '../storage/open.ts';

export const findUserByEmail = (db: Db, tenantId: string, email: string) =>
  db
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('email', '=', email)
    .executeTakeFirst();
