import { type SchemaModule, sql } from 'kysely';
import type { Dialect } from '../../dialect.ts';
import { notNull, tenantIndexes, tenantTable, withDefault } from './table-parts.ts';

export async function policyTables(schema: SchemaModule, dialect: Dialect): Promise<void> {
  await policies(schema);
  await policyVersions(schema);
  await policyStates(schema);
  await policyChecks(schema);
  await askedPolicies(schema, dialect);
  await evaluations(schema, dialect);
  await incidents(schema);
  await approvals(schema);
  await endUserLimits(schema, dialect);
}

async function policies(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'policies')
    .addColumn('id', 'text', notNull)
    .addColumn('name', 'text', notNull)
    .addColumn('description', 'text', notNull)
    .addColumn('category', 'text', notNull)
    .addColumn('rules', 'text', notNull)
    .addColumn('scope', 'text', notNull)
    .addColumn('priority', 'integer', notNull)
    .addColumn('enabled', 'integer', notNull)
    .addColumn('version', 'bigint', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('updated_at', 'bigint', notNull)
    .addPrimaryKeyConstraint('policies_pk', ['tenant_id', 'id'])
    .addUniqueConstraint('policies_by_name', ['tenant_id', 'name'])
    .execute();
}

async function policyVersions(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'policy_versions')
    .addColumn('policy_id', 'text', notNull)
    .addColumn('version', 'bigint', notNull)
    .addColumn('change', 'text', notNull)
    .addColumn('name', 'text', notNull)
    .addColumn('actor_type', 'text', notNull)
    .addColumn('actor_id', 'text', notNull)
    .addColumn('note', 'text', notNull)
    .addColumn('before', 'text')
    .addColumn('after', 'text')
    .addColumn('created_at', 'bigint', notNull)
    .addPrimaryKeyConstraint('policy_versions_pk', ['tenant_id', 'policy_id', 'version'])
    .execute();
}

/**
 * The states of all policies for a subject share one row, because every check reads and writes all
 * of them. The table is not clustered by its key: SQLite would move each row over a kilobyte to a
 * page of its own.
 */
async function policyStates(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'policy_states')
    .addColumn('subject', 'text', notNull)
    .addColumn('updated_at', 'bigint', notNull)
    .addColumn('states', 'text', notNull)
    .addPrimaryKeyConstraint('policy_states_of_subject', ['tenant_id', 'subject'])
    .execute();
}

/**
 * A check is stored as one row, no matter how many policies were evaluated. The table is not
 * clustered by its key: SQLite would move each row over a kilobyte to a page of its own.
 */
async function policyChecks(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'policy_checks')
    .addColumn('id', 'text', notNull)
    .addColumn('agent_name', 'text', notNull)
    .addColumn('workflow_name', 'text', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('answer_count', 'integer', notNull)
    .addColumn('asked', 'text', notNull)
    // The last column, so that counting reads only the beginnings of rows.
    .addColumn('answers', 'text', notNull)
    .addPrimaryKeyConstraint('policy_checks_by_id', ['tenant_id', 'id'])
    .execute();
  const index = tenantIndexes(schema, 'policy_checks');
  // Counting reads only this index, and no answers.
  await index('policy_checks_by_time', 'created_at', 'agent_name', 'answer_count').execute();
}

/** The names of the evaluated policies are stored once a day instead of with each check. */
async function askedPolicies(schema: SchemaModule, dialect: Dialect): Promise<void> {
  await dialect
    .clusteredByKey(
      tenantTable(schema, 'asked_policies')
        .addColumn('day', 'bigint', notNull)
        .addColumn('key', 'text', notNull)
        .addColumn('policies', 'text', notNull)
        .addPrimaryKeyConstraint('asked_policies_pk', ['tenant_id', 'day', 'key']),
    )
    .execute();
}

async function evaluations(schema: SchemaModule, dialect: Dialect): Promise<void> {
  await dialect
    .clusteredByKey(
      tenantTable(schema, 'evaluations')
        .addColumn('id', 'text', notNull)
        .addColumn('run_id', 'bigint')
        .addColumn('policy_id', 'text')
        .addColumn('policy_name', 'text')
        .addColumn('category', 'text')
        .addColumn('phase', 'text', notNull)
        .addColumn('action', 'text', notNull)
        .addColumn('reason', 'text', notNull)
        .addColumn('metadata', 'text', notNull)
        .addColumn('agent_name', 'text', notNull)
        .addColumn('workflow_name', 'text', notNull)
        .addColumn('evaluation_count', 'bigint', notNull)
        .addColumn('created_at', 'bigint', notNull)
        .addColumn('updated_at', 'bigint', notNull)
        // Ids sort by time, so the records of one check lie next to each other.
        .addPrimaryKeyConstraint('evaluations_pk', ['tenant_id', 'id']),
    )
    .execute();
  const index = tenantIndexes(schema, 'evaluations');
  await index('evaluations_by_run', 'run_id').where(sql.ref('run_id'), 'is not', null).execute();
}

