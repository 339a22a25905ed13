import type { deviceRoutes } from '#contract/device-protocol.ts';
import type { DecidedToolCall, ToolCall } from '#contract/tool-checks.ts';
import { toolClients } from '#contract/tool-checks.ts';
import { ALLOWED } from '#domain/tool-policies/decide-tool.ts';
import { findDeviceAttribution } from '../captures/call-queries.ts';
import type { Context } from '../context.ts';
import { claimBatches, isDuplicate } from '../device-reports/queries.ts';
import { configOfDevice } from '../guard/device-config.ts';
import type { Handlers } from '../handler.ts';
import type { DeviceCaller } from '../http/caller.ts';
import { compileForTools } from '../policies/policy-set.ts';
import type { Situation } from '../policies/category.ts';
import { agentsOfClients } from './client-agents.ts';
import { situationOfTool, toolVerdictOf, WORKFLOW } from './tool-check-rules.ts';

type ToolRoutes = Pick<
  Handlers<typeof deviceRoutes>,
  'getToolPolicies' | 'checkTool' | 'reportToolCalls'
>;

export const toolCheckHandlers: ToolRoutes = {
  async getToolPolicies({ storage, governance }, { caller }) {
    const agents = await agentsOfClients(storage.db, caller);
    const { user_group: userGroup } = await findDeviceAttribution(storage.db, caller);
    const policies = await governance.toolPoliciesOf(caller.tenantId);
    const compiledFor = (agent: string) =>
      policies
        .matching({ agent, workflow: WORKFLOW, userGroup })
        .flatMap((policy) => compileForTools(policy) ?? []);
    const clients = toolClients.map((client) => {
      const agent = agents[client];
      return [client, { agent, policies: compiledFor(agent) }] as const;
    });
    return { clients: Object.fromEntries(clients) };
  },

  async checkTool(context, { caller, body }) {
    context.rateLimits.policyChecks(caller, context.now());
    const { tenantId, deviceId } = caller;
    const config = await configOfDevice(context.storage.db, tenantId, deviceId);
    if (config.tool_checks === 'off') return ALLOWED;
    const toSituation = await situations(context, caller);
    return toolVerdictOf(
      await context.governance.checkTool(tenantId, toSituation(body, context.now())),
    );
  },

  /**
   * Evaluates reported tool calls. A batch is claimed after it was evaluated, so that a control
   * plane that is killed in between evaluates it twice rather than never.
   */
  async reportToolCalls(context, { caller, body: { batch_id: batchId, calls } }) {
    const { storage, governance } = context;
    const batch = { device: caller, batchId };
    if (await isDuplicate(storage.db, batch)) return { accepted: 0, duplicate: true };
    const toSituation = await situations(context, caller);
    await Promise.all(
      calls.map((call) =>
        governance.checkTool(caller.tenantId, toSituation(call, timeOf(call, context.now())), {
          onDevice: true,
        }),
      ),
    );
    await storage.transaction((tx) => claimBatches(tx, [batch], context.now()));
    return { accepted: calls.length, duplicate: false };
  },
};

/** Reads the data that the situations of a device's calls share. */
async function situations(
  { storage }: Context,
  device: DeviceCaller,
): Promise<(call: ToolCall, now: number) => Situation> {
  const agents = await agentsOfClients(storage.db, device);
  const attribution = await findDeviceAttribution(storage.db, device);
  const { deviceId } = device;
  return (call, now) =>
    situationOfTool(call, { agent: agents[call.client], deviceId, attribution, now });
}

/**
 * Returns the time of a call, which is not in the future even if the clock of the device is ahead.
 */
const timeOf = ({ at }: DecidedToolCall, now: number): number => Math.min(at, now);
