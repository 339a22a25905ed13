import type { Category } from './category.ts';
import { covers, isPattern, type Scope, type Subject } from './scope.ts';

/** An enabled policy, ready to be asked. */
export interface Policy {
  id: string;
  name: string;
  category: Category;
  /** As the category's schema answers them. */
  rules: unknown;
  scope: Scope;
  /** Lower numbers are asked first. */
  priority: number;
}

/** The enabled policies of one tenant. */
export interface PolicySet {
  /** Those that concern a subject, in the order in which they are asked. */
  matching(subject: Subject): readonly Policy[];
  /** Those that may concern an agent's workflow, whatever the group of its user. */
  mayConcern(subject: Omit<Subject, 'userGroup'>): readonly Policy[];
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
  const of = (agent: string): Policy[] => [...others, ...(byAgent.get(agent) ?? [])];
  return {
    matching: (subject) =>
      of(subject.agent)
        .filter(({ scope }) => covers(scope, subject))
        .sort((a, b) => rank(a) - rank(b)),
    mayConcern: (subject) =>
      of(subject.agent).filter(({ scope: { agents, workflows } }) =>
        covers({ agents, workflows }, { ...subject, userGroup: null }),
      ),
  };
}
