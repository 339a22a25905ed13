import type { z } from 'zod';
import type { Action, Phase } from '#contract/policy-words.ts';

/**
 * What is known when policies are asked. Times are milliseconds since 1970, money is USD. What a
 * phase does not bring is null or empty.
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
  /** The customer's customer, whom the end-user categories bound; else `userId`. */
  endUserId: string | null;
  /** The run so far, what has just come included. Null before there is one. */
  run: RunSoFar | null;
  /** What the agent is about to do, as the policy check tells. */
  intent: Intent;
  /** LLM calls that have just been recorded. */
  calls: readonly ObservedCall[];
  /** Tool spans that have just been recorded. */
  tools: readonly ObservedTool[];
  /** Of a run that ends. */
  result: unknown;
  error: string | null;
}

export interface Intent {
  inputs: unknown;
  models: readonly string[];
  /** Names of tools; of an MCP server's tool its own name. */
  tools: readonly string[];
  mcpServers: readonly string[];
  /** Such as `deploy` or `payment`. */
  actionType: string | null;
  riskLevel: 'none' | 'low' | 'medium' | 'high' | 'critical' | null;
  /** What the agent expects to spend, in USD. */
  estimatedCost: number | null;
  /**
   * How much of each kind a device replaced in the inputs by placeholders, by the names of the
   * built-in types. Null where they come as they are.
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
  /** Spans of kind `retry`. */
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
  /** Of an MCP tool. */
  server: string | null;
  input: unknown;
  output: unknown;
}

/** What a category needs of the past, beside the situation; gathered once for all policies asked. */
export interface Facts {
  /** Today's use (UTC day) of what the policy covers. */
  today: Usage;
  /** This calendar month's use (UTC) by the end user, and what an administrator allows them. */
  endUser: EndUserFacts | null;
  /** What was approved, or asked to be, of this policy for this agent and workflow. */
  approval: Approvals | null;
}

export interface Usage {
  tokens: number;
  cost: number;
  /** By model; names as they were recorded. */
  models: Readonly<Record<string, { tokens: number; cost: number }>>;
}

export interface EndUserFacts {
  id: string;
  /** USD. */
  monthCost: number;
  /** USD; null or 0 for no cap. */
  monthlyBudget: number | null;
  /** The least of what is set for the user and their group; null for none. */
  requestsPerMinute: number | null;
}

/** By what is to be approved: an action, a workflow, a tool. */
export interface Approvals {
  /** The latest request of whoever asks now: of this agent instance and user. */
  latest: ReadonlyMap<string, ApprovalFacts>;
  /** Until when what anybody got approved holds. */
  approvedUntil: ReadonlyMap<string, number>;
}

export interface ApprovalFacts {
  id: string;
  status: 'pending' | 'approved' | 'denied' | 'expired';
  decidedBy: string | null;
}

export type Fact = keyof Facts;

/** What a policy answers. `metadata` is for whoever reads the record, and for the client. */
export interface Evaluation<State = unknown> {
  action: Action;
  /** One line; empty where there is nothing to say. */
  reason: string;
  metadata?: Readonly<Record<string, unknown>>;
  /**
   * The state from now on, where the category keeps one. It is stored only when no policy refuses: a
   * refused check consumes nothing.
   */
  state?: State;
  /** Remembered with the run for the later phases of this policy, such as a timeout at its start. */
  remember?: Readonly<Record<string, unknown>>;
  /** Asks for an approval: what is to be approved. */
  approval?: {
    actionType: string;
    /** For the people who decide. */
    reason: string;
    approvers: readonly string[];
    timeoutMinutes: number;
  };
}

/** What one evaluation works with. */
export interface PolicyInput<Rules, State> {
  rules: Rules;
  situation: Situation;
  /** Only the facts that the category names in `reads` are there. */
  facts: Facts;
  /** Undefined the first time. */
  state: State | undefined;
  /** What this policy asked to remember when the run started; null without such. */
  remembered: Readonly<Record<string, unknown>> | null;
  /** Does the policy apply to all agents? Then `today` sums over all of them. */
  isGlobal: boolean;
}

/**
 * One kind of policy: the rules it has, when it is asked, what it needs to know, and what it
 * answers. `evaluate` is pure: no clock, no I/O, the same answer for the same question.
 */
export interface Category<Rules = unknown, State = unknown> {
  /** As in the field `category`. */
  name: string;
  /** Other names that clients use for it. */
  aliases?: readonly string[];
  /** One sentence for the list of categories. */
  summary: string;
  /** Strict, with every default; what it refuses names the rule. */
  rules: z.ZodType<Rules>;
  phases: readonly Phase[];
  /** Asked when a run starts too, not only by policy checks. */
  atRunStart?: boolean;
  /** Asked before a call that a device holds, too: by what is known of one call it can tell. */
  ofHeldCalls?: boolean;
  reads?: readonly Fact[];
  /** Do these rules need the facts and the state at all? Unless said they do. */
  consults?(rules: Rules): boolean;
  /** Does it look at the run's numbers of steps, tool calls and retries? Elsewhere they are 0. */
  countsWork?: boolean;
  /** Whose state it is, where the category keeps one: checks of the same subject wait for each other. */
  stateOf?(situation: Situation): string | null;
  /** Null where there is nothing to say, and nothing to record. */
  evaluate(asked: PolicyInput<Rules, State>): Evaluation<State> | null;
  /** The state after a run of the subject ended, before anything is evaluated for it. */
  ended?(asked: PolicyInput<Rules, State>): State | undefined;
}

/** Keeps the types of rules and state within one category's file. */
export const category = <Rules, State = never>(definition: Category<Rules, State>): Category =>
  definition;

/** Is there anything to read before this policy is asked? */
export const consults = ({ category, rules }: { category: Category; rules: unknown }): boolean =>
  category.consults?.(rules) ?? true;

/** Is it the phase of a run's end? */
export const isEnd = (phase: Phase): boolean =>
  phase === 'after_workflow' || phase === 'on_failure';

/** The subject of counters of an agent and its workflow. */
export const pairOf = ({ agent, workflow }: Situation): string => JSON.stringify([agent, workflow]);
