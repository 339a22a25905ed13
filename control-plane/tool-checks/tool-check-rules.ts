import type { ToolCall, ToolVerdict } from '#contract/tool-checks.ts';
import { ALLOWED } from '#domain/tool-policies/decide-tool.ts';
import { fullToolName } from '#domain/tool-policies/tool-name.ts';
import type { DeviceAttribution } from '../captures/call-queries.ts';
import type { Situation } from '../policies/category.ts';
import { refuses } from '../policies/evaluate.ts';
import { NO_INTENT, situationOf } from '../policies/situation.ts';
import type { Action } from '#contract/policy-actions.ts';
import type { Verdict } from '../policies/verdict.ts';

/** Facts about a call that the device did not send. */
export interface ToolCallOrigin {
  agent: string;
  deviceId: string;
  attribution: Pick<DeviceAttribution, 'user' | 'user_group'>;
  /** In milliseconds since 1970. */
  now: number;
}

/**
 * The workflow of tool calls of coding agents, which have none. SDKs also use this name without a
 * workflow.
 */
export const WORKFLOW = 'default';

/** Returns the same situation as for a check by an SDK that names this tool. */
export const situationOfTool = (
  { tool, mcp_server, session, user }: ToolCall,
  { agent, deviceId, attribution, now }: ToolCallOrigin,
): Situation =>
  situationOf({
    phase: 'before_workflow',
    now,
    agent,
    workflow: WORKFLOW,
    agentId: deviceId,
    sessionId: session,
    userId: user || attribution.user || null,
    userGroup: attribution.user_group,
    intent: { ...NO_INTENT, tools: [fullToolName(tool, mcp_server)] },
  });

interface RecordedOutcome {
  policy_name: string;
  action: Action;
  reason: string;
  metadata: Readonly<Record<string, unknown>>;
}

/**
 * Returns the response for the device. A refusal that a person can lift is `ask`, unless another
 * policy refuses permanently.
 */
export function toolVerdictOf(verdict: Verdict | null): ToolVerdict {
  if (!verdict || !refuses(verdict.action)) return ALLOWED;
  const refusals = (verdict.metadata.evaluations as readonly RecordedOutcome[]).filter(
    ({ action }) => refuses(action),
  );
  const final = refusals.find(({ metadata }) => !isUndecided(metadata));
  const { policy_name: policy, reason } = (final ?? refusals[0]) as RecordedOutcome;
  return { decision: final ? 'deny' : 'ask', policy, reason };
}

const isUndecided = ({ approval_id, denied_by }: RecordedOutcome['metadata']): boolean =>
  approval_id !== undefined && denied_by === undefined;
