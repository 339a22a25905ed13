import { type SchemaModule, sql } from 'kysely';
import {
  notNull,
  primaryKey,
  tenantIndexes,
  tenantTable,
  unique,
  withDefault,
} from './table-parts.ts';

export async function deviceTables(schema: SchemaModule): Promise<void> {
  await authorities(schema);
  await devices(schema);
  await deviceIdentities(schema);
  await deviceIntermediates(schema);
  await enrollmentSettings(schema);
  await appSettings(schema);
}

async function authorities(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'authorities')
    .addColumn('id', 'text', notNull)
    .addColumn('certificate', 'text', notNull)
    // PKCS#8 PEM, encrypted with SECRET_KEY.
    .addColumn('private_key', 'text', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('state', 'text', withDefault('active'))
    .addColumn('crl_number', 'bigint', withDefault(0))
    .addColumn('revocations', 'bigint', withDefault(0))
    .addPrimaryKeyConstraint('authorities_pk', ['tenant_id', 'id'])
    .execute();
  // A tenant has at most one next and one active root, even if two administrators act at once.
  await schema
    .createIndex('authorities_next')
    .on('authorities')
    .column('tenant_id')
    .unique()
    .where(sql.ref('state'), '=', sql.lit('next'))
    .execute();
  await schema
    .createIndex('authorities_active')
    .on('authorities')
    .column('tenant_id')
    .unique()
    .where(sql.ref('state'), '=', sql.lit('active'))
    .execute();
  // A request for a revocation list names the root, not its tenant.
  await schema.createIndex('authorities_by_id').on('authorities').column('id').execute();
}

async function devices(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'devices')
    .addColumn('id', 'text', notNull)
    .addColumn('hardware_id', 'text', notNull)
    .addColumn('hostname', 'text', notNull)
    .addColumn('os', 'text', notNull)
    .addColumn('os_version', 'text', notNull)
    .addColumn('agent_version', 'text', notNull)
    .addColumn('user', 'text', notNull)
    .addColumn('user_group', 'text')
    .addColumn('status', 'text', notNull)
    .addColumn('api_key_id', 'text', notNull)
    .addColumn('enrolled_at', 'bigint', notNull)
    .addColumn('last_seen', 'bigint', notNull)
    .addColumn('disconnected_at', 'bigint')
    .addColumn('applied_version', 'bigint', notNull)
    .addColumn('problems', 'text', notNull)
    .addColumn('scanned_at', 'bigint')
    // When its hardware id was first registered, and with which API key.
    .addColumn('registered_at', 'bigint', withDefault(0))
    .addColumn('registered_by', 'text')
    // SHA-256 of the public key for which it may hold an identity.
    .addColumn('identity_key', 'text')
    // The key of a pending enrollment for this device, until an administrator decides.
    .addColumn('waiting_key', 'text')
    .addColumn('waiting_as', 'text')
    .addColumn('waiting_since', 'bigint')
    // Reports queued on the device, and reports that it dropped.
    .addColumn('queued', 'bigint', withDefault(0))
    .addColumn('dropped', 'bigint', withDefault(0))
    .addColumn('certificate_refusals', 'text', withDefault('[]'))
    .addPrimaryKeyConstraint('devices_pk', ['tenant_id', 'id'])
    .addUniqueConstraint('devices_hardware', ['tenant_id', 'hardware_id'])
    .execute();
  const index = tenantIndexes(schema, 'devices');
  await index('devices_by_key', 'registered_by', 'registered_at').execute();
}

async function deviceIdentities(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'device_identities')
    .addColumn('device_id', 'text', notNull)
    // SHA-256 of the certificate, by which the listener recognises the device.
    .addColumn('fingerprint', 'text', unique)
    .addColumn('serial', 'text', notNull)
    .addColumn('issued_at', 'bigint', notNull)
    .addColumn('expires_at', 'bigint', notNull)
    .addColumn('revoked_at', 'bigint')
    .addColumn('authority_id', 'text')
    .addPrimaryKeyConstraint('device_identities_pk', ['tenant_id', 'device_id', 'serial'])
    .execute();
  const index = tenantIndexes(schema, 'device_identities');
  await index('device_identities_by_authority', 'authority_id', 'expires_at').execute();
}

async function deviceIntermediates(schema: SchemaModule): Promise<void> {
  await tenantTable(schema, 'device_intermediates')
    .addColumn('device_id', 'text', notNull)
    .addColumn('serial', 'text', notNull)
    .addColumn('authority_id', 'text', notNull)
    .addColumn('hosts', 'text', notNull)
    .addColumn('issued_at', 'bigint', notNull)
    .addColumn('expires_at', 'bigint', notNull)
    .addColumn('revoked_at', 'bigint')
    .addPrimaryKeyConstraint('device_intermediates_pk', ['tenant_id', 'device_id', 'serial'])
    .execute();
  const index = tenantIndexes(schema, 'device_intermediates');
  await index('device_intermediates_by_authority', 'authority_id', 'expires_at').execute();
}

async function enrollmentSettings(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('enrollment_settings')
    .addColumn('tenant_id', 'text', primaryKey)
    .addColumn('require_approval', 'integer', notNull)
    .addColumn('new_devices_per_hour', 'bigint', notNull)
    .addColumn('updated_at', 'bigint', notNull)
    .addColumn('updated_by', 'text', notNull)
    .execute();
}

async function appSettings(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('app_settings')
    .addColumn('tenant_id', 'text', primaryKey)
    .addColumn('contact', 'text')
    .addColumn('contact_address', 'text')
    .addColumn('newest_version', 'text')
    .addColumn('updated_at', 'bigint', notNull)
    .addColumn('updated_by', 'text', notNull)
    .execute();
}
