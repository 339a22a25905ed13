import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Tenants without a parent had every add-on by rule; from now on theirs are listed like any other. */
export const firstTenantsAddOns: Migration = {
  async up(db: Kysely<unknown>) {
    for (const code of ['sso', 'audit_export', 'insights'])
      await sql`
        insert into tenant_add_ons (tenant_id, code, activated_at)
        select id, ${code}, created_at from tenants where parent_id is null
        on conflict do nothing`.execute(db);
  },
};
