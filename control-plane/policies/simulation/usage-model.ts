import type { EndUserFacts, PolicyFacts, Situation, Usage } from '../category.ts';
import { type UsagePeriod, usagePeriods } from '#contract/usage-period.ts';
import { startOfPeriod } from '../../lib/calendar.ts';
import type { Policy } from '../policy-set.ts';
import { isForAll } from '../scope.ts';
import type { RecordedRun } from './recorded-run.ts';

/** The limits of an end user, or of each user in a group. */
export interface EndUserLimit {
  kind: 'user' | 'group';
  id: string;
  monthly_budget: number | null;
  requests_per_minute: number | null;
}

/** The usage of the runs replayed so far. Time only moves forward. */
export interface UsageModel {
  add(run: RecordedRun, at: number): void;
  factsOf(policy: Policy, situation: Situation): PolicyFacts;
}

interface Sum {
  tokens: number;
  cost: number;
  models: Record<string, { tokens: number; cost: number }>;
}

const ALL_AGENTS = Symbol('all agents');
const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);

interface Period {
  start: number;
  byAgent: Map<string | symbol, Sum>;
}

/**
 * Creates a model that keeps the current periods per agent, in each time zone that policies name,
 * and one month per end user.
 */
export function createUsageModel(
  limits: readonly EndUserLimit[],
  zones: readonly string[] = ['UTC'],
): UsageModel {
  const periods = new Map<string, Period>();
  const periodOf = (period: UsagePeriod, zone: string, at: number): Period => {
    const key = `${period} ${zone}`;
    const start = startOfPeriod(period, at, zone);
    let current = periods.get(key);
    if (current?.start !== start) periods.set(key, (current = { start, byAgent: new Map() }));
    return current;
  };
  let month = { name: '', byUser: new Map<string, number>() };
  const limitOf = new Map(limits.map((limit) => [`${limit.kind} ${limit.id}`, limit]));
  const moveTo = (at: number): void => {
    if (monthOf(at) !== month.name) month = { name: monthOf(at), byUser: new Map() };
  };

  function endUserOf({ endUserId, userId, userGroup }: Situation): EndUserFacts | null {
    const id = endUserId ?? userId;
    const own = limitOf.get(`user ${id}`);
    const group = limitOf.get(`group ${userGroup}`);
    if (id === null || (!own && !group)) return null;
    const rates = [own, group].flatMap((limit) => limit?.requests_per_minute ?? []);
    return {
      id,
      monthCost: month.byUser.get(id) ?? 0,
      monthlyBudget: own?.monthly_budget ?? group?.monthly_budget ?? null,
      requestsPerMinute: rates.length > 0 ? Math.min(...rates) : null,
    };
  }

  return {
    add(run, at) {
      moveTo(at);
      for (const zone of zones)
        for (const period of usagePeriods)
          for (const agent of [run.agent_name, ALL_AGENTS])
            addTo(periodOf(period, zone, at).byAgent, agent, run);
      const user = run.end_user_id ?? run.user_id;
      if (user !== null) month.byUser.set(user, (month.byUser.get(user) ?? 0) + run.cost);
    },
    factsOf(policy, situation) {
      moveTo(situation.now);
      const agent = isForAll(policy.scope) ? ALL_AGENTS : situation.agent;
      const { zone } = policy.category.periodsOf?.(policy.rules) ?? { zone: 'UTC' };
      const used = (period: UsagePeriod): Usage =>
        periodOf(period, zone, situation.now).byAgent.get(agent) ?? NOTHING;
      return {
        today: used('day'),
        week: used('week'),
        month: used('month'),
        endUser: endUserOf(situation),
        // Decisions on approvals cannot be simulated.
        approval: { latest: new Map(), approvedUntil: new Map() },
      };
    },
  };
}

const NOTHING: Usage = { tokens: 0, cost: 0, models: {} };

function addTo(byAgent: Map<string | symbol, Sum>, agent: string | symbol, run: RecordedRun): void {
  const sum = byAgent.get(agent) ?? { tokens: 0, cost: 0, models: {} };
  byAgent.set(agent, sum);
  sum.tokens += run.tokens;
  sum.cost += run.cost;
  for (const { model, tokens, cost } of run.telemetry?.models ?? []) {
    const existing = Object.hasOwn(sum.models, model) ? sum.models[model] : undefined;
    const total = existing ?? { tokens: 0, cost: 0 };
    sum.models[model] = total;
    total.tokens += tokens;
    total.cost += cost;
  }
}
