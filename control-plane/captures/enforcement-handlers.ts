import type { CallCheck, CallVerdict } from '#contract/call-check.ts';
import type { DeviceConfig, deviceRoutes } from '#contract/device-protocol.ts';
import { ApiError } from '#contract/errors.ts';
import { normalizeHost } from '#domain/hosts/host-catalog.ts';
import type { Context } from '../context.ts';
import type { DeviceCaller } from '../http/caller.ts';
import type { Handlers } from '../handler.ts';
import { refuses } from '../policies/evaluate.ts';
import { configOfDevice } from '../guard/device-config.ts';
import { findAgentRules } from './agent-queries.ts';
import { agentOf, appOf } from './agent-rules.ts';
import { findDeviceAttribution } from './call-queries.ts';
import { situationOfHeldCall } from './held-call.ts';

const passed: CallVerdict = { refused: false, policy: null, reason: '' };

export const enforcementHandlers: Pick<Handlers<typeof deviceRoutes>, 'checkCall'> = {
  async checkCall(context, { caller, body }) {
    context.rateLimits.policyChecks(caller, context.now());
    const { tenantId, deviceId } = caller;
    const config = await configOfDevice(context.storage.db, tenantId, deviceId);
    requireCaptureEnabled(config, body.host);
    return config.enforce_policies ? checkCall(context, caller, body) : passed;
  },
};

/**
 * Rejects checks for hosts without capture, because devices hold only calls to hosts with capture
 * enabled.
 */
function requireCaptureEnabled(
  { capture_enabled, intercept_hosts }: DeviceConfig,
  host: string,
): void {
  if (capture_enabled && intercept_hosts.includes(normalizeHost(host))) return;
  throw new ApiError('capture_disabled', `capture is not enabled for ${host} on this device`);
}

/**
 * Evaluates policies for the agent for which the run would be recorded. Apps without runs always
 * pass.
 */
async function checkCall(
  context: Context,
  device: DeviceCaller,
  check: CallCheck,
): Promise<CallVerdict> {
  const { storage, governance } = context;
  const app = appOf(check);
  const rules = await findAgentRules(storage.db, device, app === null ? [] : [app]);
  const agent = agentOf(rules, { ...check, device_id: device.deviceId });
  if (agent === null) return passed;
  const attribution = await findDeviceAttribution(storage.db, device);
  const situation = situationOfHeldCall(check, { agent, attribution, now: context.now() });
  const verdict = await governance.checkHeld(device.tenantId, situation);
  if (!verdict || !refuses(verdict.action)) return passed;
  const { policy_name } = verdict.metadata;
  return {
    refused: true,
    policy: typeof policy_name === 'string' ? policy_name : null,
    reason: verdict.reason,
  };
}
