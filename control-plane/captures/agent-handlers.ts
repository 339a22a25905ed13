import type { captureRoutes } from '#contract/captures.ts';
import { ApiError } from '#contract/errors.ts';
import { withAudit } from '../audit/with-audit.ts';
import type { Handlers } from '../handler.ts';
import { pageOf } from '../http/pagination.ts';
import { displayNameOf } from '../identity/is-sub-user.ts';
import {
  deleteAgentRule,
  findAgentRule,
  findHostname,
  listAgentRules,
  putAgentRule,
  type StoredRule,
} from './agent-queries.ts';

type AgentHandlers = Pick<
  Handlers<typeof captureRoutes>,
  'listCaptureAgents' | 'putCaptureAgent' | 'deleteCaptureAgent'
>;

export const agentHandlers: AgentHandlers = {
  async listCaptureAgents({ storage }, { caller, query, url }) {
    return pageOf(url, query, await listAgentRules(storage.db, caller.tenantId, query));
  },

  async putCaptureAgent(context, request) {
    const { tenantId } = request.caller;
    const stamp = { updated_at: context.now(), updated_by: displayNameOf(request.caller) };
    return withAudit(context, request, async (tx, audit) => {
      const after: StoredRule = { ...request.body, ...stamp };
      const { device_id } = after;
      const hostname = device_id === null ? null : await findHostname(tx.db, tenantId, device_id);
      if (hostname === undefined)
        throw new ApiError('not_found', `there is no device ${device_id}`);
      const before = await findAgentRule(tx, tenantId, after);
      await putAgentRule(tx, tenantId, after);
      audit({
        action: `capture_agent.${before ? 'update' : 'create'}`,
        ...resourceOf(after),
        before: before && mappingView(before),
        after: mappingView(after),
      });
      return { ...after, hostname };
    });
  },

  async deleteCaptureAgent(context, request) {
    const { tenantId } = request.caller;
    const { device_id = null, app = null } = request.query;
    await withAudit(context, request, async (tx, audit) => {
      const before = await findAgentRule(tx, tenantId, { device_id, app });
      if (!before)
        throw new ApiError(
          'not_found',
          `no agent is configured for ${targetText({ device_id, app })}`,
        );
      await deleteAgentRule(tx, tenantId, before);
      audit({
        action: 'capture_agent.delete',
        ...resourceOf(before),
        before: mappingView(before),
      });
    });
    return undefined;
  },
};

type MappingKey = Pick<StoredRule, 'device_id' | 'app'>;

const targetText = ({ device_id, app }: MappingKey): string =>
  `${app ?? 'any app'} on ${device_id ?? 'any device'}`;

const resourceOf = (target: MappingKey) => ({
  resource_type: 'capture_agent',
  resource_id: targetText(target),
});

const mappingView = ({ device_id, app, agent_name }: StoredRule) => ({
  device_id,
  app,
  agent_name,
});
