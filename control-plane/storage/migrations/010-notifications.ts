import { type Kysely, type SchemaModule, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { notNull, tenantIndexes, tenantTable } from './001-schema/table-parts.ts';

/** Notification channels and rules, the outbox, and deliveries. */
export const notifications: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await channelsAndRules(schema);
    await tenantTable(schema, 'notification_events')
      .addColumn('id', 'text', notNull)
      .addColumn('event', 'text', notNull)
      .addColumn('cause', 'text', notNull)
      .addColumn('facts', 'text', notNull)
      .addColumn('created_at', 'bigint', notNull)
      .addPrimaryKeyConstraint('notification_events_pk', ['tenant_id', 'id'])
      .execute();
    await deliveries(schema);
    await tenantTable(schema, 'notification_items')
      .addColumn('delivery_id', 'text', notNull)
      .addColumn('event_id', 'text', notNull)
      .addColumn('facts', 'text', notNull)
      .addColumn('created_at', 'bigint', notNull)
      .addPrimaryKeyConstraint('notification_items_pk', ['tenant_id', 'delivery_id', 'event_id'])
      .execute();
    await tenantTable(schema, 'notification_marks')
      .addColumn('key', 'text', notNull)
      .addColumn('value', 'text', notNull)
      .addColumn('updated_at', 'bigint', notNull)
      .addPrimaryKeyConstraint('notification_marks_pk', ['tenant_id', 'key'])
      .execute();
  },
};

async function channelsAndRules(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'notification_channels')
    .addColumn('id', 'text', notNull)
    .addColumn('name', 'text', notNull)
    .addColumn('kind', 'text', notNull)
    .addColumn('target', 'text', notNull)
    .addColumn('recipients', 'text', notNull)
    // JSON with URL and signing secrets, encrypted with SECRET_KEY.
    .addColumn('sealed', 'text', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('updated_at', 'bigint', notNull)
    .addPrimaryKeyConstraint('notification_channels_pk', ['tenant_id', 'id'])
    .addUniqueConstraint('notification_channels_name', ['tenant_id', 'name'])
    .execute();
  await tenantTable(schema, 'notification_rules')
    .addColumn('id', 'text', notNull)
    .addColumn('name', 'text', notNull)
    .addColumn('enabled', 'bigint', notNull)
    .addColumn('events', 'text', notNull)
    .addColumn('min_severity', 'text')
    .addColumn('policy_ids', 'text', notNull)
    .addColumn('agents', 'text', notNull)
    .addColumn('budget_percent', 'bigint', notNull)
    .addColumn('offline_minutes', 'bigint', notNull)
    .addColumn('channel_ids', 'text', notNull)
    .addColumn('quiet_hours', 'text', notNull)
    .addColumn('group_seconds', 'bigint', notNull)
    .addColumn('decide_by_link', 'bigint', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('updated_at', 'bigint', notNull)
    .addPrimaryKeyConstraint('notification_rules_pk', ['tenant_id', 'id'])
    .addUniqueConstraint('notification_rules_name', ['tenant_id', 'name'])
    .execute();
}

async function deliveries(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'notification_deliveries')
    .addColumn('id', 'text', notNull)
    .addColumn('rule_id', 'text', notNull)
    .addColumn('rule_name', 'text', notNull)
    .addColumn('channel_id', 'text', notNull)
    .addColumn('channel_name', 'text', notNull)
    .addColumn('channel_kind', 'text', notNull)
    .addColumn('recipient', 'text', notNull)
    .addColumn('event', 'text', notNull)
    .addColumn('cause', 'text', notNull)
    .addColumn('subject', 'text', notNull)
    .addColumn('event_count', 'bigint', notNull)
    .addColumn('status', 'text', notNull)
    .addColumn('attempts', 'bigint', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('due_at', 'bigint', notNull)
    // The process that sends the message, and when its lease expires.
    .addColumn('lease_owner', 'text', notNull)
    .addColumn('lease_until', 'bigint', notNull)
    .addColumn('sent_at', 'bigint')
    .addColumn('last_answer', 'text')
    .addColumn('last_error', 'text')
    .addPrimaryKeyConstraint('notification_deliveries_pk', ['tenant_id', 'id'])
    .execute();
  const index = tenantIndexes(schema, 'notification_deliveries');
  await index('notification_deliveries_by_time', 'created_at', 'id').execute();
  // The index is partial: the log grows, but the number of waiting messages does not. Its columns
  // are all that the search for due messages of all tenants reads.
  await index('notification_deliveries_waiting', 'due_at', 'lease_until', 'id', 'channel_id')
    .where(sql.ref('status'), '=', sql.lit('waiting'))
    .execute();
}
