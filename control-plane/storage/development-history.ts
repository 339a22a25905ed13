import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration';
import type { Dialect } from './dialect.ts';
import { developmentHistoryLock } from './locks.ts';
import type { Tables } from './tables.ts';

export const FIRST_SCHEMA = '001-schema';

/** The migrations before the first release. Together they made the schema of `001-schema`. */
export const developmentMigrations: readonly string[] = [
  '001-first-schema',
  '002-usage',
  '003-prompts',
  '004-memory-and-events',
  '005-settings',
  '006-model-costs',
  '007-otel',
  '008-search',
  '009-score-indexes',
  '010-recording-batches',
  '011-governance',
  '012-audit',
  '013-identity',
  '014-enterprise',
  // Number 015 was never used.
  '016-policy-versions',
  '017-approvals',
  '018-enrollment',
  '019-guard-history',
  '020-captures',
  '021-policy-checks',
  '022-agent-group-totals',
  '023-asked-policies',
  '024-states-by-subject',
  '025-prompt-counted',
  '026-calls-of-a-run',
  '027-long-runs',
  '028-memory-by-age',
  '029-names-of-sub-users',
  '030-first-tenants-add-ons',
  '031-search-segments',
  '032-captured-calls',
  '033-observation-gaps',
  '034-certificate-refusals',
  '035-capture-retention',
  '036-app-and-pauses',
  '037-inventory-of-fleet',
];

interface Row {
  name: string;
  timestamp: string;
}

const history = sql.table(DEFAULT_MIGRATION_TABLE);

/**
 * Replaces the development migrations in the history by the first schema if all of them were
 * applied. A database without rows that lacks some of them is emptied instead, where the dialect
 * supports that.
 *
 * @throws Error if the schema is a different one
 */
export async function adoptDevelopmentHistory(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return;
  const refusal = await db.transaction().execute(async (trx) => {
    // Other control planes may start at the same moment.
    await dialect.lock(trx, developmentHistoryLock);
    const { rows } = await sql<Row>`select name, timestamp from ${history} order by name`.execute(
      trx,
    );
    const refused = refusalOf(rows.map(({ name }) => name));
    const last = rows.at(-1);
    if (refused !== undefined || last === undefined || last.name !== LAST) return refused;
    await sql`delete from ${history}`.execute(trx);
    await sql`insert into ${history} (name, timestamp)
      values (${FIRST_SCHEMA}, ${last.timestamp})`.execute(trx);
    return undefined;
  });
  if (refusal !== undefined && !dialect.dropEmptySchema()) throw new Error(refusal);
}

const LAST = developmentMigrations.at(-1) as string;

/**
 * Returns why the history is refused; undefined if it has all of these migrations or none of them.
 */
function refusalOf(applied: readonly string[]): string | undefined {
  const missing = developmentMigrations.filter((name) => !applied.includes(name));
  if (missing.length === developmentMigrations.length) return undefined;
  const unknown = applied.filter((name) => !developmentMigrations.includes(name));
  if (unknown.length > 0)
    return `a development version that this one does not know made this database (${unknown.join(', ')}): run that version, or move the database away to begin without data`;
  if (missing.length > 0)
    return `a development version made this database, up to ${applied.at(-1)}: start the last development version once, which goes up to ${LAST}, or move the database away to begin without data`;
  return undefined;
}
