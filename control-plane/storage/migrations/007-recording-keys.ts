import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { notNull, tenantIndexes, tenantTable, unique } from './001-schema/table-parts.ts';

/** Keys with which coding agents on a device export OpenTelemetry. */
export const recordingKeys: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await tenantTable(schema, 'recording_keys')
      .addColumn('id', 'text', notNull)
      .addColumn('device_id', 'text', notNull)
      // A request contains the key but not its tenant.
      .addColumn('hash', 'text', unique)
      .addColumn('created_at', 'bigint', notNull)
      .addColumn('expires_at', 'bigint', notNull)
      .addPrimaryKeyConstraint('recording_keys_pk', ['tenant_id', 'id'])
      .execute();
    const index = tenantIndexes(schema, 'recording_keys');
    await index('recording_keys_by_device', 'device_id', 'created_at').execute();
  },
};
