import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from '../dialect.ts';
import { auditTables } from './001-schema/audit.ts';
import { captureTables } from './001-schema/captures.ts';
import { costTables } from './001-schema/costs.ts';
import { deviceReportTables } from './001-schema/device-reports.ts';
import { deviceTables } from './001-schema/devices.ts';
import { guardTables } from './001-schema/guard.ts';
import { identityTables } from './001-schema/identity.ts';
import { inventoryTables } from './001-schema/inventory.ts';
import { memoryTables } from './001-schema/memory.ts';
import { otelTables } from './001-schema/otel.ts';
import { policyTables } from './001-schema/policy.ts';
import { promptTables } from './001-schema/prompts.ts';
import { recordingTables, searchTables } from './001-schema/recording.ts';
import { tenancyTables } from './001-schema/tenancy.ts';
import { usageTables } from './001-schema/usage.ts';

/**
 * The schema of the first release. It never changes: later migrations alter its result. The tenant
 * leads every key and index, so that a distributed PostgreSQL can shard by it.
 */
export const firstSchema = (dialect: Dialect): Migration => ({
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    await tenancyTables(schema, dialect);
    await identityTables(schema, dialect);
    await auditTables(schema);
    await recordingTables(schema, dialect);
    await usageTables(schema, dialect);
    await otelTables(schema);
    await searchTables(db, dialect);
    await promptTables(schema);
    await memoryTables(schema);
    await costTables(schema);
    await policyTables(schema, dialect);
    await deviceTables(schema);
    await deviceReportTables(schema);
    await inventoryTables(schema);
    await guardTables(schema);
    await captureTables(schema);
  },
});
