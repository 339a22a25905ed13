import type { IncidentTable } from './tables/governance.ts';
import type { Tx } from './transaction.ts';

const HOUR_MS = 3_600_000;

/** Adds an occurrence to the count of its hour, which the trend of its group shows. */
export async function countIncident(
  tx: Tx,
  {
    tenant_id,
    group_id,
    last_seen_at,
  }: Pick<IncidentTable, 'tenant_id' | 'group_id' | 'last_seen_at'>,
): Promise<void> {
  await tx.db
    .insertInto('incident_hours')
    .values({ tenant_id, group_id, hour: Math.floor(last_seen_at / HOUR_MS), occurrences: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'group_id', 'hour'])
        .doUpdateSet((eb) => ({ occurrences: eb('incident_hours.occurrences', '+', 1) })),
    )
    .execute();
}
