import { countIncident } from '../../storage/incident-hours.ts';
import type { IncidentTable } from '../../storage/tables/governance.ts';
import type { Tx } from '../../storage/transaction.ts';

/**
 * Opens an incident, or counts the occurrence on a matching incident that is not resolved. Returns
 * whether an incident was opened.
 */
export async function openOrCountIncident(tx: Tx, incident: IncidentTable): Promise<boolean> {
  const { tenant_id, policy_id, run_id, action, agent_name, workflow_name, group_id } = incident;
  await countIncident(tx, incident);
  const open = await tx.db
    .selectFrom('incidents')
    .select('id')
    .where('tenant_id', '=', tenant_id)
    .where('policy_id', '=', policy_id)
    .where('run_id', run_id === null ? 'is' : '=', run_id)
    .where('status', '<>', 'resolved')
    .where('action', '=', action)
    .where('agent_name', '=', agent_name)
    .where('workflow_name', '=', workflow_name)
    // Occurrences in the same run count on one incident, which shows the latest reason. Occurrences
    // outside of a run count on one incident only if their reasons are similar, which gives them the
    // same group.
    .$if(run_id === null, (rows) => rows.where('group_id', '=', group_id))
    .limit(1)
    .executeTakeFirst();
  if (!open) {
    await tx.db.insertInto('incidents').values(incident).execute();
    return true;
  }
  const { reason, metadata, updated_at, last_seen_at } = incident;
  const latest = { group_id, reason, metadata, updated_at, last_seen_at };
  await tx.db
    .updateTable('incidents')
    .set((eb) => ({ ...latest, occurrences: eb('occurrences', '+', 1) }))
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', open.id)
    .execute();
  return false;
}
