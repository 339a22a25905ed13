import type { ApiError } from '#contract/errors.ts';
import type { Db } from '../../storage/open.ts';
import type { TenantState } from '../queries.ts';
import { countAgents, hasRuns } from './quota-queries.ts';
import { refuseAt } from './quota-rules.ts';

/** A run that is about to start. */
export interface StartingRun {
  tenant_id: string;
  agent_name: string;
}

/** Agents that are not stored yet, with the lineage of their tenant. */
export type NewAgents = Map<string, readonly TenantState[]>;

/**
 * Rejects an agent without runs if the lineage has reached its agent limit. An admitted agent is
 * added to `newAgents`, because the stored totals do not include it yet.
 */
export async function refuseNewAgent(
  db: Db,
  { tenant_id, agent_name }: StartingRun,
  {
    lineage,
    newAgents,
    now,
  }: { lineage: readonly TenantState[]; newAgents: NewAgents; now: number },
): Promise<ApiError | undefined> {
  const bound = lineage.filter(({ max_agents }) => max_agents !== null);
  const key = JSON.stringify([tenant_id, agent_name]);
  if (bound.length === 0 || newAgents.has(key)) return undefined;
  if (await hasRuns(db, tenant_id, agent_name)) return undefined;
  for (const tenant of bound) {
    const isOf = (other: readonly TenantState[]) => other.some(({ id }) => id === tenant.id);
    const agents = (await countAgents(db, tenant.id)) + [...newAgents.values()].filter(isOf).length;
    const refusal = refuseAt('max_agents', agents, tenant, now);
    if (refusal) return refusal;
  }
  newAgents.set(key, lineage);
  return undefined;
}
