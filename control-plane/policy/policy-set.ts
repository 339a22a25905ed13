import type { Phase } from '#contract/policy-words.ts';
import { type Category, isEnd } from './category.ts';
import { covers, isPattern, type Scope, type Subject } from './scope.ts';

/** A policy, ready to be asked. */
export interface Policy {
  id: string;
  name: string;
  category: Category;
  /** As the category's schema answers them. */
  rules: unknown;
  scope: Scope;
  /** Lower numbers are asked first. */
  priority: number;
  /** Enabled unless said: a policy that is not is never asked, and what it counted stays. */
  enabled?: boolean;
}

/** Only those that can be asked before a call that a device holds. */
export const ofHeldCalls = (policies: PolicySet): PolicySet => ({
  ...policies,
  matching: (subject) => policies.matching(subject).filter(({ category }) => category.ofHeldCalls),
});

const concernsAgentsOnly = ({ scope: { workflows = [], user_groups = [] } }: Policy): boolean =>
  workflows.length === 0 && user_groups.length === 0;

/** The policies of one tenant. */
export interface PolicySet {
  /** Is there such a policy, enabled or not? */
  has(id: string): boolean;
  /** The enabled ones that concern a subject, in the order in which they are asked. */
  matching(subject: Subject): readonly Policy[];
  /** May any have something to say or to keep in a phase, whatever the group of the user? */
  appliesTo(subject: Omit<Subject, 'userGroup'>, phase: Phase): boolean;
  /** Those to which the end of a run matters, enabled or not: what it had taken is free again. */
  ending(subject: Subject): readonly Policy[];
}

/**
 * Finds policies by the agents that they name: what a check costs grows with the policies that
 * concern it, not with all that there are.
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
  /** Sorted once for each agent that is named by a policy. */
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
  const whole = new Map<string, readonly Policy[]>();
  function matching(subject: Subject): readonly Policy[] {
    const known = whole.get(subject.agent);
    if (known) return known;
    const all = of(subject.agent);
    const found = all.filter(({ enabled = true, scope }) => enabled && covers(scope, subject));
    // Only agents that policies name are remembered: of others there may be any number.
    if (byAgent.has(subject.agent) && all.every(concernsAgentsOnly))
      whole.set(subject.agent, found);
    return found;
  }
  const ids = new Set(policies.map(({ id }) => id));
  return {
    has: (id) => ids.has(id),
    matching,
    appliesTo: (subject, phase) =>
      of(subject.agent).some(({ enabled = true, category, scope: { agents, workflows } }) => {
        const says = enabled && category.phases.includes(phase);
        const keeps = isEnd(phase) && category.ended !== undefined;
        return (says || keeps) && covers({ agents, workflows }, { ...subject, userGroup: null });
      }),
    ending: (subject) =>
      of(subject.agent).filter(
        ({ category, scope }) => category.ended !== undefined && covers(scope, subject),
      ),
  };
}
