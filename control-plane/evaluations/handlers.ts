import type { z } from 'zod';
import type { evaluationRoutes, policyCheck } from '#contract/evaluations.ts';
import type { Handlers } from '../handler.ts';
import { pageOf } from '../http/pagination.ts';
import { requireQuotas } from '../tenants/quotas.ts';
import type { Situation } from '../policies/category.ts';
import { listEvaluations } from './queries.ts';
import { situationOf } from '../policies/situation.ts';

export const evaluationHandlers: Handlers<typeof evaluationRoutes> = {
  async checkPolicy(context, { caller: { tenantId }, body }) {
    await requireQuotas(context, tenantId, body);
    return context.governance.check(tenantId, situationOfCheck(body, context.now()));
  },

  async listEvaluations(context, { caller, query, url }) {
    const page = await listEvaluations(context.storage, caller.tenantId, query);
    return pageOf(url, query, page);
  },
};

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
      tools: [...new Set([...body.tools, ...body.tool_calls.map(({ name }) => name)])],
      toolCalls: body.tool_calls,
      mcpServers: body.mcp_servers,
      actionType: body.action_type ?? null,
      riskLevel: body.risk_level ?? null,
      estimatedCost: body.estimated_cost ?? null,
      redacted: null,
    },
  });
