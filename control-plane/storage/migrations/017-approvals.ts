import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const subject = ['tenant_id', 'policy_id', 'agent_name', 'workflow_name'];

export const approvals: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('approvals')
      .addColumn('tenant_id', 'text', (to) => to.notNull())
      .addColumn('id', 'text', (to) => to.notNull())
      .addColumn('policy_id', 'text', (to) => to.notNull())
      .addColumn('policy_name', 'text', (to) => to.notNull())
      .addColumn('agent_name', 'text', (to) => to.notNull())
      .addColumn('workflow_name', 'text', (to) => to.notNull())
      .addColumn('action_type', 'text', (to) => to.notNull())
      .addColumn('agent_id', 'text', (to) => to.notNull())
      .addColumn('user_id', 'text', (to) => to.notNull())
      .addColumn('reason', 'text', (to) => to.notNull())
      .addColumn('approvers', 'text', (to) => to.notNull())
      .addColumn('timeout_minutes', 'integer', (to) => to.notNull())
      .addColumn('status', 'text', (to) => to.notNull())
      .addColumn('created_at', 'bigint', (to) => to.notNull())
      .addColumn('expires_at', 'bigint', (to) => to.notNull())
      .addColumn('holds_until', 'bigint', (to) => to.notNull())
      .addColumn('decided_at', 'bigint')
      .addColumn('decided_by', 'text')
      .addColumn('note', 'text', (to) => to.notNull())
      .addPrimaryKeyConstraint('approvals_pk', ['tenant_id', 'id'])
      .execute();
    await createIndexes(db);
  },
};

async function createIndexes(db: Kysely<unknown>): Promise<void> {
  // Whoever asks again while nobody has decided asks for nothing new.
  await (db as Kysely<{ approvals: { status: string } }>).schema
    .createIndex('approvals_pending')
    .on('approvals')
    .columns([...subject, 'action_type', 'agent_id', 'user_id'])
    .unique()
    .where('status', '=', 'pending')
    .execute();
  await db.schema
    .createIndex('approvals_by_subject')
    .on('approvals')
    .columns([...subject, 'holds_until'])
    .execute();
  await db.schema
    .createIndex('approvals_by_time')
    .on('approvals')
    .columns(['tenant_id', 'created_at', 'id'])
    .execute();
}
