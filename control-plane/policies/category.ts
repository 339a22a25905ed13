import type { z } from 'zod';
import type { Action, Phase } from '#contract/policy-actions.ts';
import type { CompiledPolicy } from '#contract/tool-checks.ts';
import type { UsagePeriod } from '#contract/usage-period.ts';
import type { Approvals, NeededApproval } from '../approvals/rules.ts';

/**
 * The input of a policy evaluation. Times are milliseconds since 1970, and money is USD. Fields
 * that do not apply to a phase are null or empty.
 */
export interface Situation {
  phase: Phase;
  now: number;
  agent: string;
  workflow: string;
  agentId: string | null;
  sessionId: string | null;
  userId: string | null;
  userGroup: string | null;
  /** The end user that the end-user categories limit. If null, they use `userId`. */
  endUserId: string | null;
  /** The run so far, including the latest telemetry; null before the run exists. */
  run: RunSoFar | null;
  /** The action that the agent announces in the policy check. */
  intent: Intent;
  /** LLM calls in the telemetry just recorded. */
  calls: readonly ObservedCall[];
  /** Tool spans in the telemetry just recorded. */
  tools: readonly ObservedTool[];
  /** The result of a run that has ended. */
  result: unknown;
  error: string | null;
}

export interface Intent {
  inputs: unknown;
  models: readonly string[];
  /** Tool names; for an MCP tool, its own name without the server. */
  tools: readonly string[];
  /** The announced tool calls, if the client sends them. `tools` also contains their names. */
  toolCalls?: readonly { name: string; arguments?: unknown }[];
  mcpServers: readonly string[];
  /** The kind of action, for example `deploy` or `payment`. */
  actionType: string | null;
  riskLevel: 'none' | 'low' | 'medium' | 'high' | 'critical' | null;
  /** The expected cost in USD. */
  estimatedCost: number | null;
  /**
   * The number of values of each built-in type that the device replaced with placeholders in the
   * inputs; null if the inputs were not redacted.
   */
  redacted: Readonly<Record<string, number>> | null;
}

export interface RunSoFar {
  id: number;
  status: 'running' | 'success' | 'error';
  startedAt: number;
  completedAt: number | null;
  tokens: number;
  cost: number;
  llmCallCount: number;
  stepCount: number;
  toolCallCount: number;
  /** The number of spans of the kind `retry`. */
  retryCount: number;
}

export interface ObservedCall {
  model: string;
  tokensIn: number;
  tokensOut: number;
  cost: number;
  prompt: string;
  response: string;
}

export interface ObservedTool {
  name: string;
  /** The MCP server of an MCP tool. */
  server: string | null;
  input: unknown;
  output: unknown;
}

/**
 * Stored data that categories need in addition to the situation. It is read once for all evaluated
 * policies.
 */
export interface PolicyFacts {
  /**
   * Today's usage within the policy's scope. Days are in UTC, unless `periodsOf` names a time zone.
   */
  today: Usage;
  /** Usage since Monday; empty unless `periodsOf` names the period. */
  week: Usage;
  /** Usage since the first of the month; empty unless `periodsOf` names the period. */
  month: Usage;
  /** The end user's usage in this calendar month (UTC), and their configured limits. */
  endUser: EndUserFacts | null;
  /** Approvals that were requested or granted under this policy for this agent and workflow. */
  approval: Approvals | null;
}

export interface Usage {
  tokens: number;
  cost: number;
  /** Usage by model name, as recorded. */
  models: Readonly<Record<string, { tokens: number; cost: number }>>;
}

export interface EndUserFacts {
  id: string;
  /** In USD. */
  monthCost: number;
  /** In USD; null or 0 for no limit. */
  monthlyBudget: number | null;
  /** The lower of the rates set for the user and their group; null if there are none. */
  requestsPerMinute: number | null;
}

export type Fact = keyof PolicyFacts;

/** The result of one policy. `metadata` is recorded and returned to the client. */
export interface Evaluation<State = unknown> {
  action: Action;
  /** One line; may be empty. */
  reason: string;
  metadata?: Readonly<Record<string, unknown>>;
  /**
   * The new state, for categories with state. It is stored only if no policy refuses, because a
   * refused check must not consume anything.
   */
  state?: State;
  /**
   * Values that are stored with the run for later phases of this policy, such as the timeout at its
   * start.
   */
  remember?: Readonly<Record<string, unknown>>;
  /** The approval that must be requested. */
  approval?: NeededApproval;
}

/** The input of one evaluation. */
export interface PolicyInput<Rules, State> {
  rules: Rules;
  situation: Situation;
  /** Only the facts named in the category's `reads` are filled in. */
  facts: PolicyFacts;
  /** Undefined if none is stored for the subject. */
  state: State | undefined;
  /** The `remember` value of this policy from the start of the run; null if there is none. */
  remembered: Readonly<Record<string, unknown>> | null;
  /** Whether the policy applies to all agents. If so, `today` is the total over all of them. */
  isGlobal: boolean;
}

/**
 * One kind of policy: its rules, its phases, the facts it needs, and its result. `evaluate` is
 * pure: it uses no clock and no I/O, and returns the same result for the same input.
 */
export interface Category<Rules = unknown, State = unknown> {
  /** The value of a policy's `category` field. */
  name: string;
  /** Aliases that clients use. */
  aliases?: readonly string[];
  /** One sentence for the list of categories. */
  summary: string;
  /** A strict schema with all defaults, whose errors name the rule. */
  rules: z.ZodType<Rules>;
  phases: readonly Phase[];
  /** Whether it is also evaluated when a run starts, not only in policy checks. */
  atRunStart?: boolean;
  /**
   * Whether it is also evaluated for calls that a device holds. The situation then only has the
   * data of the call.
   */
  appliesToHeldCalls?: boolean;
  /**
   * Compiles a policy for devices. It exists if the category is also evaluated before a coding
   * agent calls a tool: devices evaluate the compiled rules or ask the control plane.
   */
  compileForToolCalls?(policy: { id: string; name: string }, rules: Rules): CompiledPolicy;
  reads?: readonly Fact[];
  /** Whether these rules need stored facts or state; by default they do. */
  needsStoredData?(rules: Rules): boolean;
  /** The periods whose usage these rules need, and their time zone; by default, today in UTC. */
  periodsOf?(rules: Rules): { zone: string; periods: readonly UsagePeriod[] };
  /** Whether it reads the counts of steps, tool calls and retries, which are otherwise 0. */
  countsWork?: boolean;
  /**
   * Returns the subject of the state, for categories with state. Checks of one subject are
   * serialized.
   */
  stateOf?(situation: Situation): string | null;
  /** Returns the result of the policy; null if there is none to report or record. */
  evaluate(input: PolicyInput<Rules, State>): Evaluation<State> | null;
  /** Returns the subject's state after the end of a run, before any policy is evaluated for it. */
  ended?(input: PolicyInput<Rules, State>): State | undefined;
}

/** Infers the types of rules and state within one category's file. */
export const category = <Rules, State = never>(definition: Category<Rules, State>): Category =>
  definition;

/** Whether facts or state must be read before the policy is evaluated. */
export const needsStoredData = ({
  category,
  rules,
}: {
  category: Category;
  rules: unknown;
}): boolean => category.needsStoredData?.(rules) ?? true;

/** Whether this is a phase at the end of a run. */
export const isEndPhase = (phase: Phase): boolean =>
  phase === 'after_workflow' || phase === 'on_failure';

/** Returns the agent with its workflow as a subject of state. */
export const agentWorkflowKey = ({ agent, workflow }: Situation): string =>
  JSON.stringify([agent, workflow]);
