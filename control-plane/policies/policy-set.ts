import type { Phase, PolicyMode, Severity } from '#contract/policy-actions.ts';
import type { CompiledPolicy } from '#contract/tool-checks.ts';
import { memoize } from '../lib/memoize.ts';
import { type Category, isEndPhase } from './category.ts';
import { scopeCovers, isPattern, type Scope, type Subject } from './scope.ts';

/** A policy, ready for evaluation. */
export interface Policy {
  id: string;
  name: string;
  category: Category;
  /** The rules, as parsed by the category's schema. */
  rules: unknown;
  scope: Scope;
  /** Lower numbers are evaluated first. */
  priority: number;
  /** True by default. A disabled policy is never evaluated, but its counters are kept. */
  enabled?: boolean;
  /** The severity of its incidents; medium by default. */
  severity?: Severity;
  /** Enforce by default. */
  mode?: PolicyMode;
}

/** Restricts the set to policies that can be evaluated for a call that a device holds. */
export const policiesForHeldCalls = (policies: PolicySet): PolicySet => ({
  ...policies,
  matching: (subject) =>
    policies.matching(subject).filter(({ category }) => category.appliesToHeldCalls),
});

/**
 * Restricts the set to policies that are evaluated before a tool call; with `onDevice`, to those of
 * them that devices evaluate themselves.
 */
export const policiesForToolCalls = (
  policies: PolicySet,
  { onDevice = false } = {},
): PolicySet => ({
  ...policies,
  matching: (subject) =>
    policies.matching(subject).filter((policy) => {
      const compiled = compileForTools(policy);
      return compiled !== null && !(onDevice && compiled.decides === 'control-plane');
    }),
});

/** Returns the policy in the form for devices; null if it is not about tool calls. */
export const compileForTools = memoize(({ category, rules, mode, ...policy }: Policy) => {
  const compiled = category.compileForToolCalls?.(policy, rules) ?? null;
  return compiled && mode === 'warn' ? warningOnly(compiled) : compiled;
});

function warningOnly(compiled: CompiledPolicy): CompiledPolicy {
  switch (compiled.decides) {
    case 'tools':
      return { ...compiled, rules: { ...compiled.rules, action_on_violation: 'warn' } };
    case 'mcp-servers':
      return { ...compiled, rules: { ...compiled.rules, action_on_violation: 'warn' } };
    case 'control-plane':
      return compiled;
  }
}

const scopesAgentsOnly = ({ scope: { workflows = [], user_groups = [] } }: Policy): boolean =>
  workflows.length === 0 && user_groups.length === 0;

/** The policies of one tenant. */
export interface PolicySet {
  /** Whether the policy exists, even if it is disabled. */
  has(id: string): boolean;
  /** The enabled policies that apply to a subject, in evaluation order. */
  matching(subject: Subject): readonly Policy[];
  /** Whether any policy might return an outcome or change state in a phase, for any user group. */
  appliesTo(subject: Omit<Subject, 'userGroup'>, phase: Phase): boolean;
  /**
   * Returns the policies that act on the end of a run, even if they are disabled, because they
   * release what the run occupied.
   */
  ending(subject: Subject): readonly Policy[];
}

/**
 * Indexes policies by the agents they name, so that the cost of a check grows only with the
 * policies that apply to it.
 */
export function policySet(policies: readonly Policy[]): PolicySet {
  const ordered = policies.toSorted((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1));
  const order = new Map(ordered.map((policy, index) => [policy, index]));
  const byAgent = new Map<string, Policy[]>();
  const others: Policy[] = [];
  for (const policy of ordered) {
    const { agents = [] } = policy.scope;
    if (agents.length === 0 || agents.some(isPattern)) others.push(policy);
    else
      for (const agent of new Set(agents))
        byAgent.set(agent, [...(byAgent.get(agent) ?? []), policy]);
  }
  const rank = (policy: Policy): number => order.get(policy) as number;
  const inOrder = new Map<string, readonly Policy[]>();
  /** Returns the policies for an agent, which are sorted once per agent that a policy names. */
  function of(agent: string): readonly Policy[] {
    const own = byAgent.get(agent);
    if (!own) return others;
    let all = inOrder.get(agent);
    if (!all) {
      all = [...others, ...own].sort((a, b) => rank(a) - rank(b));
      inOrder.set(agent, all);
    }
    return all;
  }
  const matchCache = new Map<string, readonly Policy[]>();
  function matching(subject: Subject): readonly Policy[] {
    const cached = matchCache.get(subject.agent);
    if (cached) return cached;
    const all = of(subject.agent);
    const result = all.filter(
      ({ enabled = true, scope }) => enabled && scopeCovers(scope, subject),
    );
    // Only agents that policies name are cached, because the number of others is unlimited.
    if (byAgent.has(subject.agent) && all.every(scopesAgentsOnly))
      matchCache.set(subject.agent, result);
    return result;
  }
  const ids = new Set(policies.map(({ id }) => id));
  return {
    has: (id) => ids.has(id),
    matching,
    appliesTo: (subject, phase) =>
      of(subject.agent).some(({ enabled = true, category, scope: { agents, workflows } }) => {
        const evaluates = enabled && category.phases.includes(phase);
        const updates = isEndPhase(phase) && category.ended !== undefined;
        return (
          (evaluates || updates) &&
          scopeCovers({ agents, workflows }, { ...subject, userGroup: null })
        );
      }),
    ending: (subject) =>
      of(subject.agent).filter(
        ({ category, scope }) => category.ended !== undefined && scopeCovers(scope, subject),
      ),
  };
}
