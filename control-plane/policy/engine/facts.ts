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
  factsOf(asking: EvaluationRequest): Promise<Map<Policy, Facts>>;
  /** An approval was asked for: whoever asks next is told of it. */
  requested(asking: EvaluationRequest, policy: Policy): void;
}

/** Reads what policies need to know; what several of these questions need is read once. */
export async function openFacts(
  storage: Storage,
  trx: Trx,
  all: readonly EvaluationRequest[],
): Promise<FactReader> {
  const usageOnce = rememberer<Usage>();
  const endUserOnce = rememberer<EndUserFacts | null>();
  const requests = await openRequests(storage, trx, all);

  async function factsOf(asking: EvaluationRequest, policy: Policy): Promise<Facts> {
    const { reads = [] } = policy.category;
    return {
      today: reads.includes('today') ? await today(asking, policy) : NO_FACTS.today,
      endUser: reads.includes('endUser') ? await endUser(asking) : null,
      approval: reads.includes('approval') ? await requests.find(asking, policy) : null,
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
    async factsOf(asking) {
      const found = new Map<Policy, Facts>();
      for (const policy of asking.policies)
        if (policy.category.reads?.length && consults(policy))
          found.set(policy, await factsOf(asking, policy));
      return found;
    },
    requested: (asking, policy) => requests.add(asking, policy),
  };
}

/** Reads what has a key only once. */
function rememberer<T>(): (key: string, read: () => Promise<T>) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (key, read) => {
    const value = known.get(key) ?? read();
    known.set(key, value);
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

/** Null when nobody is named, or nothing is set for them. */
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
    // Their own cap stands before that of their group.
    monthlyBudget: own?.monthly_budget ?? group?.monthly_budget ?? null,
    requestsPerMinute: rates.length > 0 ? Math.min(...rates) : null,
  };
}
