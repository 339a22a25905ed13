import type { Tx } from '../../storage/transaction.ts';
import { findApproval } from '../../approvals/queries.ts';
import type { Approvals } from '../../approvals/rules.ts';
import { needsStoredData } from '../category.ts';
import type { Policy } from '../policy-set.ts';
import type { EvaluationRequest } from './evaluation-request.ts';
import { listRequested } from './engine-queries.ts';

/**
 * Reads and adds approval requests. Most checks of policies that use approvals have none, so one
 * query finds those that do.
 */
export async function openApprovalRequests(tx: Tx, all: readonly EvaluationRequest[]) {
  const reading = all.flatMap((request) =>
    request.policies
      .filter((policy) => policy.category.reads?.includes('approval') && needsStoredData(policy))
      .map(({ id }) => ({ tenantId: request.tenantId, id })),
  );
  const rows =
    reading.length === 0
      ? []
      : await listRequested(
          tx,
          [...new Set(reading.map(({ tenantId }) => tenantId))],
          [...new Set(reading.map(({ id }) => id))],
        );
  const requested = new Set(
    rows.map((row) =>
      JSON.stringify([row.tenant_id, row.policy_id, row.agent_name, row.workflow_name]),
    ),
  );
  const keyOf = ({ tenantId, situation }: EvaluationRequest, { id }: Policy): string =>
    JSON.stringify([tenantId, id, situation.agent, situation.workflow]);
  return {
    add: (request: EvaluationRequest, policy: Policy): void =>
      void requested.add(keyOf(request, policy)),
    async find(request: EvaluationRequest, policy: Policy): Promise<Approvals | null> {
      if (!requested.has(keyOf(request, policy))) return null;
      const { agent, workflow, agentId, userId, now } = request.situation;
      return findApproval(tx, request.tenantId, {
        policy_id: policy.id,
        agent,
        workflow,
        agent_id: agentId,
        user_id: userId,
        now,
      });
    },
  };
}
