import type { Tx } from '../../storage/transaction.ts';
import {
  needsStoredData,
  type EndUserFacts,
  type PolicyFacts,
  type Situation,
  type Usage,
} from '../category.ts';
import type { UsagePeriod } from '#contract/usage-period.ts';
import { memoize } from '../../lib/memoize.ts';
import type { Policy } from '../policy-set.ts';
import { isForAll } from '../scope.ts';
import { NO_FACTS } from '../situation.ts';
import { costSince, findEndUserLimits, usageSince } from './engine-queries.ts';
import type { EvaluationRequest } from './evaluation-request.ts';
import { openApprovalRequests } from './approval-requests.ts';
import { DAY_MS, HOUR_MS } from '#lib/time-units.ts';
import { startOfPeriod } from '../../lib/calendar.ts';

export interface FactReader {
  factsOf(request: EvaluationRequest): Promise<Map<Policy, PolicyFacts>>;
  /** Makes a new approval request visible to later evaluations in the transaction. */
  requested(request: EvaluationRequest, policy: Policy): void;
}

const factOf = { day: 'today', week: 'week', month: 'month' } as const;
const { today, week, month } = NO_FACTS;
const USED_NOTHING = { today, week, month };
type Usages = Pick<PolicyFacts, keyof typeof USED_NOTHING>;

/** The usage that a policy limits. Policies with the same key limit the same usage. */
interface LimitedUsage {
  key: string;
  isGlobal: boolean;
  zone: string;
  periods: readonly UsagePeriod[];
}

const readsFacts = (policy: Policy): boolean =>
  policy.category.reads !== undefined && needsStoredData(policy);

const limitedUsageOf = memoize(({ scope, category, rules }: Policy): LimitedUsage => {
  const { zone, periods } = category.periodsOf?.(rules) ?? { zone: 'UTC', periods: ['day'] };
  const isGlobal = isForAll(scope);
  const distinct = [...new Set(periods)];
  return { key: JSON.stringify([isGlobal, zone, distinct]), isGlobal, zone, periods: distinct };
});

/** Reads the facts that policies need. Facts that several requests share are read once. */
export async function openFacts(tx: Tx, all: readonly EvaluationRequest[]): Promise<FactReader> {
  const usageOnce = cachedByKey<Usage>();
  const endUserOnce = cachedByKey<EndUserFacts | null>();
  const requests = await openApprovalRequests(tx, all);

  /** Reads the facts of one request. Policies that limit the same usage share it. */
  function readerOf(request: EvaluationRequest): (policy: Policy) => Promise<PolicyFacts> {
    const usagesOnce = cachedByKey<Usages>();
    return async (policy) => {
      const { reads = [] } = policy.category;
      const limited = limitedUsageOf(policy);
      return {
        ...(reads.includes('today')
          ? await usagesOnce(limited.key, () => usages(request, limited))
          : USED_NOTHING),
        endUser: reads.includes('endUser') ? await endUser(request) : null,
        approval: reads.includes('approval') ? await requests.find(request, policy) : null,
      };
    };
  }

  async function usages(
    { tenantId, situation }: EvaluationRequest,
    { isGlobal, zone, periods }: LimitedUsage,
  ): Promise<Usages> {
    const agent = isGlobal ? null : situation.agent;
    const used = { ...USED_NOTHING };
    for (const period of periods) {
      // Usage is stored by the hour, so a period that does not begin at a full hour UTC begins
      // slightly too early.
      const hour = Math.floor(startOfPeriod(period, situation.now, zone) / HOUR_MS);
      used[factOf[period]] = await usageOnce(JSON.stringify([tenantId, agent, hour]), () =>
        usageOf(tx, tenantId, agent, hour),
      );
    }
    return used;
  }

  function endUser({ tenantId, situation }: EvaluationRequest): Promise<EndUserFacts | null> {
    const day = Math.floor(situation.now / DAY_MS);
    const key = [tenantId, endUserIdOf(situation), situation.userGroup, day];
    return endUserOnce(JSON.stringify(key), () => endUserOf(tx, tenantId, situation));
  }

  return {
    async factsOf(request) {
      const facts = new Map<Policy, PolicyFacts>();
      const read = readerOf(request);
      for (const policy of request.policies.filter(readsFacts))
        facts.set(policy, await read(policy));
      return facts;
    },
    requested: (request, policy) => requests.add(request, policy),
  };
}

/** Caches reads by key. */
function cachedByKey<T>(): (key: string, read: () => Promise<T>) => Promise<T> {
  const cache = new Map<string, Promise<T>>();
  return (key, read) => {
    const value = cache.get(key) ?? read();
    cache.set(key, value);
    return value;
  };
}

const endUserIdOf = ({ endUserId, userId }: Situation): string | null => endUserId ?? userId;

async function usageOf(
  tx: Tx,
  tenantId: string,
  agent: string | null,
  hour: number,
): Promise<Usage> {
  const rows = await usageSince(tx, tenantId, agent, hour);
  return {
    tokens: rows.reduce((sum, { tokens }) => sum + tokens, 0),
    cost: rows.reduce((sum, { cost }) => sum + cost, 0),
    models: Object.fromEntries(rows.map(({ model, tokens, cost }) => [model, { tokens, cost }])),
  };
}

/**
 * Returns the facts about the end user; null if the situation names none, or if no limits are set.
 */
async function endUserOf(
  tx: Tx,
  tenantId: string,
  situation: Situation,
): Promise<EndUserFacts | null> {
  const { now, userGroup } = situation;
  const id = endUserIdOf(situation);
  if (id === null) return null;
  const limits = await findEndUserLimits(tx, tenantId, id, userGroup);
  if (limits.length === 0) return null;
  const own = limits.find(({ kind }) => kind === 'user');
  const group = limits.find(({ kind }) => kind === 'group');
  const rates = limits.flatMap(({ requests_per_minute: rate }) => rate ?? []);
  const month = new Date(now);
  const first = Date.UTC(month.getUTCFullYear(), month.getUTCMonth()) / DAY_MS;
  return {
    id,
    monthCost: await costSince(tx, tenantId, id, first),
    // The user's own budget takes precedence over the group's.
    monthlyBudget: own?.monthly_budget ?? group?.monthly_budget ?? null,
    requestsPerMinute: rates.length > 0 ? Math.min(...rates) : null,
  };
}
