import type { SchemaModule } from 'kysely';
import type { Dialect } from '../../dialect.ts';
import { notNull, tenantIndexes, tenantTable } from './table-parts.ts';

/**
 * Totals that recording updates in its own transaction, so that reading them does not slow down as
 * history grows.
 */
export async function usageTables(schema: SchemaModule, dialect: Dialect): Promise<void> {
  await runTotals(schema, dialect);
  await runSessions(schema, dialect);
  await sessionAgents(schema, dialect);
  await trackedUsers(schema, dialect);
  await userAgents(schema, dialect);
  await userModels(schema, dialect);
  await groupTotals(schema, dialect);
  await agentGroupTotals(schema, dialect);
  await modelTotals(schema, dialect);
  await modelHours(schema, dialect);
  await scoreTotals(schema, dialect);
  await scoreHours(schema, dialect);
  await scoreValueHours(schema, dialect);
  await endUserDays(schema, dialect);
}

async function runTotals(schema: SchemaModule, dialect: Dialect): Promise<void> {
  await dialect
    .clusteredByKey(
      tenantTable(schema, 'run_totals')
        .addColumn('agent_name', 'text', notNull)
        .addColumn('status', 'text', notNull)
        .addColumn('run_count', 'bigint', notNull)
        .addPrimaryKeyConstraint('run_totals_pk', ['tenant_id', 'agent_name', 'status']),
    )
    .execute();
}

async function runSessions(schema: SchemaModule, dialect: Dialect): Promise<void> {
  await dialect
    .clusteredByKey(
      tenantTable(schema, 'run_sessions')
        .addColumn('session_id', 'text', notNull)
        .addColumn('run_count', 'bigint', notNull)
        .addColumn('first_run', 'bigint', notNull)
        .addColumn('last_activity', 'bigint', notNull)
        .addColumn('total_duration', 'bigint', notNull)
        .addColumn('total_cost', 'double precision', notNull)
        .addColumn('total_tokens', 'bigint', notNull)
        .addPrimaryKeyConstraint('run_sessions_pk', ['tenant_id', 'session_id']),
    )
    .execute();
  const index = tenantIndexes(schema, 'run_sessions');
  await index('run_sessions_by_last_activity', 'last_activity', 'session_id').execute();
  await index('run_sessions_by_first_run', 'first_run', 'session_id').execute();
  await index('run_sessions_by_run_count', 'run_count', 'session_id').execute();
}

async function sessionAgents(schema: SchemaModule, dialect: Dialect): Promise<void> {
  await dialect
    .clusteredByKey(
      tenantTable(schema, 'session_agents')
        .addColumn('session_id', 'text', notNull)
        .addColumn('agent_name', 'text', notNull)
        .addColumn('run_count', 'bigint', notNull)
        .addPrimaryKeyConstraint('session_agents_pk', ['tenant_id', 'session_id', 'agent_name']),
    )
    .execute();
  const index = tenantIndexes(schema, 'session_agents');
  await index('session_agents_by_agent', 'agent_name', 'session_id').execute();
}

async function trackedUsers(schema: SchemaModule, dialect: Dialect): Promise<void> {
  await dialect
    .clusteredByKey(
      tenantTable(schema, 'tracked_users')
        .addColumn('user_id', 'text', notNull)
        .addColumn('run_count', 'bigint', notNull)
        .addColumn('first_seen', 'bigint', notNull)
        .addColumn('last_seen', 'bigint', notNull)
        .addColumn('total_duration', 'bigint', notNull)
        .addColumn('total_cost', 'double precision', notNull)
        .addColumn('total_tokens', 'bigint', notNull)
        .addPrimaryKeyConstraint('tracked_users_pk', ['tenant_id', 'user_id']),
    )
    .execute();
  const index = tenantIndexes(schema, 'tracked_users');
  await index('tracked_users_by_last_seen', 'last_seen', 'user_id').execute();
  await index('tracked_users_by_first_seen', 'first_seen', 'user_id').execute();
  await index('tracked_users_by_run_count', 'run_count', 'user_id').execute();
}

async function userAgents(schema: SchemaModule, dialect: Dialect): Promise<void> {
  await dialect
    .clusteredByKey(
      tenantTable(schema, 'user_agents')
        .addColumn('user_id', 'text', notNull)
        .addColumn('agent_name', 'text', notNull)
        .addColumn('run_count', 'bigint', notNull)
        .addPrimaryKeyConstraint('user_agents_pk', ['tenant_id', 'user_id', 'agent_name']),
    )
    .execute();
  const index = tenantIndexes(schema, 'user_agents');
  await index('user_agents_by_agent', 'agent_name', 'user_id').execute();
}

async function userModels(schema: SchemaModule, dialect: Dialect): Promise<void> {
  await dialect
    .clusteredByKey(
      tenantTable(schema, 'user_models')
        .addColumn('user_id', 'text', notNull)
        .addColumn('model', 'text', notNull)
        .addColumn('call_count', 'bigint', notNull)
        .addColumn('total_tokens', 'bigint', notNull)
        .addColumn('total_cost', 'double precision', notNull)
        .addPrimaryKeyConstraint('user_models_pk', ['tenant_id', 'user_id', 'model']),
    )
    .execute();
}

