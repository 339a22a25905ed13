import type { SchemaModule } from 'kysely';
import type { Dialect } from '../../dialect.ts';
import {
  notNull,
  primaryKey,
  tenantIndexes,
  tenantTable,
  unique,
  withDefault,
} from './table-parts.ts';

export async function identityTables(schema: SchemaModule, dialect: Dialect): Promise<void> {
  await users(schema);
  await sessions(schema);
  await identitySettings(schema);
  await signInFailures(schema, dialect);
  await listedFailures(schema);
  await apiKeys(schema);
  await subUserSessions(schema);
}

async function users(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'users')
    .addColumn('id', 'text', notNull)
    .addColumn('email', 'text', unique)
    .addColumn('password_hash', 'text', notNull)
    .addColumn('role', 'text', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('disabled', 'integer', withDefault(0))
    .addColumn('must_change_password', 'integer', withDefault(0))
    .addColumn('password_changed_at', 'bigint')
    .addColumn('last_sign_in_at', 'bigint')
    // The user's identity at the company's provider, from the first sign-in there.
    .addColumn('oidc_issuer', 'text')
    .addColumn('oidc_subject', 'text')
    .addPrimaryKeyConstraint('users_pk', ['tenant_id', 'id'])
    .execute();
  // An identity at the provider belongs to one user. Nulls never conflict.
  await schema
    .createIndex('users_by_identity')
    .on('users')
    .columns(['oidc_issuer', 'oidc_subject'])
    .unique()
    .execute();
}

async function sessions(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'sessions')
    .addColumn('id', 'text', notNull)
    .addColumn('user_id', 'text', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('expires_at', 'bigint', notNull)
    .addColumn('revoked_at', 'bigint')
    .addColumn('method', 'text', withDefault('password'))
    .addColumn('address', 'text', withDefault(''))
    .addColumn('user_agent', 'text', withDefault(''))
    .addColumn('last_seen_at', 'bigint')
    .addPrimaryKeyConstraint('sessions_pk', ['tenant_id', 'id'])
    .execute();
  const index = tenantIndexes(schema, 'sessions');
  await index('sessions_by_user', 'user_id').execute();
  await index('sessions_by_expiry', 'expires_at').execute();
}

async function identitySettings(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('identity_settings')
    .addColumn('tenant_id', 'text', primaryKey)
    .addColumn('password_max_age_days', 'bigint')
    .addColumn('updated_at', 'bigint', notNull)
    .addColumn('updated_by', 'text', notNull)
    .execute();
}

async function signInFailures(schema: SchemaModule, dialect: Dialect): Promise<void> {
  await dialect
    .autoId(schema.createTable('sign_in_failures'), {
      name: 'sign_in_failures_pk',
      columns: ['id'],
    })
    .addColumn('email', 'text', notNull)
    .addColumn('address', 'text', notNull)
    .addColumn('at', 'bigint', notNull)
    .execute();
  await schema
    .createIndex('sign_in_failures_by_account')
    .on('sign_in_failures')
    .columns(['email', 'address', 'at'])
    .execute();
  await schema
    .createIndex('sign_in_failures_by_address')
    .on('sign_in_failures')
    .columns(['address', 'at'])
    .execute();
}

async function listedFailures(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'listed_failures')
    .addColumn('subject', 'text', notNull)
    .addColumn('since', 'bigint', notNull)
    .addColumn('count', 'bigint', notNull)
    .addPrimaryKeyConstraint('listed_failures_pk', ['tenant_id', 'subject', 'since'])
    .execute();
}

async function apiKeys(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'api_keys')
    .addColumn('id', 'text', notNull)
    .addColumn('name', 'text', notNull)
    .addColumn('hash', 'text', unique)
    .addColumn('permissions', 'text', notNull)
    // The hosts of the profile that the key was created with.
    .addColumn('profile_hosts', 'text')
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('last_used_at', 'bigint')
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    // The key that this one was rotated to.
    .addColumn('replaced_by', 'text')
    .addPrimaryKeyConstraint('api_keys_pk', ['tenant_id', 'id'])
    .execute();
}

async function subUserSessions(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'sub_user_sessions')
    .addColumn('id', 'text', notNull)
    .addColumn('sub_user_id', 'text', notNull)
    .addColumn('email', 'text')
    .addColumn('display_name', 'text')
    .addColumn('roles', 'text', notNull)
    .addColumn('permissions', 'text', notNull)
    .addColumn('issued_by', 'text', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('expires_at', 'bigint', notNull)
    .addColumn('revoked_at', 'bigint')
    // The built-in names when the token was issued. A name that becomes built-in later must grant
    // nothing to existing tokens that carry it.
    .addColumn('known_roles', 'text', withDefault('[]'))
    .addColumn('known_permissions', 'text', withDefault('[]'))
    .addPrimaryKeyConstraint('sub_user_sessions_pk', ['tenant_id', 'id'])
    .execute();
  const index = tenantIndexes(schema, 'sub_user_sessions');
  await index('sub_user_sessions_by_sub_user_id', 'sub_user_id').execute();
  await index('sub_user_sessions_by_expires_at', 'expires_at').execute();
}
