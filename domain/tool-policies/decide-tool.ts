import type { CompiledPolicy, ToolCall, ToolVerdict } from '#contract/tool-checks.ts';
import { type AllowlistResult, checkServers, checkTools } from './allowlists.ts';
import { fullToolName, parseToolName, type ToolName } from './tool-name.ts';

/** The part of a call that policies evaluate. */
export type CheckedTool = Pick<ToolCall, 'tool' | 'mcp_server'>;

export const ALLOWED: ToolVerdict = { decision: 'allow', policy: null, reason: '' };

/**
 * Decides a call by the policies that a device has, or returns null if only the control plane can
 * evaluate an applicable policy. The result is the same as in the control plane: the first policy
 * in evaluation order that blocks the call decides.
 */
export function decideTool(
  policies: readonly CompiledPolicy[],
  call: CheckedTool,
): ToolVerdict | null {
  const tool = parseToolName(fullToolName(call.tool, call.mcp_server));
  for (const policy of policies) {
    const result = evaluateHere(policy, tool);
    if (result?.action === 'block')
      return { decision: 'deny', policy: policy.name, reason: result.reason };
  }
  return policies.some((policy) => needsControlPlane(policy, tool)) ? null : ALLOWED;
}

function evaluateHere(policy: CompiledPolicy, tool: ToolName): AllowlistResult | null {
  switch (policy.decides) {
    case 'tools':
      return checkTools(policy.rules, [tool]);
    case 'mcp-servers':
      return checkServers(policy.rules, [tool]);
    case 'control-plane':
      return null;
  }
}

const needsControlPlane = (policy: CompiledPolicy, { tool }: ToolName): boolean =>
  policy.decides === 'control-plane' &&
  (policy.tools === null || (tool !== null && policy.tools.includes(tool)));