async function groupTotals(schema: SchemaModule, dialect: Dialect): Promise<void> {
  await dialect
    .clusteredByKey(
      tenantTable(schema, 'group_totals')
        .addColumn('kind', 'text', notNull)
        .addColumn('total', 'bigint', notNull)
        .addPrimaryKeyConstraint('group_totals_pk', ['tenant_id', 'kind']),
    )
    .execute();
}

/** Stored totals, because counting the sessions and users of an agent takes long. */
async function agentGroupTotals(schema: SchemaModule, dialect: Dialect): Promise<void> {
  await dialect
    .clusteredByKey(
      tenantTable(schema, 'agent_group_totals')
        .addColumn('kind', 'text', notNull)
        .addColumn('agent_name', 'text', notNull)
        .addColumn('total', 'bigint', notNull)
        .addPrimaryKeyConstraint('agent_group_totals_pk', ['tenant_id', 'kind', 'agent_name']),
    )
    .execute();
}

async function modelTotals(schema: SchemaModule, dialect: Dialect): Promise<void> {
  await dialect
    .clusteredByKey(
      tenantTable(schema, 'model_totals')
        .addColumn('agent_name', 'text', notNull)
        .addColumn('model', 'text', notNull)
        .addColumn('call_count', 'bigint', notNull)
        .addColumn('total_tokens', 'bigint', notNull)
        .addColumn('total_cost', 'double precision', notNull)
        .addColumn('unpriced_count', 'bigint', notNull)
        .addPrimaryKeyConstraint('model_totals_pk', ['tenant_id', 'agent_name', 'model']),
    )
    .execute();
}

async function modelHours(schema: SchemaModule, dialect: Dialect): Promise<void> {
  await dialect
    .clusteredByKey(
      tenantTable(schema, 'model_hours')
        // Empty in the row for all agents together, as in the other hourly tables.
        .addColumn('agent_name', 'text', notNull)
        .addColumn('hour', 'bigint', notNull)
        .addColumn('model', 'text', notNull)
        .addColumn('call_count', 'bigint', notNull)
        .addColumn('total_tokens', 'bigint', notNull)
        .addColumn('total_cost', 'double precision', notNull)
        .addPrimaryKeyConstraint('model_hours_pk', ['tenant_id', 'agent_name', 'hour', 'model']),
    )
    .execute();
}

async function scoreTotals(schema: SchemaModule, dialect: Dialect): Promise<void> {
  await dialect
    .clusteredByKey(
      tenantTable(schema, 'score_totals')
        .addColumn('name', 'text', notNull)
        .addColumn('data_type', 'text', notNull)
        .addColumn('source', 'text', notNull)
        .addColumn('score_count', 'bigint', notNull)
        .addColumn('numeric_count', 'bigint', notNull)
        .addColumn('numeric_sum', 'double precision', notNull)
        .addPrimaryKeyConstraint('score_totals_pk', ['tenant_id', 'name', 'data_type', 'source']),
    )
    .execute();
}

async function scoreHours(schema: SchemaModule, dialect: Dialect): Promise<void> {
  await dialect
    .clusteredByKey(
      tenantTable(schema, 'score_hours')
        .addColumn('agent_name', 'text', notNull)
        .addColumn('hour', 'bigint', notNull)
        .addColumn('name', 'text', notNull)
        .addColumn('data_type', 'text', notNull)
        .addColumn('score_count', 'bigint', notNull)
        .addColumn('numeric_count', 'bigint', notNull)
        .addColumn('numeric_sum', 'double precision', notNull)
        .addColumn('numeric_min', 'double precision')
        .addColumn('numeric_max', 'double precision')
        .addPrimaryKeyConstraint('score_hours_pk', [
          'tenant_id',
          'agent_name',
          'hour',
          'name',
          'data_type',
        ]),
    )
    .execute();
}

async function scoreValueHours(schema: SchemaModule, dialect: Dialect): Promise<void> {
  await dialect
    .clusteredByKey(
      tenantTable(schema, 'score_value_hours')
        .addColumn('agent_name', 'text', notNull)
        .addColumn('hour', 'bigint', notNull)
        .addColumn('name', 'text', notNull)
        .addColumn('data_type', 'text', notNull)
        .addColumn('value', 'text', notNull)
        .addColumn('score_count', 'bigint', notNull)
        .addPrimaryKeyConstraint('score_value_hours_pk', [
          'tenant_id',
          'agent_name',
          'hour',
          'name',
          'data_type',
          'value',
        ]),
    )
    .execute();
}

async function endUserDays(schema: SchemaModule, dialect: Dialect): Promise<void> {
  await dialect
    .clusteredByKey(
      tenantTable(schema, 'end_user_days')
        .addColumn('end_user_id', 'text', notNull)
        .addColumn('day', 'bigint', notNull)
        .addColumn('call_count', 'bigint', notNull)
        .addColumn('total_tokens', 'bigint', notNull)
        .addColumn('total_cost', 'double precision', notNull)
        .addPrimaryKeyConstraint('end_user_days_pk', ['tenant_id', 'end_user_id', 'day']),
    )
    .execute();
}
