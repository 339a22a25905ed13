import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const policyVersions: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('policy_versions')
      .addColumn('tenant_id', 'text', (to) => to.notNull())
      .addColumn('policy_id', 'text', (to) => to.notNull())
      .addColumn('version', 'bigint', (to) => to.notNull())
      .addColumn('change', 'text', (to) => to.notNull())
      .addColumn('name', 'text', (to) => to.notNull())
      .addColumn('actor_type', 'text', (to) => to.notNull())
      .addColumn('actor_id', 'text', (to) => to.notNull())
      .addColumn('note', 'text', (to) => to.notNull())
      .addColumn('before', 'text')
      .addColumn('after', 'text')
      .addColumn('created_at', 'bigint', (to) => to.notNull())
      .addPrimaryKeyConstraint('policy_versions_pk', ['tenant_id', 'policy_id', 'version'])
      .execute();
  },
};
