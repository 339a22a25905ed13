import type { Phase, PolicyMode, Severity } from '#contract/policy-actions.ts';
import type { CompiledPolicy } from '#contract/tool-checks.ts';
import { memoize } from '../lib/memoize.ts';
import { type Category, isEnd } from './category.ts';
import { scopeCovers, isPattern, type Scope, type Subject } from './scope.ts';

/** A policy, ready for evaluation. */
export interface Policy {
  id: string;
  name: string;
  category: Category;
  /** Parsed by the category's schema. */
  rules: unknown;
  scope: Scope;
  /** Lower numbers are evaluated first. */
  priority: number;
  /** Default: true. A disabled policy is never evaluated, but its counters stay. */
  enabled?: boolean;
  /** Of its incidents; default: medium. */
  severity?: Severity;
  /** Default: enforce. */
  mode?: PolicyMode;
}

/** Restricts the set to policies that can be evaluated for a call that a device holds. */
export const ofHeldCalls = (policies: PolicySet): PolicySet => ({
  ...policies,
  matching: (subject) => policies.matching(subject).filter(({ category }) => category.ofHeldCalls),
});

/**
 * Restricts the set to policies that are evaluated before a tool call; `onDevice`: to those of them
 * that devices evaluate themselves.
 */
export const ofToolCalls = (policies: PolicySet, { onDevice = false } = {}): PolicySet => ({
  ...policies,
  matching: (subject) =>
    policies.matching(subject).filter((policy) => {
      const compiled = compileForTools(policy);
      return compiled !== null && !(onDevice && compiled.decides === 'control-plane');
    }),
});

/** The policy as devices get it; null if it is not about tool calls. */
export const compileForTools = memoize(({ category, rules, mode, ...policy }: Policy) => {
  const compiled = category.ofToolCalls?.(policy, rules) ?? null;
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
  /** Does the policy exist, enabled or not? */
  has(id: string): boolean;
  /** The enabled policies that apply to a subject, in evaluation order. */
  matching(subject: Subject): readonly Policy[];
  /** Might any policy return an outcome or change state in a phase, for any user group? */
  appliesTo(subject: Omit<Subject, 'userGroup'>, phase: Phase): boolean;
  /** Policies that act on the end of a run, enabled or not: they release what it occupied. */
  ending(subject: Subject): readonly Policy[];
}

/**
 * Indexes policies by the agents they name: the cost of a check grows with the policies that apply
 * to it, not with all policies.
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
  /** Sorted once per agent that a policy names. */
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
    // Cached only for agents that policies name: the number of others is unlimited.
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
        const updates = isEnd(phase) && category.ended !== undefined;
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
