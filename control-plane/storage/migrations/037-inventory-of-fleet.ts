import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const ofTenant = (db: Kysely<unknown>, table: string) =>
  db.schema.createTable(table).addColumn('tenant_id', 'text', (to) => to.notNull());

/**
 * Apps across the fleet, rules on them, what these block, and the incidents that they open. What was
 * reported before is brought to its groups in the background, for there may be millions of rows.
 */
export const inventoryOfFleet: Migration = {
  async up(db: Kysely<unknown>) {
    await createGroups(db);
    await createRules(db);
    await extendIncidents(db);
    await index(db, 'apps_by_group', 'apps', 'group_id', 'device_id', 'id');
  },
};

async function createGroups(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('apps')
    .addColumn('group_id', 'text', (to) => to.notNull().defaultTo(''))
    .execute();
  let groups = ofTenant(db, 'app_groups').addColumn('catalog_id', 'text');
  for (const name of ['id', 'kind', 'name', 'versions', 'risk_flags'])
    groups = groups.addColumn(name, 'text', (to) => to.notNull());
  for (const name of ['oldest_version', 'newest_version', 'oldest_key'])
    groups = groups.addColumn(name, 'text');
  const numbers = ['first_seen', 'last_seen', 'device_count', 'gone_count', 'user_count'];
  for (const name of [...numbers, 'version_count', 'revision'])
    groups = groups.addColumn(name, 'bigint', (to) => to.notNull());
  await groups.addPrimaryKeyConstraint('app_groups_pk', ['tenant_id', 'id'] as never).execute();
  for (const by of ['device_count', 'first_seen', 'name'])
    await index(db, `app_groups_by_${by}`, 'app_groups', by, 'id');
  await ofTenant(db, 'app_changes')
    .addColumn('group_id', 'text', (to) => to.notNull())
    .addColumn('device_id', 'text', (to) => to.notNull())
    .addColumn('token', 'text', (to) => to.notNull())
    .addPrimaryKeyConstraint('app_changes_pk', ['tenant_id', 'group_id', 'device_id'])
    .execute();
}

async function createRules(db: Kysely<unknown>): Promise<void> {
  await ofTenant(db, 'inventory_rules')
    .addColumn('id', 'text', (to) => to.notNull())
    .addColumn('name', 'text', (to) => to.notNull())
    .addColumn('description', 'text', (to) => to.notNull())
    .addColumn('enabled', 'integer', (to) => to.notNull())
    .addColumn('condition', 'text', (to) => to.notNull())
    .addColumn('scope', 'text', (to) => to.notNull())
    .addColumn('action', 'text', (to) => to.notNull())
    .addColumn('evaluated_to', 'text')
    .addColumn('deleted_at', 'bigint')
    .addColumn('created_at', 'bigint', (to) => to.notNull())
    .addColumn('updated_at', 'bigint', (to) => to.notNull())
    .addColumn('updated_by', 'text', (to) => to.notNull())
    .addPrimaryKeyConstraint('inventory_rules_pk', ['tenant_id', 'id'])
    .execute();
  await db.schema
    .createIndex('inventory_rules_by_name')
    .unique()
    .on('inventory_rules')
    .columns(['tenant_id', 'name'])
    .where(sql.ref('deleted_at'), 'is', null)
    .execute();
  await ofTenant(db, 'inventory_blocks')
    .addColumn('device_id', 'text', (to) => to.notNull())
    .addColumn('rule_id', 'text', (to) => to.notNull())
    .addColumn('app_group_id', 'text', (to) => to.notNull())
    .addColumn('app_name', 'text', (to) => to.notNull())
    .addColumn('processes', 'text', (to) => to.notNull())
    .addPrimaryKeyConstraint('inventory_blocks_pk', [
      'tenant_id',
      'device_id',
      'rule_id',
      'app_group_id',
    ])
    .execute();
}

async function extendIncidents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('incidents')
    .addColumn('source', 'text', (to) => to.notNull().defaultTo('policy'))
    .execute();
  for (const name of ['device_id', 'hostname', 'app_group_id', 'app_name'])
    await db.schema.alterTable('incidents').addColumn(name, 'text').execute();
  await db.schema
    .alterTable('incidents')
    .addColumn('holds', 'integer', (to) => to.notNull().defaultTo(0))
    .execute();
  // One for each rule, app and device; partial, so that incidents of policies cost no entry.
  await db.schema
    .createIndex('incidents_of_apps')
    .unique()
    .on('incidents')
    .columns(['tenant_id', 'policy_id', 'app_group_id', 'device_id'])
    .where(sql.ref('app_group_id'), 'is not', null)
    .execute();
  await db.schema
    .createIndex('incidents_by_device')
    .on('incidents')
    .columns(['tenant_id', 'device_id', 'created_at', 'id'])
    .where(sql.ref('device_id'), 'is not', null)
    .execute();
}

const index = (db: Kysely<unknown>, name: string, table: string, ...columns: string[]) =>
  db.schema
    .createIndex(name)
    .on(table)
    .columns(['tenant_id', ...columns])
    .execute();
