import { endOfPeriod, startOfPeriod, usagePeriods } from '#contract/usage-period.ts';
import type { LocalTime, UsagePeriod } from '#contract/usage-period.ts';
import type { Policy } from '../data/policy-sources.ts';

/**
 * The limit that a policy sets on the cost of a day, week or month, for its agents or for one of
 * their models.
 */
export interface PeriodBudget {
  id: string;
  policy: Pick<Policy, 'id' | 'name'>;
  /** The agents in its scope; empty if it is not limited to agents. */
  agents: readonly string[];
  period: UsagePeriod;
  /** The time zone whose midnight begins the period. */
  zone: string;
  /** Whether each agent has its own total, because the policy has a scope. */
  ofEachAgent: boolean;
  model: string | undefined;
  /** All model names that the policy limits. A model belongs to the longest one that matches. */
  models: readonly string[];
  /** In USD. */
  limit: number;
  action: string;
}

const budgetCategories = ['budget', 'cost'];

/** The budgets of the enabled policies. */
export function budgetsOf(policies: readonly Policy[]): PeriodBudget[] {
  return policies
    .filter(({ category, enabled }) => enabled && budgetCategories.includes(category))
    .flatMap((policy) => {
      const { model_limits, action_on_exceed, timezone } = policy.rules as Rules;
      const of = {
        policy,
        agents: policy.scope.agents ?? [],
        ofEachAgent: Object.values(policy.scope).some((names) => names.length > 0),
        models: Object.keys(model_limits ?? {}),
        action: action_on_exceed ?? 'block',
        zone: timezone ?? 'UTC',
      };
      const ofLimits = (limits: Limits, model?: string): PeriodBudget[] =>
        usagePeriods.flatMap((period) => {
          const limit = limits[ruleOf[period]];
          const id = [policy.id, period, model ?? ''].join(' ');
          return typeof limit === 'number' ? [{ ...of, id, period, model, limit }] : [];
        });
      const models = Object.entries(model_limits ?? {});
      return [
        ...ofLimits(policy.rules),
        ...models.flatMap(([model, limits]) => ofLimits(limits, model)),
      ];
    });
}

const ruleOf = {
  day: 'daily_cost_limit',
  week: 'weekly_cost_limit',
  month: 'monthly_cost_limit',
} as const;

type Limits = Partial<Record<(typeof ruleOf)[UsagePeriod], number | null>>;

interface Rules extends Limits {
  timezone?: string;
  action_on_exceed?: string;
  model_limits?: Record<string, Limits>;
}

/** The start and end of the budget period that contains `now`. */
export function boundsOf({ period, zone }: Pick<PeriodBudget, 'period' | 'zone'>, now: number) {
  const clock = clockOf(zone);
  const start = startOfPeriod(period, now, clock);
  return { start, end: endOfPeriod(period, start, clock) };
}

function clockOf(timeZone: string): (at: number) => LocalTime {
  // The Swedish date format is that of ISO 8601.
  const format = new Intl.DateTimeFormat('sv', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return (at) => {
    const [date = '', time = ''] = format.format(at).split(' ');
    return { date, time, day: (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7 };
  };
}

const MIN_ELAPSED_SHARE = 1 / 24;

/** Forecasts the spending at the end of a period; undefined if there is too little data. */
export function forecastIn(
  { start, end }: { start: number; end: number },
  spent: number,
  now: number,
): number | undefined {
  const part = (now - start) / (end - start);
  return part < MIN_ELAPSED_SHARE ? undefined : spent / Math.min(1, part);
}

/** The lowest daily UTC budget that all agents share and that covers all models. */
export const sharedDailyLimit = (budgets: readonly PeriodBudget[]): number | undefined =>
  budgets
    .filter(({ period, zone }) => period === 'day' && zone === 'UTC')
    .filter(({ ofEachAgent, model }) => !ofEachAgent && model === undefined)
    .map(({ limit }) => limit)
    .sort((a, b) => a - b)[0];

interface Spent {
  groups: readonly { key: string | null; value: number | null }[];
  total: { value: number | null };
}

/** The analytics query for the spending of a budget; undefined if no single query returns it. */
export function groupingOf({ ofEachAgent, agents, model }: PeriodBudget) {
  if (model === undefined) return { group_by: 'agent' as const, filters: {} };
  if (!ofEachAgent) return { group_by: 'model' as const, filters: {} };
  const [agent, ...others] = agents;
  if (agent === undefined || others.length > 0) return undefined;
  return { group_by: 'model' as const, filters: { agent } };
}

/**
 * The amount spent of a budget. If each agent has its own total, the highest total and its agent.
 */
export function spentOf(budget: PeriodBudget, { groups, total }: Spent) {
  const { ofEachAgent, agents, model, models } = budget;
  if (model !== undefined) {
    const own = groups.filter(({ key }) => key !== null && longestMatch(key, models) === model);
    return { cost: own.reduce((sum, { value }) => sum + (value ?? 0), 0), by: undefined };
  }
  if (!ofEachAgent) return { cost: total.value ?? 0, by: undefined };
  const within = groups.filter(
    ({ key }) => key !== null && (agents.length === 0 || agents.includes(key)),
  );
  const most = within.toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0))[0];
  return { cost: most?.value ?? 0, by: most?.key ?? undefined };
}

/** Matches model names as the policies do: `gpt-4o` also matches `gpt-4o-mini`. */
function longestMatch(model: string, rules: readonly string[]): string | undefined {
  const name = model.toLowerCase();
  return rules
    .filter((rule) => {
      const base = rule.toLowerCase();
      return name === base || name.startsWith(`${base}-`) || name.startsWith(`${base}:`);
    })
    .toSorted((a, b) => b.length - a.length)[0];
}
