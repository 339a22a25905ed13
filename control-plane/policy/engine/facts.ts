import type { Storage, Trx } from '../../storage/open.ts';
import {
  consults,
  type EndUserFacts,
  type Facts,
  type Situation,
  type Usage,
} from '../category.ts';
import type { Policy } from '../policy-set.ts';
import { isForAll } from '../scope.ts';
import { NO_FACTS } from '../situation.ts';
import { costSince, findEndUserLimits, usageSince } from './engine-queries.ts';
import type { EvaluationRequest } from './evaluation-request.ts';
import { openRequests } from './requests.ts';
import { DAY_MS } from '../../lib/days.ts';

export interface FactReader {
  factsOf(request: EvaluationRequest): Promise<Map<Policy, Facts>>;
  /** Makes a new approval request visible to later evaluations in the transaction. */
  requested(request: EvaluationRequest, policy: Policy): void;
}

/** Reads the facts that policies need; facts shared by several requests are read once. */
export async function openFacts(
  storage: Storage,
  trx: Trx,
  all: readonly EvaluationRequest[],
): Promise<FactReader> {
  const usageOnce = cachedByKey<Usage>();
  const endUserOnce = cachedByKey<EndUserFacts | null>();
  const requests = await openRequests(storage, trx, all);

  async function factsOf(request: EvaluationRequest, policy: Policy): Promise<Facts> {
    const { reads = [] } = policy.category;
    return {
      today: reads.includes('today') ? await today(request, policy) : NO_FACTS.today,
      endUser: reads.includes('endUser') ? await endUser(request) : null,
      approval: reads.includes('approval') ? await requests.find(request, policy) : null,
    };
  }

  function today({ tenantId, situation }: EvaluationRequest, { scope }: Policy): Promise<Usage> {
    const agent = isForAll(scope) ? null : situation.agent;
    const hour = Math.floor(situation.now / DAY_MS) * 24;
    return usageOnce(JSON.stringify([tenantId, agent, hour]), () =>
      usageOf(trx, tenantId, agent, hour),
    );
  }

  function endUser({ tenantId, situation }: EvaluationRequest): Promise<EndUserFacts | null> {
    const day = Math.floor(situation.now / DAY_MS);
    const key = [tenantId, endUserIdOf(situation), situation.userGroup, day];
    return endUserOnce(JSON.stringify(key), () => endUserOf(trx, tenantId, situation));
  }

  return {
    async factsOf(request) {
      const facts = new Map<Policy, Facts>();
      for (const policy of request.policies)
        if (policy.category.reads?.length && consults(policy))
          facts.set(policy, await factsOf(request, policy));
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
  trx: Trx,
  tenantId: string,
  agent: string | null,
  hour: number,
): Promise<Usage> {
  const rows = await usageSince(trx, tenantId, agent, hour);
  return {
    tokens: rows.reduce((sum, { tokens }) => sum + tokens, 0),
    cost: rows.reduce((sum, { cost }) => sum + cost, 0),
    models: Object.fromEntries(rows.map(({ model, tokens, cost }) => [model, { tokens, cost }])),
  };
}

/** Null if the situation names no end user, or no limits are set. */
async function endUserOf(
  trx: Trx,
  tenantId: string,
  situation: Situation,
): Promise<EndUserFacts | null> {
  const { now, userGroup } = situation;
  const id = endUserIdOf(situation);
  if (id === null) return null;
  const limits = await findEndUserLimits(trx, tenantId, id, userGroup);
  if (limits.length === 0) return null;
  const own = limits.find(({ kind }) => kind === 'user');
  const group = limits.find(({ kind }) => kind === 'group');
  const rates = limits.flatMap(({ requests_per_minute: rate }) => rate ?? []);
  const month = new Date(now);
  const first = Date.UTC(month.getUTCFullYear(), month.getUTCMonth()) / DAY_MS;
  return {
    id,
    monthCost: await costSince(trx, tenantId, id, first),
    // The user's own budget takes precedence over the group's.
    monthlyBudget: own?.monthly_budget ?? group?.monthly_budget ?? null,
    requestsPerMinute: rates.length > 0 ? Math.min(...rates) : null,
  };
}
