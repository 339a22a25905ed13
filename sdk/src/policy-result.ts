export const policyActions = [
  'allow',
  'block',
  'warn',
  'throttle',
  'redact',
  'skip',
  'retry',
] as const;
export type PolicyAction = (typeof policyActions)[number];

export interface PolicySubject {
  agentName: string;
  workflowName?: string;
  /** Identifies an instance of the agent. */
  agentId?: string;
  sessionId?: string;
  userId?: string;
  userGroup?: string;
  /** The customer's customer. Default: `userId`. */
  endUserId?: string;
  /** The inputs of the run, any JSON. Content policies evaluate them. */
  inputs?: unknown;
  /** The models that the run will use. */
  models?: readonly string[];
  tools?: readonly string[];
  /** The tool calls that wait for the decision. Approvers see their arguments. */
  toolCalls?: readonly { name: string; arguments?: unknown }[];
  mcpServers?: readonly string[];
  /** The type of the action, such as `deploy` or `payment`. */
  actionType?: string;
  riskLevel?: 'none' | 'low' | 'medium' | 'high' | 'critical';
  /** The estimated cost in USD. */
  estimatedCost?: number;
}

export interface PolicyResult {
  action: PolicyAction;
  reason: string;
  metadata: Record<string, unknown>;
  /** Whether the action is allow or warn. */
  allowed: boolean;
  /** Whether the action is block, throttle or skip. */
  blocked: boolean;
}

/** A policy denied the action. The message is the policy's reason. */
export class PolicyViolationError extends Error {
  readonly action: PolicyAction;
  readonly metadata: Record<string, unknown>;

  constructor({ action, reason, metadata }: Pick<PolicyResult, 'action' | 'reason' | 'metadata'>) {
    super(reason || `denied by a policy: ${action}`);
    this.name = 'PolicyViolationError';
    this.action = action;
    this.metadata = metadata;
  }
}

export const policyResult = (
  action: PolicyAction,
  reason: string,
  metadata: Record<string, unknown> = {},
): PolicyResult => ({
  action,
  reason,
  metadata,
  allowed: action === 'allow' || action === 'warn',
  blocked: action === 'block' || action === 'throttle' || action === 'skip',
});

export type CheckPolicy = (subject: PolicySubject) => Promise<PolicyResult>;