async function incidents(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'incidents')
    .addColumn('id', 'text', notNull)
    .addColumn('run_id', 'bigint')
    .addColumn('policy_id', 'text', notNull)
    .addColumn('policy_name', 'text', notNull)
    .addColumn('category', 'text', notNull)
    .addColumn('action', 'text', notNull)
    .addColumn('reason', 'text', notNull)
    .addColumn('metadata', 'text', notNull)
    .addColumn('agent_name', 'text', notNull)
    .addColumn('workflow_name', 'text', notNull)
    .addColumn('status', 'text', notNull)
    .addColumn('note', 'text', notNull)
    .addColumn('occurrences', 'bigint', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('updated_at', 'bigint', notNull)
    // `policy` or `inventory`. The following columns are for inventory rules only.
    .addColumn('source', 'text', withDefault('policy'))
    .addColumn('device_id', 'text')
    .addColumn('hostname', 'text')
    .addColumn('app_group_id', 'text')
    .addColumn('app_name', 'text')
    .addColumn('holds', 'integer', withDefault(0))
    .addPrimaryKeyConstraint('incidents_pk', ['tenant_id', 'id'])
    .execute();
  const index = tenantIndexes(schema, 'incidents');
  await index('incidents_by_status', 'status', 'created_at', 'id').execute();
  await index('incidents_by_time', 'created_at', 'id').execute();
  await index('incidents_by_run', 'run_id').execute();
  await index('incidents_by_policy', 'policy_id', 'run_id', 'status').execute();
  // One incident for each rule, app and device. The index is partial, so that incidents of policies
  // cost no entry.
  await index('incidents_of_apps', 'policy_id', 'app_group_id', 'device_id')
    .unique()
    .where(sql.ref('app_group_id'), 'is not', null)
    .execute();
  await index('incidents_by_device', 'device_id', 'created_at', 'id')
    .where(sql.ref('device_id'), 'is not', null)
    .execute();
}

async function approvals(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'approvals')
    .addColumn('id', 'text', notNull)
    .addColumn('policy_id', 'text', notNull)
    .addColumn('policy_name', 'text', notNull)
    .addColumn('agent_name', 'text', notNull)
    .addColumn('workflow_name', 'text', notNull)
    .addColumn('action_type', 'text', notNull)
    // Empty if there is none, because nulls would not be unique.
    .addColumn('agent_id', 'text', notNull)
    .addColumn('user_id', 'text', notNull)
    .addColumn('reason', 'text', notNull)
    .addColumn('approvers', 'text', notNull)
    .addColumn('timeout_minutes', 'integer', notNull)
    .addColumn('status', 'text', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('expires_at', 'bigint', notNull)
    .addColumn('holds_until', 'bigint', notNull)
    .addColumn('decided_at', 'bigint')
    .addColumn('decided_by', 'text')
    .addColumn('note', 'text', notNull)
    .addPrimaryKeyConstraint('approvals_pk', ['tenant_id', 'id'])
    .execute();
  const index = tenantIndexes(schema, 'approvals');
  // A request that is repeated while it is pending does not create a second one.
  await index(
    'approvals_pending',
    'policy_id',
    'agent_name',
    'workflow_name',
    'action_type',
    'agent_id',
    'user_id',
  )
    .unique()
    .where(sql.ref('status'), '=', sql.lit('pending'))
    .execute();
  await index(
    'approvals_by_subject',
    'policy_id',
    'agent_name',
    'workflow_name',
    'holds_until',
  ).execute();
  await index('approvals_by_time', 'created_at', 'id').execute();
}

async function endUserLimits(schema: SchemaModule, dialect: Dialect): Promise<void> {
  await dialect
    .clusteredByKey(
      tenantTable(schema, 'end_user_limits')
        .addColumn('kind', 'text', notNull)
        .addColumn('id', 'text', notNull)
        .addColumn('monthly_budget', 'double precision')
        .addColumn('requests_per_minute', 'bigint')
        .addColumn('updated_at', 'bigint', notNull)
        .addPrimaryKeyConstraint('end_user_limits_pk', ['tenant_id', 'kind', 'id']),
    )
    .execute();
}
