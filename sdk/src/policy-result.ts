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
  /** Tells instances of one agent apart. */
  agentId?: string;
  sessionId?: string;
  userId?: string;
  userGroup?: string;
  /** The customer's customer; else `userId`. */
  endUserId?: string;
  /** What the run will work on: any JSON. Policies on content look at it. */
  inputs?: unknown;
  /** What the run will use. */
  models?: readonly string[];
  tools?: readonly string[];
  mcpServers?: readonly string[];
  /** What it is about to do, such as `deploy` or `payment`. */
  actionType?: string;
  riskLevel?: 'none' | 'low' | 'medium' | 'high' | 'critical';
  /** USD. */
  estimatedCost?: number;
}

export interface PolicyResult {
  action: PolicyAction;
  reason: string;
  metadata: Record<string, unknown>;
  /** allow or warn */
  allowed: boolean;
  /** block, throttle or skip */
  blocked: boolean;
}

/** A policy does not let the agent do this. The message is the policy's reason. */
export class PolicyViolationError extends Error {
  readonly action: PolicyAction;
  readonly metadata: Record<string, unknown>;

  constructor({ action, reason, metadata }: Pick<PolicyResult, 'action' | 'reason' | 'metadata'>) {
    super(reason || `a policy answered ${action}`);
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
