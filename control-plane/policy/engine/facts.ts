import type { Trx } from '../../storage/open.ts';
import { findApproval } from '../approvals/queries.ts';
import type { EndUserFacts, Facts, Situation, Usage } from '../category.ts';
import type { Policy } from '../policy-set.ts';
import { isForAll } from '../scope.ts';
import { NO_FACTS } from '../situation.ts';
import { costSince, findEndUserLimits, usageSince } from './queries.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface Asking {
  tenantId: string;
  situation: Situation;
  policies: readonly Policy[];
}

/** Reads what the policies need to know, and what several of them need only once. */
export function factReader(trx: Trx) {
  const usages = new Map<string, Promise<Usage>>();
  const once = (key: string, read: () => Promise<Usage>): Promise<Usage> => {
    const known = usages.get(key) ?? read();
    usages.set(key, known);
    return known;
  };

  async function factsOf({ tenantId, situation }: Asking, policy: Policy): Promise<Facts> {
    const reads = new Set(policy.category.reads);
    if (reads.size === 0) return NO_FACTS;
    const { now } = situation;
    const agent = isForAll(policy.scope) ? null : situation.agent;
    const hour = Math.floor(now / DAY_MS) * 24;
    return {
      today: reads.has('today')
        ? await once(JSON.stringify([tenantId, agent, hour]), () =>
            usageOf(trx, tenantId, agent, hour),
          )
        : NO_FACTS.today,
      endUser: reads.has('endUser') ? await endUserOf(trx, tenantId, situation) : null,
      approval: reads.has('approval')
        ? await findApproval(trx, tenantId, {
            policy_id: policy.id,
            agent: situation.agent,
            workflow: situation.workflow,
            agent_id: situation.agentId,
            user_id: situation.userId,
            now,
          })
        : null,
    };
  }

  return async (asking: Asking): Promise<Map<Policy, Facts>> => {
    const found = new Map<Policy, Facts>();
    for (const policy of asking.policies) found.set(policy, await factsOf(asking, policy));
    return found;
  };
}

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
  { now, endUserId, userId, userGroup }: Situation,
): Promise<EndUserFacts | null> {
  const id = endUserId ?? userId;
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
