import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import { firstSchema } from './migrations/001-first-schema.ts';
import { usage } from './migrations/002-usage.ts';
import { prompts } from './migrations/003-prompts.ts';
import { memoryAndEvents } from './migrations/004-memory-and-events.ts';
import { settings } from './migrations/005-settings.ts';
import { modelCosts } from './migrations/006-model-costs.ts';
import { otel } from './migrations/007-otel.ts';
import { search } from './migrations/008-search.ts';
import { scoreIndexes } from './migrations/009-score-indexes.ts';
import { recordingBatches } from './migrations/010-recording-batches.ts';
import { governance } from './migrations/011-governance.ts';
import { audit } from './migrations/012-audit.ts';
import { identity } from './migrations/013-identity.ts';
import { enterprise } from './migrations/014-enterprise.ts';
import { policyVersions } from './migrations/016-policy-versions.ts';
import { approvals } from './migrations/017-approvals.ts';
import { enrollment } from './migrations/018-enrollment.ts';
import { guardHistory } from './migrations/019-guard-history.ts';
import { captures } from './migrations/020-captures.ts';
import { policyChecks } from './migrations/021-policy-checks.ts';
import { agentGroupTotals } from './migrations/022-agent-group-totals.ts';
import { askedPolicies } from './migrations/023-asked-policies.ts';
import { statesBySubject } from './migrations/024-states-by-subject.ts';
import { promptCounted } from './migrations/025-prompt-counted.ts';
import { callsOfARun } from './migrations/026-calls-of-a-run.ts';
import { longRuns } from './migrations/027-long-runs.ts';
import { memoryByAge } from './migrations/028-memory-by-age.ts';
import { namesOfSubUsers } from './migrations/029-names-of-sub-users.ts';
import { firstTenantsAddOns } from './migrations/030-first-tenants-add-ons.ts';
import { searchSegments } from './migrations/031-search-segments.ts';
import { capturedCalls } from './migrations/032-captured-calls.ts';
import { observationGaps } from './migrations/033-observation-gaps.ts';
import { certificateRefusals } from './migrations/034-certificate-refusals.ts';
import { captureRetention } from './migrations/035-capture-retention.ts';
import { appAndPauses } from './migrations/036-app-and-pauses.ts';
import { inventoryOfFleet } from './migrations/037-inventory-of-fleet.ts';
import type { Dialect } from './dialect.ts';
import type { Tables } from './tables.ts';

/** In the order of their names. */
export const migrationsOf = (dialect: Dialect): Record<string, Migration> => ({
  '001-first-schema': firstSchema(dialect),
  '002-usage': usage(dialect),
  '003-prompts': prompts,
  '004-memory-and-events': memoryAndEvents(dialect),
  '005-settings': settings,
  '006-model-costs': modelCosts,
  '007-otel': otel,
  '008-search': search,
  '009-score-indexes': scoreIndexes,
  '010-recording-batches': recordingBatches,
  '011-governance': governance(dialect),
  '012-audit': audit,
  '013-identity': identity,
  '014-enterprise': enterprise(dialect),
  '016-policy-versions': policyVersions,
  '017-approvals': approvals,
  '018-enrollment': enrollment,
  '019-guard-history': guardHistory,
  '020-captures': captures,
  '021-policy-checks': policyChecks(dialect),
  '022-agent-group-totals': agentGroupTotals(dialect),
  '023-asked-policies': askedPolicies(dialect),
  '024-states-by-subject': statesBySubject,
  '025-prompt-counted': promptCounted,
  '026-calls-of-a-run': callsOfARun,
  '027-long-runs': longRuns,
  '028-memory-by-age': memoryByAge,
  '029-names-of-sub-users': namesOfSubUsers,
  '030-first-tenants-add-ons': firstTenantsAddOns,
  '031-search-segments': searchSegments(dialect),
  '032-captured-calls': capturedCalls,
  '033-observation-gaps': observationGaps,
  '034-certificate-refusals': certificateRefusals,
  '035-capture-retention': captureRetention,
  '036-app-and-pauses': appAndPauses,
  '037-inventory-of-fleet': inventoryOfFleet,
});

export const migratorOf = (db: Kysely<Tables>, dialect: Dialect): Migrator =>
  new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrationsOf(dialect)) } });

/**
 * Applies what is missing, in order, in one transaction, under a lock that other processes wait for.
 *
 * @throws Error when the schema is not one that this version can bring up to date
 */
export async function migrate(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  const migrator = migratorOf(db, dialect);
  let { error, results } = await migrator.migrateToLatest();
  if (error && dialect.isHalfMigrated(error) && dialect.startOver())
    ({ error, results } = await migrator.migrateToLatest());
  if (!error) return;
  const { newer } = await compare(db, dialect).catch(() => ({ newer: [] }));
  if (newer.length > 0) throw new Error(upgradedBy(newer), { cause: error });
  if (!dialect.isHalfMigrated(error)) throw error as Error;
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName;
  throw new Error(
    `an earlier version was killed while it upgraded this database (${failed}: ${(error as Error).message}): restore it from a backup, or move it away to begin without data`,
    { cause: error },
  );
}

/** Why the schema is not that of this version any more; undefined when it is. */
export async function findMismatch(
  db: Kysely<Tables>,
  dialect: Dialect,
): Promise<string | undefined> {
  const { newer, missing } = await compare(db, dialect);
  if (newer.length > 0) return upgradedBy(newer);
  if (missing.length === 0) return undefined;
  return `the database lacks ${missing.join(', ')}: a restart of this version upgrades it`;
}

const upgradedBy = (migrations: readonly string[]): string =>
  `a newer version has upgraded the database (${migrations.join(', ')}): run that version`;

/** The migrations that were applied but are not known here, and those that were not applied. */
async function compare(db: Kysely<Tables>, dialect: Dialect) {
  const known = Object.keys(migrationsOf(dialect));
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(db);
  const applied = rows.map(({ name }) => name);
  return {
    newer: applied.filter((name) => !known.includes(name)),
    missing: known.filter((name) => !applied.includes(name)),
  };
}
