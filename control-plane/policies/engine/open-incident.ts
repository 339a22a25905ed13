import { incidentGroupId } from '../../lib/incident-group.ts';
import type { Notify } from '../../notification-event.ts';
import type { IncidentTable } from '../../storage/tables/governance.ts';
import type { Tx } from '../../storage/transaction.ts';
import type { PolicyOutcome } from '../evaluate.ts';
import type { EvaluationRequest } from './evaluation-request.ts';
import { openOrCountIncident } from './incident-queries.ts';

interface Opening {
  newId: (prefix: string) => string;
  notify: Notify;
}

/**
 * Opens an incident of a policy and notifies of it, or counts the occurrence on a matching incident
 * that is not resolved. Incidents of inventory rules are opened in `inventory/evaluation/`.
 */
export async function openIncident(
  tx: Tx,
  { newId, notify }: Opening,
  request: EvaluationRequest,
  outcome: PolicyOutcome,
): Promise<void> {
  const incident = incidentOf({ newId }, request, outcome);
  const isNew = await openOrCountIncident(tx, incident);
  if (isNew) await notify(tx, { event: 'incident.raised', incident });
}

const incidentOf = (
  { newId }: Pick<Opening, 'newId'>,
  { tenantId, situation }: EvaluationRequest,
  { policy, evaluation }: PolicyOutcome,
): IncidentTable => ({
  tenant_id: tenantId,
  id: newId('inc'),
  group_id: incidentGroupId({
    policy_id: policy.id,
    action: evaluation.action,
    agent_name: situation.agent,
    reason: evaluation.reason,
  }),
  source: 'policy',
  run_id: situation.run?.id ?? null,
  policy_id: policy.id,
  policy_name: policy.name,
  category: policy.category.name,
  action: evaluation.action,
  reason: evaluation.reason,
  metadata: JSON.stringify(evaluation.metadata ?? {}),
  agent_name: situation.agent,
  workflow_name: situation.workflow,
  device_id: null,
  hostname: null,
  app_group_id: null,
  app_name: null,
  holds: 0,
  status: 'open',
  severity: policy.severity ?? 'medium',
  assignee_id: null,
  note: '',
  occurrences: 1,
  created_at: situation.now,
  last_seen_at: situation.now,
  updated_at: situation.now,
});
