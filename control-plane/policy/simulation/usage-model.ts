import { dayOf } from '../../lib/days.ts';
import type { EndUserFacts, Facts, Situation, Usage } from '../category.ts';
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
  factsOf(policy: Policy, situation: Situation): Facts;
}

interface Sum {
  tokens: number;
  cost: number;
  models: Record<string, { tokens: number; cost: number }>;
}

const ALL_AGENTS = Symbol('all agents');
const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);

/** Keeps one UTC day per agent and one calendar month per end user. */
export function createUsageModel(limits: readonly EndUserLimit[]): UsageModel {
  let day = { number: 0, byAgent: new Map<string | symbol, Sum>() };
  let month = { name: '', byUser: new Map<string, number>() };
  const limitOf = new Map(limits.map((limit) => [`${limit.kind} ${limit.id}`, limit]));
  const moveTo = (at: number): void => {
    if (dayOf(at) !== day.number) day = { number: dayOf(at), byAgent: new Map() };
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
      for (const agent of [run.agent_name, ALL_AGENTS]) addTo(day.byAgent, agent, run);
      const user = run.end_user_id ?? run.user_id;
      if (user !== null) month.byUser.set(user, (month.byUser.get(user) ?? 0) + run.cost);
    },
    factsOf(policy, situation) {
      moveTo(situation.now);
      const agent = isForAll(policy.scope) ? ALL_AGENTS : situation.agent;
      return {
        today: day.byAgent.get(agent) ?? NOTHING,
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
