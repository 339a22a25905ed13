import type { ApiError } from '#contract/errors.ts';
import type { Db } from '../../storage/open.ts';
import type { TenantLimits } from '../queries.ts';
import { countAgents, isKnownAgent } from './quota-queries.ts';
import { refuseAt } from './quota-rules.ts';

/** A run that is about to start. */
export interface StartingRun {
  tenant_id: string;
  agent_name: string;
}

/** An agent that is not stored yet, and the line of its tenant. */
export type NewAgents = Map<string, readonly TenantLimits[]>;

/**
 * Refuses an agent without a run where the line has as many agents as it may; who is admitted is
 * one of the newcomers from then on, whom the totals do not know yet.
 */
export async function refuseNewAgent(
  db: Db,
  { tenant_id, agent_name }: StartingRun,
  { line, newcomers, now }: { line: readonly TenantLimits[]; newcomers: NewAgents; now: number },
): Promise<ApiError | undefined> {
  const bound = line.filter(({ max_agents }) => max_agents !== null);
  const key = JSON.stringify([tenant_id, agent_name]);
  if (bound.length === 0 || newcomers.has(key)) return undefined;
  if (await isKnownAgent(db, tenant_id, agent_name)) return undefined;
  for (const tenant of bound) {
    const isOf = (other: readonly TenantLimits[]) => other.some(({ id }) => id === tenant.id);
    const agents = (await countAgents(db, tenant.id)) + [...newcomers.values()].filter(isOf).length;
    const refusal = refuseAt('max_agents', agents, tenant, now);
    if (refusal) return refusal;
  }
  newcomers.set(key, line);
  return undefined;
}
