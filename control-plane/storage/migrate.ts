import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import { firstSchema } from './migrations/001-schema.ts';
import { traceTree } from './migrations/002-trace-tree.ts';
import { fieldTerms } from './migrations/003-field-terms.ts';
import { hourTotals } from './migrations/004-hour-totals.ts';
import { firstTokenInTrace } from './migrations/005-first-token-in-trace.ts';
import { lists } from './migrations/006-lists.ts';
import { recordingKeys } from './migrations/007-recording-keys.ts';
import { fleetLists } from './migrations/008-fleet-lists.ts';
import { dashboards } from './migrations/009-dashboards.ts';
import { notifications } from './migrations/010-notifications.ts';
import { promptHistory } from './migrations/011-prompt-history.ts';
import { incidentGroups } from './migrations/012-incident-groups.ts';
import { deviceConfigVersion } from './migrations/014-device-config-version.ts';
import { callHours } from './migrations/016-call-hours.ts';
import { apiKeyMarks } from './migrations/017-api-key-marks.ts';
import { codingCounters } from './migrations/018-coding-counters.ts';
import { scoreLists } from './migrations/019-score-lists.ts';
import { runsByEndUser } from './migrations/020-runs-by-end-user.ts';
import { runCountersUnindexed } from './migrations/021-run-counters-unindexed.ts';
import { annotationQueues } from './migrations/022-annotation-queues.ts';
import { datasets } from './migrations/023-datasets.ts';
import { deletionsInPortions } from './migrations/024-deletions-in-portions.ts';
import { experimentAttempts } from './migrations/025-experiment-attempts.ts';
import { spansWithTraces } from './migrations/026-spans-with-traces.ts';
import { examplesOfUnmapped } from './migrations/027-examples-of-unmapped.ts';
import { reportsOfCalls } from './migrations/028-reports-of-calls.ts';
import { adoptDevelopmentHistory, FIRST_SCHEMA } from './development-history.ts';
import type { Dialect } from './dialect.ts';
import type { Tables } from './tables.ts';

/** All migrations by name. Their names sort in the order in which they are applied. */
export type MigrationsOf = (dialect: Dialect) => Record<string, Migration>;

/** Migrations only go forward: a released migration never changes. */
export const migrationsOf: MigrationsOf = (dialect) => ({
  [FIRST_SCHEMA]: firstSchema(dialect),
  '002-trace-tree': traceTree,
  '003-field-terms': fieldTerms(dialect),
  '004-hour-totals': hourTotals(dialect),
  '005-first-token-in-trace': firstTokenInTrace,
  '006-lists': lists,
  '007-recording-keys': recordingKeys,
  '008-fleet-lists': fleetLists,
  '009-dashboards': dashboards,
  '010-notifications': notifications,
  '011-prompt-history': promptHistory,
  '012-incident-groups': incidentGroups(dialect),
  '014-device-config-version': deviceConfigVersion,
  '016-call-hours': callHours(dialect),
  '017-api-key-marks': apiKeyMarks,
  '018-coding-counters': codingCounters,
  '019-score-lists': scoreLists,
  '020-runs-by-end-user': runsByEndUser,
  '021-run-counters-unindexed': runCountersUnindexed(dialect),
  '022-annotation-queues': annotationQueues,
  '023-datasets': datasets,
  '024-deletions-in-portions': deletionsInPortions,
  '025-experiment-attempts': experimentAttempts,
  '026-spans-with-traces': spansWithTraces,
  '027-examples-of-unmapped': examplesOfUnmapped,
  '028-reports-of-calls': reportsOfCalls,
});

/**
 * Applies the missing migrations in order, in one transaction, under a lock that other processes
 * wait for.
 *
 * @throws Error if this version cannot bring the schema up to date
 */
export async function migrate(
  db: Kysely<Tables>,
  dialect: Dialect,
  migrations: MigrationsOf,
): Promise<void> {
  await adoptDevelopmentHistory(db, dialect);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations(dialect)) },
  });
  let { error, results } = await migrator.migrateToLatest();
  if (error && dialect.isHalfMigrated(error) && dialect.dropEmptySchema())
    ({ error, results } = await migrator.migrateToLatest());
  if (!error) return;
  const { newer } = await compare(db, migrations(dialect)).catch(() => ({ newer: [] }));
  if (newer.length > 0) throw new Error(upgradedBy(newer), { cause: error });
  if (!dialect.isHalfMigrated(error)) throw error as Error;
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName;
  throw new Error(
    `an earlier version was killed while it upgraded this database (${failed}: ${(error as Error).message}): restore it from a backup, or move it away to begin without data`,
    { cause: error },
  );
}

/** Returns why the schema no longer is that of this version; undefined if it is. */
export async function findMismatch(
  db: Kysely<Tables>,
  dialect: Dialect,
  migrations: MigrationsOf,
): Promise<string | undefined> {
  const { newer, missing } = await compare(db, migrations(dialect));
  if (newer.length > 0) return upgradedBy(newer);
  if (missing.length === 0) return undefined;
  return `the database lacks ${missing.join(', ')}: a restart of this version upgrades it`;
}

const upgradedBy = (migrations: readonly string[]): string =>
  `a newer version has upgraded the database (${migrations.join(', ')}): run that version`;

/**
 * Returns the applied migrations that this version does not know, and its migrations that were not
 * applied.
 */
async function compare(db: Kysely<Tables>, migrations: Record<string, Migration>) {
  const known = Object.keys(migrations);
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(db);
  const applied = rows.map(({ name }) => name);
  return {
    newer: applied.filter((name) => !known.includes(name)),
    missing: known.filter((name) => !applied.includes(name)),
  };
}
