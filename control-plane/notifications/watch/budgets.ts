import type { Usage } from '../../policies/category.ts';
import {
  type BudgetRules,
  budgetLimits,
  nameOfLimit,
  countedUsage,
} from '../../policies/lib/budget-limits.ts';
import type { UsagePeriod } from '#contract/usage-period.ts';
import { percentUsed, usd } from '../../policies/lib/spending.ts';
import type { BudgetFacts } from '../../notification-event.ts';

/** Usage since the period began. The agent '' is the sum of all agents. */
export interface UsageRow {
  agent_name: string;
  model: string;
  tokens: number;
  cost: number;
}

/** The usage of a limit. */
export interface Budget extends Omit<BudgetFacts, 'threshold'> {
  key: string;
  period: UsagePeriod;
  zone: string;
}

interface BudgetPolicy {
  id: string;
  name: string;
  rules: string;
  scope: string;
}

/** Returns the usage since a period began in a time zone. */
export type UsageOf = (period: UsagePeriod, zone: string) => readonly UsageRow[];

/**
 * Returns the usage of the limits of a policy by period, for each agent in its scope, or for all
 * agents together.
 */
export function budgetsOf(policy: BudgetPolicy, usageOf: UsageOf): Budget[] {
  const rules = JSON.parse(policy.rules) as BudgetRules;
  const { agents = [] } = JSON.parse(policy.scope) as { agents?: string[] };
  const { id, name } = policy;
  return budgetLimits(rules).flatMap((limit) => {
    const rows = Map.groupBy(usageOf(limit.period, zoneOf(rules)), (row) => row.agent_name);
    return [...rows]
      .filter(([agent]) =>
        agents.length === 0 ? agent === '' : agent !== '' && isIn(agents, agent),
      )
      .map(([agent, own]) => {
        const show = limit.unit === 'token' ? (amount: number) => `${amount} tokens` : usd;
        const budget = nameOfLimit(limit);
        return {
          ...useOf(budget, countedUsage(limit, rules, usageSum(own)), limit.max, show),
          key: JSON.stringify([id, agent, budget]),
          period: limit.period,
          zone: zoneOf(rules),
          policy: { id, name },
          agent: agent || null,
        };
      });
  });
}

const zoneOf = ({ timezone = 'UTC' }: BudgetRules): string => timezone;

function usageSum(rows: readonly UsageRow[]): Usage {
  const models: Record<string, { tokens: number; cost: number }> = {};
  const sum = (of: 'tokens' | 'cost') => rows.reduce((total, row) => total + row[of], 0);
  for (const { model, tokens, cost } of rows) models[model] = { tokens, cost };
  return { tokens: sum('tokens'), cost: sum('cost'), models };
}

/** Returns the periods of the policies, with the time zones in which they begin. */
export const periodsOf = (policies: readonly BudgetPolicy[]) =>
  policies.flatMap(({ rules: text }) => {
    const rules = JSON.parse(text) as BudgetRules;
    return budgetLimits(rules).map(({ period }) => ({ period, zone: zoneOf(rules) }));
  });

const isIn = (names: readonly string[], agent: string): boolean =>
  names.some((name) => (name.endsWith('*') ? agent.startsWith(name.slice(0, -1)) : name === agent));

type Use = Pick<Budget, 'budget' | 'percent' | 'used' | 'max'>;

const useOf = (
  budget: string,
  used: number,
  max: number,
  show: (amount: number) => string,
): Use => ({ budget, percent: percentUsed({ used, max }), used: show(used), max: show(max) });

interface EndUserSpending {
  id: string;
  used: number;
  max: number | null;
  /** The group that the budget is set for; absent if it is the end user's own. */
  group?: string;
}

/** Returns the usage of an end user's monthly budget. */
export function endUserBudget({ id, used, max, group }: EndUserSpending): Budget {
  const whose = group === undefined ? '' : `, as set for group ${group}`;
  const budget = `Monthly budget of end user ${id}${whose}`;
  return {
    ...useOf(budget, used, max ?? 0, usd),
    key: JSON.stringify(group === undefined ? ['end user', id] : ['end user', id, group]),
    period: 'month',
    zone: 'UTC',
    policy: null,
    agent: null,
  };
}
