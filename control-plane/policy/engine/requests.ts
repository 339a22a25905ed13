import type { Storage, Trx } from '../../storage/open.ts';
import { findApproval } from '../approvals/approval-queries.ts';
import { type Approvals, consults } from '../category.ts';
import type { Policy } from '../policy-set.ts';
import type { EvaluationRequest } from './evaluation-request.ts';
import { listRequested } from './engine-queries.ts';

/** Most checks of policies that want approvals find none: these are not looked for one by one. */
export async function openRequests(storage: Storage, trx: Trx, all: readonly EvaluationRequest[]) {
  const reading = all.flatMap((asking) =>
    asking.policies
      .filter((policy) => policy.category.reads?.includes('approval') && consults(policy))
      .map(({ id }) => ({ tenantId: asking.tenantId, id })),
  );
  const rows =
    reading.length === 0
      ? []
      : await listRequested(
          trx,
          storage,
          [...new Set(reading.map(({ tenantId }) => tenantId))],
          [...new Set(reading.map(({ id }) => id))],
        );
  const known = new Set(
    rows.map((row) =>
      JSON.stringify([row.tenant_id, row.policy_id, row.agent_name, row.workflow_name]),
    ),
  );
  const keyOf = ({ tenantId, situation }: EvaluationRequest, { id }: Policy): string =>
    JSON.stringify([tenantId, id, situation.agent, situation.workflow]);
  return {
    add: (asking: EvaluationRequest, policy: Policy): void => void known.add(keyOf(asking, policy)),
    async find(asking: EvaluationRequest, policy: Policy): Promise<Approvals | null> {
      if (!known.has(keyOf(asking, policy))) return null;
      const { agent, workflow, agentId, userId, now } = asking.situation;
      return findApproval(trx, asking.tenantId, {
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
