import type { z } from 'zod';
import { ApiError } from '#contract/errors.ts';
import type { governanceRoutes, policyCheck } from '#contract/governance.ts';
import { withAudit } from '../audit/changing.ts';
import type { Handlers } from '../http/handler.ts';
import { pageOf } from '../http/page.ts';
import { admit } from '../tenancy/quotas.ts';
import type { Situation } from './category.ts';
import { listEvaluations } from './evaluation-queries.ts';
import { withBlocksNotInForce } from './incident-blocks.ts';
import { findIncident, listIncidents, updateIncident } from './incident-queries.ts';
import { situationOf } from './situation.ts';

export const governanceHandlers: Handlers<typeof governanceRoutes> = {
  async checkPolicy(context, { caller: { tenantId }, body }) {
    await admit(context, tenantId, body);
    return context.governance.check(tenantId, situationOfCheck(body, context.now()));
  },

  async listEvaluations(context, { caller, query, url }) {
    const page = await listEvaluations(context.storage, caller.tenantId, query);
    return pageOf(url, query, page);
  },

  async listIncidents(context, { caller, query, url }) {
    const page = await listIncidents(context.storage.reader, caller.tenantId, query);
    const rows = await withBlocksNotInForce(context.storage, caller.tenantId, page.rows);
    return pageOf(url, query, { ...page, rows });
  },

  async getIncident(context, { caller, params }) {
    const incident = await findIncident(context.storage.db, caller.tenantId, params.id);
    const existing = incident ?? throwNotFound(params.id);
    const [complete] = await withBlocksNotInForce(context.storage, caller.tenantId, [existing]);
    return complete ?? existing;
  },

  updateIncident: (context, call) =>
    withAudit(context, call, async (trx, audit) => {
      const { id } = call.params;
      const before = (await findIncident(trx, call.caller.tenantId, id)) ?? throwNotFound(id);
      const { status = before.status, note = before.note } = call.body;
      const after = { ...before, status, note, updated_at: context.now() };
      await updateIncident(trx, after);
      await audit({
        action: 'incident.update',
        resource_type: 'incident',
        resource_id: id,
        before: { status: before.status, note: before.note },
        after: { status, note },
      });
      return after;
    }),
};

function throwNotFound(id: string): never {
  throw new ApiError('not_found', `there is no incident ${id}`);
}

const situationOfCheck = (body: z.output<typeof policyCheck>, now: number): Situation =>
  situationOf({
    phase: 'before_workflow',
    now,
    agent: body.agent_name,
    workflow: body.workflow_name,
    agentId: body.agent_id ?? null,
    sessionId: body.session_id ?? null,
    userId: body.user_id ?? null,
    userGroup: body.user_group ?? null,
    endUserId: body.end_user_id ?? null,
    intent: {
      inputs: body.inputs ?? null,
      models: body.models,
      tools: body.tools,
      mcpServers: body.mcp_servers,
      actionType: body.action_type ?? null,
      riskLevel: body.risk_level ?? null,
      estimatedCost: body.estimated_cost ?? null,
      redacted: null,
    },
  });
