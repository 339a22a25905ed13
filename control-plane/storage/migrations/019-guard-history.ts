import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const guardHistory: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('guard_changes')
      .addColumn('tenant_id', 'text', (to) => to.notNull())
      .addColumn('id', 'text', (to) => to.notNull())
      .addColumn('version', 'bigint', (to) => to.notNull())
      .addColumn('change', 'text', (to) => to.notNull())
      .addColumn('layer', 'text', (to) => to.notNull())
      .addColumn('scope', 'text', (to) => to.notNull())
      .addColumn('layer_id', 'text', (to) => to.notNull())
      .addColumn('before', 'text')
      .addColumn('after', 'text')
      .addColumn('reverts', 'text')
      .addColumn('changed_by', 'text', (to) => to.notNull())
      .addColumn('changed_at', 'bigint', (to) => to.notNull())
      .addPrimaryKeyConstraint('guard_changes_pk', ['tenant_id', 'id'])
      .addUniqueConstraint('guard_changes_by_version', ['tenant_id', 'version'])
      .execute();
    await db.schema
      .createIndex('guard_changes_by_place')
      .on('guard_changes')
      .columns(['tenant_id', 'layer', 'scope', 'version'])
      .execute();
    await tellOfEarlierLayers(db);
  },
};

/** The history of a layer that is older than the histories begins with what it was last set to. */
const tellOfEarlierLayers = (db: Kysely<unknown>) =>
  sql`insert into guard_changes
    (tenant_id, id, version, change, layer, scope, layer_id, "after", changed_by, changed_at)
    select tenant_id, 'gch_' || id, version, 'create', layer, scope, id, config, updated_by,
      updated_at from guard_layers`.execute(db);
